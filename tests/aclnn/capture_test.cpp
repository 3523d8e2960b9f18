// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Calls of aclnn inside captures: frozen arguments, memory made and freed meanwhile as llama.cpp does it, and
// groups whose calls are replaced.
#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_mul.h"

namespace nn {
namespace {

class Captured : public Nn {
 protected:
  void SetUp() override {
    Nn::SetUp();
    ASSERT_OK(aclrtCreateStream(&own_));
  }
  void TearDown() override {
    EXPECT_OK(aclrtDestroyStream(own_));
    Nn::TearDown();
  }

  // Both phases; all objects are destroyed when they return.
  template <typename First, typename Second, typename... Arguments>
  void Queue(First first, Second second, const Arguments&... arguments) {
    Objects objects;
    std::uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_OK(first(objects.Of(arguments)..., &workspace, &executor));
    EXPECT_OK(second(nullptr, workspace, executor, own_));
  }
  void Add(const Tensor& a, const Tensor& b, const Tensor& out) {
    Queue(aclnnAddGetWorkspaceSize, aclnnAdd, a, b, Scalar(1.0f), out);
  }
  void Begin() { EXPECT_OK(aclmdlRICaptureBegin(own_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL)); }
  aclmdlRI End() {
    aclmdlRI instance = nullptr;
    EXPECT_OK(aclmdlRICaptureEnd(own_, &instance));
    return instance;
  }
  void RunAgain(aclmdlRI instance) {
    EXPECT_OK(aclmdlRIExecuteAsync(instance, own_));
    EXPECT_OK(aclrtSynchronizeStream(own_));
  }

  aclrtStream own_ = nullptr;
};

TEST_F(Captured, CallsRunAgainOnWhatIsThereThen) {
  Tensor x = Ref(ACL_FLOAT, {4}, {1, 2, 3, 4}), sum = Ref(ACL_FLOAT, {4}, {0, 0, 0, 0});
  Begin();
  Add(sum, x, sum);
  Queue(aclnnMulGetWorkspaceSize, aclnnMul, sum, x, sum);
  const aclmdlRI instance = End();
  EXPECT_EQ(sum.Read(), (Values{0, 0, 0, 0}));
  RunAgain(instance);
  EXPECT_EQ(sum.Read(), (Values{1, 4, 9, 16}));
  x.Write({1, 1, 1, 1});
  RunAgain(instance);
  EXPECT_EQ(sum.Read(), (Values{2, 5, 10, 17}));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

// llama.cpp: a buffer is replaced inside the capture, filled there, and used from then on.
TEST_F(Captured, MemoryIsMadeFreedAndFilledMeanwhile) {
  const Tensor x = Ref(ACL_FLOAT, {4}, {1, 2, 3, 4}), y = Ref(ACL_FLOAT, {4}, {0, 0, 0, 0});
  void *old = nullptr, *cache = nullptr;
  ASSERT_OK(aclrtMalloc(&old, 16, ACL_MEM_MALLOC_HUGE_FIRST));
  Begin();
  EXPECT_OK(aclrtFree(old));
  EXPECT_OK(aclrtMalloc(&cache, 16, ACL_MEM_MALLOC_HUGE_FIRST));
  const std::int64_t four = 4;
  aclTensor* const filled = aclCreateTensor(&four, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &four, 1, cache);
  float value = 10;
  aclScalar* const ten = aclCreateScalar(&value, ACL_FLOAT);
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_OK(aclnnInplaceFillScalarGetWorkspaceSize(filled, ten, &workspace, &executor));
  EXPECT_OK(aclnnInplaceFillScalar(nullptr, workspace, executor, own_));
  {
    Objects objects;
    EXPECT_OK(aclnnMulGetWorkspaceSize(objects.Of(x), filled, objects.Of(y), &workspace, &executor));
    EXPECT_OK(aclnnMul(nullptr, workspace, executor, own_));
  }
  EXPECT_OK(aclDestroyTensor(filled));
  EXPECT_OK(aclDestroyScalar(ten));
  const aclmdlRI instance = End();
  RunAgain(instance);
  EXPECT_EQ(y.Read(), (Values{10, 20, 30, 40}));
  EXPECT_OK(aclrtFree(cache));
  EXPECT_OK(aclmdlRIExecuteAsync(instance, own_));
  EXPECT_EQ(aclrtSynchronizeStream(own_), ACL_ERROR_RT_SYS_DMA);
  EXPECT_NE(RecentError().find("aclnnInplaceFillScalar"), std::string::npos);
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST_F(Captured, TwelveInstancesAreKeptAndRunInTurn) {
  constexpr int kKept = 12;
  const Tensor sum = Ref(ACL_FLOAT, {8}, Values(8, 0));
  std::vector<Tensor> terms;
  std::vector<aclmdlRI> instances;
  for (int i = 0; i < kKept; ++i) {
    terms.push_back(Ref(ACL_FLOAT, {8}, Values(8, i + 1)));
    Begin();
    for (int call = 0; call < 3; ++call)
      Add(sum, terms.back(), sum);
    instances.push_back(End());
  }
  for (int round = 0; round < 5; ++round)
    for (const aclmdlRI instance : instances)
      EXPECT_OK(aclmdlRIExecuteAsync(instance, own_));
  EXPECT_OK(aclrtSynchronizeStream(own_));
  EXPECT_EQ(sum.Read(), Values(8, 5 * 3 * 78));
  for (const aclmdlRI instance : instances)
    EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST_F(Captured, CallsOfAGroupAreReplaced) {
  const Tensor a = Ref(ACL_FLOAT, {2}, {1, 2}), b = Ref(ACL_FLOAT, {2}, {10, 20});
  const Tensor sum = Ref(ACL_FLOAT, {2}, {0, 0});
  aclrtTaskGrp group = nullptr;
  Begin();
  EXPECT_OK(aclmdlRICaptureTaskGrpBegin(own_));
  Add(sum, a, sum);
  EXPECT_OK(aclmdlRICaptureTaskGrpEnd(own_, &group));
  const aclmdlRI instance = End();
  RunAgain(instance);
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(own_, group));
  Add(sum, b, sum);
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(own_));
  RunAgain(instance);
  EXPECT_EQ(sum.Read(), (Values{11, 22}));
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(own_, group));
  Queue(aclnnMulGetWorkspaceSize, aclnnMul, sum, b, sum);
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_UPDATE_FAILED, aclmdlRICaptureTaskUpdateEnd(own_));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

}  // namespace
}  // namespace nn
