// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Results whose size only the run tells: the tensor has room for the most, and says after the run how much
// there is.
#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_masked_select.h"
#include "aclnnop/aclnn_nonzero.h"

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

}  // namespace
}  // namespace nn
