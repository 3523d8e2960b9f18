// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What lies between the two phases: used once, or again with other addresses, on any thread.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"

namespace nn {
namespace {

constexpr int kNull = 161001, kInvalid = 161002, kNoExecutor = 561103;

// An addition of pairs that is between its phases.
struct Addition {
  explicit Addition(const Tensor& a, const Tensor& b, const Tensor& out)
      : left(a.Create()), right(b.Create()), sum(out.Create()) {
    float one = 1;
    alpha = aclCreateScalar(&one, ACL_FLOAT);
    EXPECT_OK(aclnnAddGetWorkspaceSize(left, right, alpha, sum, &workspace, &executor));
  }
  ~Addition() {
    for (const aclTensor* tensor : {left, right, sum})
      EXPECT_OK(aclDestroyTensor(tensor));
    EXPECT_OK(aclDestroyScalar(alpha));
  }
  int Run() const { return aclnnAdd(nullptr, workspace, executor, Nn::stream()); }

  aclTensor *left, *right, *sum;
  aclScalar* alpha;
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
};

class Executor : public Nn {
 protected:
  const Tensor a_ = In(ACL_FLOAT, {2}, {1, 2}), b_ = In(ACL_FLOAT, {2}, {10, 20}), out_ = Out(ACL_FLOAT, {2});
};

TEST_F(Executor, IsUsedOnce) {
  const Addition addition(a_, b_, out_);
  EXPECT_OK(addition.Run());
  EXPECT_EQ(addition.Run(), kNoExecutor);
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(out_.Read(), (Values{11, 22}));
}

TEST_F(Executor, MayBeDestroyedWithoutARun) {
  const Addition addition(a_, b_, out_);
  EXPECT_OK(aclDestroyAclOpExecutor(addition.executor));
  EXPECT_EQ(addition.Run(), kNoExecutor);
  EXPECT_EQ(aclDestroyAclOpExecutor(addition.executor), kNoExecutor);
}

TEST_F(Executor, RunsOnAnotherThreadAfterItsTensorsAreGone) {
  aclOpExecutor* executor = nullptr;
  {
    const Addition addition(a_, b_, out_);
    executor = addition.executor;
  }
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::thread([&] {
    EXPECT_OK(aclrtSetCurrentContext(context));
    EXPECT_OK(aclnnAdd(nullptr, 0, executor, stream()));
  }).join();
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(out_.Read(), (Values{11, 22}));
}

TEST_F(Executor, RunsAgainWithOtherAddresses) {
  const Addition addition(a_, b_, out_);
  EXPECT_OK(aclSetAclOpExecutorRepeatable(addition.executor));
  EXPECT_OK(addition.Run());
  const Tensor other = In(ACL_FLOAT, {2}, {100, 200}), elsewhere = Out(ACL_FLOAT, {2});
  EXPECT_OK(aclSetInputTensorAddr(addition.executor, 1, addition.right, other.data()));
  EXPECT_OK(aclSetOutputTensorAddr(addition.executor, 0, addition.sum, elsewhere.data()));
  EXPECT_OK(addition.Run());
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(out_.Read(), (Values{11, 22}));
  EXPECT_EQ(elsewhere.Read(), (Values{101, 202}));
  void* now = nullptr;
  EXPECT_OK(aclGetRawTensorAddr(addition.right, &now));
  EXPECT_EQ(now, other.data());
  // Inputs, then outputs.
  EXPECT_OK(AclSetTensorAddr(addition.executor, 2, addition.sum, out_.data()));
  EXPECT_OK(addition.Run());
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(out_.Read(), (Values{101, 202}));
  EXPECT_OK(aclDestroyAclOpExecutor(addition.executor));
}

TEST_F(Executor, CountsMembersOfLists) {
  const Tensor out = Out(ACL_FLOAT, {4});
  const aclTensor* members[] = {a_.Create(), b_.Create()};
  aclTensorList* list = aclCreateTensorList(members, 2);
  aclTensor* result = out.Create();
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_OK(aclnnCatGetWorkspaceSize(list, 0, result, &workspace, &executor));
  EXPECT_OK(aclSetAclOpExecutorRepeatable(executor));
  const Tensor other = In(ACL_FLOAT, {2}, {7, 8});
  EXPECT_OK(aclSetDynamicInputTensorAddr(executor, 0, 1, list, other.data()));
  EXPECT_OK(aclnnCat(nullptr, 0, executor, stream()));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(out.Read(), (Values{1, 2, 7, 8}));
  EXPECT_OK(aclSetDynamicTensorAddr(executor, 0, 0, list, other.data()));
  EXPECT_OK(aclSetInputTensorAddr(executor, 1, const_cast<aclTensor*>(members[1]), b_.data()));
  EXPECT_OK(aclnnCat(nullptr, 0, executor, stream()));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(out.Read(), (Values{7, 8, 10, 20}));
  EXPECT_EQ(aclSetDynamicInputTensorAddr(executor, 0, 2, list, other.data()), kInvalid);
  EXPECT_EQ(aclSetDynamicOutputTensorAddr(executor, 3, 0, list, other.data()), kInvalid);
  EXPECT_EQ(AclSetDynamicInputTensorAddr(executor, 0, 0, nullptr, other.data()), kNoExecutor);
  EXPECT_OK(aclDestroyAclOpExecutor(executor));
  EXPECT_OK(aclDestroyTensorList(list));
  EXPECT_OK(aclDestroyTensor(result));
}

TEST_F(Executor, RefusesNumbersAndHandlesThatAreNone) {
  const Addition addition(a_, b_, out_);
  EXPECT_EQ(aclSetInputTensorAddr(addition.executor, 2, addition.left, a_.data()), kInvalid);
  EXPECT_EQ(aclSetOutputTensorAddr(addition.executor, 1, addition.sum, a_.data()), kInvalid);
  EXPECT_EQ(aclSetInputTensorAddr(addition.executor, 0, nullptr, a_.data()), kNoExecutor);
  EXPECT_EQ(aclSetInputTensorAddr(nullptr, 0, addition.left, a_.data()), kNoExecutor);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(nullptr), kNoExecutor);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(reinterpret_cast<aclOpExecutor*>(addition.left)), kNoExecutor);
  EXPECT_EQ(aclDestroyAclOpExecutor(nullptr), kNoExecutor);
  EXPECT_EQ(aclnnAdd(nullptr, 0, nullptr, stream()), kNoExecutor);
  EXPECT_OK(aclDestroyAclOpExecutor(addition.executor));
}

TEST_F(Executor, NeedsAddressesWhenItRuns) {
  const std::int64_t dims[] = {2};
  aclTensor* none = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr);
  float one = 1;
  std::vector<float> host(2);
  aclTensor* on_host = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, host.data());
  aclScalar* alpha = aclCreateScalar(&one, ACL_FLOAT);
  aclTensor *left = a_.Create(), *sum = out_.Create();
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_OK(aclnnAddGetWorkspaceSize(left, none, alpha, sum, &workspace, &executor));
  EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), kNull);
  EXPECT_NE(RecentError().find("'other'"), std::string::npos);
  ASSERT_OK(aclnnAddGetWorkspaceSize(left, on_host, alpha, sum, &workspace, &executor));
  EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), kInvalid);
  for (const aclTensor* tensor : {none, on_host, left, sum})
    EXPECT_OK(aclDestroyTensor(tensor));
  EXPECT_OK(aclDestroyScalar(alpha));
}

TEST_F(Executor, OfTheSameCallIsMadeOnManyThreads) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  const auto work = [&] {
    EXPECT_OK(aclrtSetCurrentContext(context));
    aclrtStream own = nullptr;
    EXPECT_OK(aclrtCreateStream(&own));
    const Tensor a = In(ACL_FLOAT, {3}, {1, 2, 3}), out = Out(ACL_FLOAT, {3});
    for (int i = 0; i < 500; ++i) {
      const Addition addition(a, a, out);
      EXPECT_OK(aclnnAdd(nullptr, 0, addition.executor, own));
    }
    EXPECT_OK(aclrtSynchronizeStream(own));
    EXPECT_EQ(out.Read(), (Values{2, 4, 6}));
    EXPECT_OK(aclrtDestroyStream(own));
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
}

}  // namespace
}  // namespace nn
