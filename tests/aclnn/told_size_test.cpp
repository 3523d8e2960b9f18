// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Results whose size only the run tells: the tensor has room for the most, and says after the run how much
// there is.
#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_masked_select.h"
#include "aclnnop/aclnn_nonzero.h"
#include "aclnnop/aclnn_nonzero_v2.h"
#include "aclnnop/aclnn_unique.h"
#include "aclnnop/aclnn_unique2.h"
#include "aclnnop/aclnn_unique_consecutive.h"
#include "aclnnop/aclnn_unique_dim.h"

namespace nn {
namespace {

Dims ToldDims(const aclTensor* tensor) {
  std::int64_t* dims = nullptr;
  std::uint64_t count = 0;
  EXPECT_OK(aclGetViewShape(tensor, &dims, &count));
  Dims told(dims, dims + count);
  delete[] dims;
  return told;
}

// Both phases with tensors that live until the end of the work; the dimensions that each then has.
template <typename FirstPhase, typename... Args>
std::vector<Dims> RunTold(const char* name, FirstPhase first, SecondPhase second,
                          const std::vector<aclTensor*>& outputs, Args... args) {
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_OK(first(args..., &workspace, &executor)) << name << RecentError();
  void* memory = nullptr;
  EXPECT_OK(aclrtMalloc(&memory, workspace + 1, ACL_MEM_MALLOC_NORMAL_ONLY));
  EXPECT_OK(second(memory, workspace, executor, Nn::stream()));
  EXPECT_OK(aclrtSynchronizeStream(Nn::stream()));
  EXPECT_OK(aclrtFree(memory));
  std::vector<Dims> told;
  for (const aclTensor* output : outputs)
    told.push_back(ToldDims(output));
  return told;
}

// The elements that there are.
Values First(const Tensor& tensor, std::size_t count) {
  Values values = tensor.Read();
  values.resize(count);
  return values;
}

// Rows of coordinates lie packed: behind each other by as many as there are.
TEST_F(Nn, NonzeroByRowsTellsHowManyThereAre) {
  const Tensor self = In(ACL_FLOAT, {2, 3}, {0, 1, 0, 1, 0, 1}, Layout::kTransposed),
               out = Out(ACL_INT64, {2, 6});
  Objects objects;
  aclTensor* told = objects.Of(out);
  EXPECT_EQ(RunTold(NN(NonzeroV2), {told}, objects.Of(self), told), (std::vector<Dims>{{2, 3}}));
  EXPECT_EQ(First(out, 6), (Values{0, 1, 1, 1, 0, 2}));
}

TEST_F(Nn, UniqueConsecutiveTellsHowManyRunsThereAre) {
  const Tensor self = In(ACL_INT32, {6}, {4, 4, 7, 4, 4, 4}), values = Out(ACL_INT32, {6}),
               inverse = Out(ACL_INT64, {6}), counts = Out(ACL_INT64, {6});
  Objects objects;
  aclTensor *told_values = objects.Of(values), *told_counts = objects.Of(counts);
  EXPECT_EQ(RunTold(NN(UniqueConsecutive), {told_values, told_counts}, objects.Of(self), true, true, 1000,
                    told_values, objects.Of(inverse), told_counts),
            (std::vector<Dims>{{3}, {3}}));
  EXPECT_EQ(First(values, 3), (Values{4, 7, 4}));
  EXPECT_EQ(inverse.Read(), (Values{0, 0, 1, 2, 2, 2}));
  EXPECT_EQ(First(counts, 3), (Values{2, 1, 3}));
}

TEST_F(Nn, NonzeroTellsHowManyThereAre) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_BOOL}) {
    const Tensor self = In(type, {2, 3}, {0, 1, 0, 1, 0, 1}, Layout::kTransposed),
                 out = Out(ACL_INT64, {6, 2});
    Objects objects;
    aclTensor* told = objects.Of(out);
    EXPECT_EQ(RunTold(NN(Nonzero), {told}, objects.Of(self), told), (std::vector<Dims>{{3, 2}})) << type;
    EXPECT_EQ(First(out, 6), (Values{0, 1, 1, 0, 1, 2}));
  }
}

TEST_F(Nn, MaskedSelectTellsHowManyThereAre) {
  const Tensor self = In(ACL_BF16, {2, 3}, {1, 2, 3, 4, 5, 6}), mask = In(ACL_BOOL, {3}, {1, 0, 1}),
               out = Out(ACL_BF16, {6});
  Objects objects;
  aclTensor* told = objects.Of(out);
  EXPECT_EQ(RunTold(NN(MaskedSelect), {told}, objects.Of(self), objects.Of(mask), told),
            (std::vector<Dims>{{4}}));
  EXPECT_EQ(First(out, 4), (Values{1, 3, 4, 6}));
}

TEST_F(Nn, UniqueTellsHowManyDiffer) {
  for (const aclDataType type : {ACL_FLOAT, ACL_INT64, ACL_INT32}) {
    const Tensor self = In(type, {2, 3}, {5, 2, 5, 9, 2, 5}, Layout::kTransposed), values = Out(type, {6}),
                 inverse = Out(ACL_INT64, {2, 3}), counts = Out(ACL_INT64, {6});
    Objects objects;
    aclTensor *value = objects.Of(values), *place = objects.Of(inverse), *count = objects.Of(counts);
    EXPECT_EQ(
        RunTold(NN(Unique2), {value, place, count}, objects.Of(self), true, true, true, value, place, count),
        (std::vector<Dims>{{3}, {2, 3}, {3}}))
        << type;
    EXPECT_EQ(First(values, 3), (Values{2, 5, 9}));
    EXPECT_EQ(inverse.Read(), (Values{1, 0, 1, 2, 0, 1}));
    EXPECT_EQ(First(counts, 3), (Values{2, 3, 1}));
  }
}

TEST_F(Nn, UniqueDimTellsHowManySlicesDiffer) {
  const Tensor self = In(ACL_FLOAT, {3, 2}, {3, 4, 1, 2, 3, 4}, Layout::kPaddedRows),
               values = Out(ACL_FLOAT, {3, 2}), inverse = Out(ACL_INT64, {3}), counts = Out(ACL_INT64, {3});
  Objects objects;
  aclTensor *value = objects.Of(values), *place = objects.Of(inverse), *count = objects.Of(counts);
  EXPECT_EQ(
      RunTold(NN(UniqueDim), {value, place, count}, objects.Of(self), true, true, 0, value, place, count),
      (std::vector<Dims>{{2, 2}, {3}, {2}}));
  EXPECT_EQ(First(values, 4), (Values{1, 2, 3, 4}));
  EXPECT_EQ(inverse.Read(), (Values{1, 0, 1}));
  EXPECT_EQ(First(counts, 2), (Values{1, 2}));
}

TEST_F(Nn, UniqueLeavesWhatIsNotAskedFor) {
  const Tensor self = In(ACL_INT32, {3}, {1, 1, 1}), values = Out(ACL_INT32, {3}),
               untouched = In(ACL_INT64, {3}, {7, 8, 9});
  Run(NN(Unique2), self, true, false, false, values, untouched, untouched);
  EXPECT_EQ(First(values, 1), (Values{1}));
  ExpectRefused(161002, "'valueOut'", NN(Unique2), self, true, false, false, Out(ACL_FLOAT, {3}), untouched,
                untouched);
}

// Programs that know the number destroy the tensor before the work is done.
TEST_F(Nn, NobodyHasToAskForTheSize) {
  const Tensor self = In(ACL_FLOAT, {4}, {0, 0, 3, 0}), out = Out(ACL_INT64, {1, 1});
  const Tensor mask = In(ACL_BOOL, {4}, {0, 0, 1, 0}), value = Out(ACL_FLOAT, {4});
  Run(NN(Nonzero), self, out);
  EXPECT_EQ(out.Read(), (Values{2}));
  Run(NN(MaskedSelect), self, mask, value);
  EXPECT_EQ(First(value, 1), (Values{3}));
  Run(NN(Nonzero), In(ACL_FLOAT, {0, 3}, {}), Out(ACL_INT64, {0, 2}));
}

TEST_F(Nn, UniqueNeedsNoCounts) {
  const Tensor self = In(ACL_INT64, {4}, {3, 1, 3, 2}), values = Out(ACL_INT64, {4}),
               inverse = Out(ACL_INT64, {4});
  Run(NN(Unique), self, true, true, values, inverse);
  EXPECT_EQ(First(values, 3), (Values{1, 2, 3}));
  EXPECT_EQ(inverse.Read(), (Values{2, 0, 2, 1}));
}

}  // namespace
}  // namespace nn
