// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Outputs whose size only the run tells: Nonzero and MaskedSelect. What the tensor is afterwards, and what
// happens when it is gone, used too early, or used again.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_masked_select.h"
#include "aclnnop/aclnn_nonzero.h"

namespace nn {
namespace {

constexpr int kNull = 161001, kNoKernel = 561003;

class ToldShape : public Nn {
 protected:
  // Both phases, without waiting.
  void FindNonzero(const aclTensor* self, aclTensor* out) {
    std::uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_OK(aclnnNonzeroGetWorkspaceSize(self, out, &workspace, &executor));
    ASSERT_OK(aclnnNonzero(nullptr, workspace, executor, stream()));
  }
  void Synchronize() { EXPECT_OK(aclrtSynchronizeStream(stream())); }

  static Dims ShapeOf(const aclTensor* tensor) {
    std::int64_t* dims = nullptr;
    std::uint64_t count = 0;
    EXPECT_OK(aclGetViewShape(tensor, &dims, &count));
    const Dims shape(dims, dims + count);
    delete[] dims;
    return shape;
  }
};

TEST_F(ToldShape, IsThatOfTheTensorAfterTheRun) {
  const Tensor in = In(ACL_FLOAT, {4}, {0, 5, 0, 7}), places = Out(ACL_INT64, {4, 1});
  aclTensor *self = in.Create(), *out = places.Create();
  FindNonzero(self, out);
  Synchronize();
  EXPECT_EQ(ShapeOf(out), (Dims{2, 1}));
  EXPECT_EQ(places.Read()[1], 3);
  EXPECT_OK(aclDestroyTensor(self));
  EXPECT_OK(aclDestroyTensor(out));
}

TEST_F(ToldShape, IsNoLimitForTheNextCall) {
  const Tensor few = In(ACL_FLOAT, {4}, {0, 5, 0, 7}), many = In(ACL_FLOAT, {4}, {1, 2, 3, 4});
  const Tensor places = Out(ACL_INT64, {4, 1});
  aclTensor *first = few.Create(), *second = many.Create(), *out = places.Create();
  FindNonzero(first, out);
  Synchronize();
  FindNonzero(second, out);
  Synchronize();
  EXPECT_EQ(ShapeOf(out), (Dims{4, 1}));
  EXPECT_EQ(places.Read(), (Values{0, 1, 2, 3}));
  for (const aclTensor* tensor : {first, second, out})
    EXPECT_OK(aclDestroyTensor(tensor));
}

TEST_F(ToldShape, NeedsNoTensorWhenItRuns) {
  const Tensor in = In(ACL_FLOAT, {4}, {0, 5, 0, 7}), places = Out(ACL_INT64, {4, 1});
  aclTensor *self = in.Create(), *out = places.Create();
  Gate gate;
  gate.Hold(stream());
  FindNonzero(self, out);
  EXPECT_OK(aclDestroyTensor(self));
  EXPECT_OK(aclDestroyTensor(out));
  gate.Open();
  Synchronize();
  EXPECT_EQ(places.Read()[0], 1);
  EXPECT_EQ(places.Read()[1], 3);
}

TEST_F(ToldShape, IsTheLargestPossibleUntilTheRunIsOver) {
  const Tensor in = In(ACL_FLOAT, {2}, {0, 5}), places = Ref(ACL_INT64, {2, 1}, {7, 7}),
               sums = Out(ACL_INT64, {2, 1});
  aclTensor *self = in.Create(), *out = places.Create(), *sum = sums.Create();
  int one = 1;
  aclScalar* alpha = aclCreateScalar(&one, ACL_INT32);
  Gate gate;
  gate.Hold(stream());
  FindNonzero(self, out);
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_OK(aclnnAddGetWorkspaceSize(out, out, alpha, sum, &workspace, &executor));
  ASSERT_OK(aclnnAdd(nullptr, workspace, executor, stream()));
  gate.Open();
  Synchronize();
  EXPECT_EQ(sums.Read(), (Values{2, 14}));
  EXPECT_EQ(ShapeOf(out), (Dims{1, 1}));
  for (const aclTensor* tensor : {self, out, sum})
    EXPECT_OK(aclDestroyTensor(tensor));
  EXPECT_OK(aclDestroyScalar(alpha));
}

TEST_F(ToldShape, IsToldAgainByExecutorsThatRunAgain) {
  Tensor in = In(ACL_FLOAT, {4}, {0, 5, 0, 7});
  const Tensor places = Out(ACL_INT64, {4, 1});
  aclTensor *self = in.Create(), *out = places.Create();
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_OK(aclnnNonzeroGetWorkspaceSize(self, out, &workspace, &executor));
  EXPECT_OK(aclSetAclOpExecutorRepeatable(executor));
  for (const Values& values : {Values{0, 5, 0, 7}, Values{1, 1, 1, 1}, Values{0, 0, 0, 0}}) {
    in.Write(values);
    EXPECT_OK(aclnnNonzero(nullptr, 0, executor, stream()));
    Synchronize();
    EXPECT_EQ(ShapeOf(out)[0],
              std::count_if(values.begin(), values.end(), [](double one) { return one != 0; }));
  }
  EXPECT_OK(aclDestroyAclOpExecutor(executor));
  EXPECT_OK(aclDestroyTensor(self));
  EXPECT_OK(aclDestroyTensor(out));
}

TEST_F(ToldShape, NeedsAnAddress) {
  const Tensor in = In(ACL_FLOAT, {2}, {0, 5});
  const std::int64_t dims[] = {2, 1};
  aclTensor *self = in.Create(),
            *out = aclCreateTensor(dims, 2, ACL_INT64, nullptr, 0, ACL_FORMAT_ND, dims, 2, nullptr);
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_OK(aclnnNonzeroGetWorkspaceSize(self, out, &workspace, &executor));
  EXPECT_EQ(aclnnNonzero(nullptr, 0, executor, stream()), kNull);
  EXPECT_OK(aclDestroyTensor(self));
  EXPECT_OK(aclDestroyTensor(out));
}

// What stands there then belongs to somebody else.
TEST_F(ToldShape, IsNotWrittenToMemoryThatWasFreedMeanwhile) {
  constexpr std::size_t kBytes = 4 * sizeof(std::int64_t);
  const Tensor in = In(ACL_FLOAT, {4}, {1, 5, 2, 7});
  void *memory = nullptr, *next = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  const std::int64_t dims[] = {4, 1};
  aclTensor *self = in.Create(),
            *out = aclCreateTensor(dims, 2, ACL_INT64, nullptr, 0, ACL_FORMAT_ND, dims, 2, memory);
  Gate gate;
  gate.Hold(stream());
  FindNonzero(self, out);
  EXPECT_OK(aclrtFree(memory));
  ASSERT_OK(aclrtMalloc(&next, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemset(next, kBytes, 9, kBytes));
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream()), 507013);
  std::vector<std::int8_t> found(kBytes);
  EXPECT_OK(aclrtMemcpy(found.data(), kBytes, next, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(found, std::vector<std::int8_t>(kBytes, 9));
  EXPECT_OK(aclrtFree(next));
  EXPECT_OK(aclDestroyTensor(self));
  EXPECT_OK(aclDestroyTensor(out));
}

TEST_F(ToldShape, IsConvertedToTheTypeOfTheTensor) {
  const Tensor in = In(ACL_FLOAT, {4}, {0, 5, 0, 7}), mask = In(ACL_BOOL, {4}, {0, 1, 0, 1});
  const Tensor places = Out(ACL_INT32, {4, 1}), halves = Out(ACL_FLOAT16, {4});
  Run(NN(Nonzero), in, places);
  EXPECT_EQ(places.Read()[0], 1);
  EXPECT_EQ(places.Read()[1], 3);
  Run(NN(MaskedSelect), in, mask, halves);
  EXPECT_EQ(halves.Read()[0], 5);
  EXPECT_EQ(halves.Read()[1], 7);
}

TEST_F(ToldShape, IsThatOfContiguousTensorsOnly) {
  const Tensor in = In(ACL_FLOAT, {4}, {0, 5, 0, 7});
  ExpectRefused(kNoKernel, "'out'", NN(Nonzero), in, Out(ACL_INT64, {4, 1}, Layout::kEveryOther));
}

TEST_F(ToldShape, HasToFit) {
  const Tensor in = In(ACL_FLOAT, {4}, {1, 5, 3, 7}), places = Out(ACL_INT64, {2, 1});
  aclTensor *self = in.Create(), *out = places.Create();
  FindNonzero(self, out);
  EXPECT_NE(aclrtSynchronizeStream(stream()), ACL_SUCCESS);
  EXPECT_NE(RecentError().find("'out'"), std::string::npos);
  EXPECT_OK(aclDestroyTensor(self));
  EXPECT_OK(aclDestroyTensor(out));
}

}  // namespace
}  // namespace nn
