// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Everything a call needs goes away at every moment: tensors, lists, executors, memory, streams, devices. The
// call works or says what is missing.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"

namespace nn {
namespace {

constexpr int kInvalid = 161002, kRuntime = 361001, kNoExecutor = 561103, kFreed = 507013;

// A joined pair between its phases.
struct Joined {
  Joined(const Tensor& a, const Tensor& b, const Tensor& out)
      : members{a.Create(), b.Create()}, whole(out.Create()) {
    list = aclCreateTensorList(members, 2);
  }
  ~Joined() { EXPECT_OK(aclDestroyTensor(whole)); }
  int First() {
    std::uint64_t workspace = 0;
    return aclnnCatGetWorkspaceSize(list, 0, whole, &workspace, &executor);
  }
  int Second(aclrtStream stream = Nn::stream()) const { return aclnnCat(nullptr, 0, executor, stream); }

  const aclTensor* members[2];
  aclTensor* whole;
  aclTensorList* list;
  aclOpExecutor* executor = nullptr;
};

class Lifetime : public Nn {
 protected:
  static void Synchronize(aclrtStream on = stream()) { EXPECT_OK(aclrtSynchronizeStream(on)); }
  const Tensor a_ = In(ACL_FLOAT, {2}, {1, 2}), b_ = In(ACL_FLOAT, {2}, {10, 20}), out_ = Out(ACL_FLOAT, {4});
  const Values joined_ = {1, 2, 10, 20};
};

TEST_F(Lifetime, OfAMemberEndsBeforeThatOfItsList) {
  Joined joined(a_, b_, out_);
  EXPECT_OK(aclDestroyTensor(joined.members[1]));
  RecentError();
  EXPECT_EQ(joined.First(), kInvalid);
  EXPECT_NE(RecentError().find("'tensors'"), std::string::npos);
  aclTensor* next = b_.Create();  // in the same place
  EXPECT_EQ(joined.First(), kInvalid);
  EXPECT_OK(aclDestroyTensorList(joined.list));
  EXPECT_OK(aclDestroyTensor(next));
  EXPECT_EQ(aclDestroyTensor(joined.members[0]), kInvalid);
}

TEST_F(Lifetime, OfAListEndsBetweenThePhases) {
  Joined joined(a_, b_, out_);
  ASSERT_OK(joined.First());
  EXPECT_OK(aclDestroyTensorList(joined.list));
  EXPECT_OK(joined.Second());
  Synchronize();
  EXPECT_EQ(out_.Read(), joined_);
}

TEST_F(Lifetime, OfAnExecutorEndsWhileItsWorkWaits) {
  Joined joined(a_, b_, out_);
  ASSERT_OK(joined.First());
  EXPECT_OK(aclSetAclOpExecutorRepeatable(joined.executor));
  Gate gate;
  gate.Hold(stream());
  for (int i = 0; i < 3; ++i)
    EXPECT_OK(joined.Second());
  EXPECT_OK(aclDestroyAclOpExecutor(joined.executor));
  EXPECT_OK(aclDestroyTensorList(joined.list));
  gate.Open();
  Synchronize();
  EXPECT_EQ(out_.Read(), joined_);
}

TEST_F(Lifetime, OfAnExecutorServesTwoStreamsAtOnce) {
  Joined joined(a_, b_, out_);
  ASSERT_OK(joined.First());
  EXPECT_OK(aclSetAclOpExecutorRepeatable(joined.executor));
  aclrtStream other = nullptr;
  ASSERT_OK(aclrtCreateStream(&other));
  for (int i = 0; i < 100; ++i) {
    EXPECT_OK(joined.Second());
    EXPECT_OK(joined.Second(other));
  }
  Synchronize();
  Synchronize(other);
  EXPECT_EQ(out_.Read(), joined_);
  EXPECT_OK(aclrtDestroyStream(other));
  EXPECT_OK(aclDestroyAclOpExecutor(joined.executor));
  EXPECT_OK(aclDestroyTensorList(joined.list));
}

TEST_F(Lifetime, OfMemoryEndsBeforeTheRun) {
  void* memory = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, 16, ACL_MEM_MALLOC_HUGE_FIRST));
  Joined joined(a_, b_, out_);
  ASSERT_OK(joined.First());
  EXPECT_OK(aclSetAclOpExecutorRepeatable(joined.executor));
  EXPECT_OK(aclSetOutputTensorAddr(joined.executor, 0, joined.whole, memory));
  Gate gate;
  gate.Hold(stream());
  EXPECT_OK(joined.Second());
  EXPECT_OK(aclrtFree(memory));
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream()), kFreed);
  EXPECT_EQ(joined.Second(), kInvalid);
  EXPECT_OK(aclSetOutputTensorAddr(joined.executor, 0, joined.whole, out_.data()));
  aclrtStream next = nullptr;
  ASSERT_OK(aclrtCreateStream(&next));
  EXPECT_OK(joined.Second(next));
  Synchronize(next);
  EXPECT_EQ(out_.Read(), joined_);
  EXPECT_OK(aclrtDestroyStream(next));
  EXPECT_OK(aclDestroyAclOpExecutor(joined.executor));
  EXPECT_OK(aclDestroyTensorList(joined.list));
}

TEST_F(Lifetime, OfAStreamIsOver) {
  Joined joined(a_, b_, out_);
  aclrtStream gone = nullptr;
  ASSERT_OK(aclrtCreateStream(&gone));
  EXPECT_OK(aclrtDestroyStream(gone));
  ASSERT_OK(joined.First());
  EXPECT_EQ(joined.Second(gone), kRuntime);
  EXPECT_EQ(joined.Second(), kNoExecutor);  // it was used
  ASSERT_OK(joined.First());
  EXPECT_OK(joined.Second(nullptr));
  Synchronize(nullptr);
  EXPECT_EQ(out_.Read(), joined_);
  EXPECT_OK(aclDestroyTensorList(joined.list));
}

TEST_F(Lifetime, OfAContextHasNotBegun) {
  Joined joined(a_, b_, out_);
  std::thread([&] {
    EXPECT_OK(joined.First());
    EXPECT_EQ(joined.Second(nullptr), kRuntime);
    RecentError();
  }).join();
  EXPECT_OK(aclDestroyTensorList(joined.list));
}

TEST_F(Lifetime, OfEverythingCarriesOnWhereTheTypeMakesNoSense) {
  aclTensor* tensor = a_.Create();
  EXPECT_EQ(aclDestroyTensorList(reinterpret_cast<aclTensorList*>(tensor)), kInvalid);
  EXPECT_EQ(aclDestroyScalar(reinterpret_cast<aclScalar*>(tensor)), kInvalid);
  const aclTensor* twice[] = {tensor, tensor};
  aclTensorList* list = aclCreateTensorList(twice, 2);
  EXPECT_OK(aclDestroyTensorList(list));
  EXPECT_EQ(aclDestroyTensorList(list), kInvalid);
  EXPECT_EQ(aclDestroyTensor(tensor), kInvalid);
}

// Devices and the runtime end between the phases; what the program described stays.
TEST(LifetimeOfADevice, EndsBetweenThePhases) {
  InChild({}, [] {
    ASSERT_OK(aclInit(nullptr));
    ASSERT_OK(aclrtSetDevice(0));
    void* memory = nullptr;
    ASSERT_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    const std::int64_t dims[] = {4};
    aclTensor* tensor = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, memory);
    float one = 1;
    aclScalar* alpha = aclCreateScalar(&one, ACL_FLOAT);
    std::uint64_t workspace = 0;
    std::vector<aclOpExecutor*> executors(3);
    for (aclOpExecutor*& executor : executors) {
      ASSERT_OK(aclnnAddGetWorkspaceSize(tensor, tensor, alpha, tensor, &workspace, &executor));
      ASSERT_OK(aclSetAclOpExecutorRepeatable(executor));
    }
    ASSERT_OK(aclrtResetDevice(0));
    EXPECT_EQ(aclnnAdd(nullptr, 0, executors[0], nullptr), kRuntime);
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_EQ(aclnnAdd(nullptr, 0, executors[0], nullptr), kInvalid);
    ASSERT_OK(aclrtResetDevice(0));
    ASSERT_OK(aclFinalize());
    EXPECT_NE(aclnnAdd(nullptr, 0, executors[1], nullptr), ACL_SUCCESS);
    ASSERT_OK(aclInit(nullptr));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    for (const std::size_t index : {0, 1, 2})
      EXPECT_OK(aclSetTensorAddr(executors[2], index, tensor, memory));
    EXPECT_OK(aclnnAdd(nullptr, 0, executors[2], nullptr));
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    for (aclOpExecutor* executor : executors)
      EXPECT_OK(aclDestroyAclOpExecutor(executor));
    EXPECT_OK(aclDestroyTensor(tensor));
    EXPECT_OK(aclDestroyScalar(alpha));
    EXPECT_OK(aclrtResetDevice(0));
    EXPECT_OK(aclFinalize());
  });
}

}  // namespace
}  // namespace nn
