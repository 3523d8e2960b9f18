// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The generated entry points of the aclnn operators and the data behind them, without the library: the two
// phases here only keep what they are given.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string_view>
#include <vector>

#include "aclnn/entry.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_gemm.h"
#include "aclnnop/aclnn_uniform.h"

namespace {

using namespace foothold::aclnn;

struct Call {
  const Function* function = nullptr;
  std::vector<Argument> arguments;
  std::uint64_t* workspace_size = nullptr;
  aclOpExecutor** executor = nullptr;
};

struct Run {
  const Function* function = nullptr;
  void* workspace = nullptr;
  std::uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  aclrtStream stream = nullptr;
};

Call last_call;
Run last_run;

// A handle that is never looked into.
template <typename T>
T* Handle(std::uintptr_t number) {
  return reinterpret_cast<T*>(number);
}

const Function* Find(std::string_view name) {
  for (std::size_t i = 0; i < FunctionCount(); ++i) {
    if (AllFunctions()[i].name == name) return &AllFunctions()[i];
  }
  return nullptr;
}

const Parameter& Get(std::string_view function, std::string_view parameter) {
  const Function* found = Find(function);
  for (std::uint16_t i = 0; found != nullptr && i < found->count; ++i) {
    if (found->parameters[i].name == parameter) return found->parameters[i];
  }
  throw std::runtime_error("no such parameter");
}

}  // namespace

namespace foothold::aclnn {

aclnnStatus PhaseOne(const Function& function, const Argument* arguments, std::uint64_t* workspace_size,
                     aclOpExecutor** executor) {
  last_call = {&function, {arguments, arguments + function.count}, workspace_size, executor};
  return 161002;
}

aclnnStatus NoKernel(const Function& function) {
  last_call = {&function, {}, nullptr, nullptr};
  return 561003;
}

aclnnStatus PhaseTwo(const Function& function, void* workspace, std::uint64_t workspace_size,
                     aclOpExecutor* executor, aclrtStream stream) {
  last_run = {&function, workspace, workspace_size, executor, stream};
  return 561103;
}

}  // namespace foothold::aclnn

TEST(AclnnFunctions, AreSortedAndKnowTheirPlace) {
  ASSERT_GT(FunctionCount(), 900u);
  std::string_view before;
  for (std::size_t i = 0; i < FunctionCount(); ++i) {
    const Function& function = AllFunctions()[i];
    EXPECT_EQ(function.id, i) << function.name;
    EXPECT_LT(before, function.name);
    before = function.name;
  }
}

TEST(AclnnFunctions, HaveAllParametersButTheLastTwo) {
  const Function* add = Find("aclnnAdd");
  ASSERT_NE(add, nullptr);
  ASSERT_EQ(add->count, 4);
  EXPECT_STREQ(add->parameters[2].name, "alpha");
  EXPECT_EQ(add->parameters[2].kind, Kind::kScalar);
  EXPECT_EQ(add->parameters[3].direction, Direction::kOut);
}

TEST(AclnnFunctions, SayWhatIsReadAndWritten) {
  EXPECT_EQ(Get("aclnnRelu", "out").direction, Direction::kOut);  // though it is declared const
  EXPECT_EQ(Get("aclnnInplaceAdd", "selfRef").direction, Direction::kRef);
  EXPECT_EQ(Get("aclnnBatchNorm", "runningMean").direction, Direction::kRef);
  EXPECT_EQ(Get("aclnnSoftmaxBackward", "output").direction, Direction::kIn);
  EXPECT_EQ(Get("aclnnSoftmaxCrossEntropyWithLogits", "labels").direction, Direction::kIn);
}

TEST(AclnnFunctions, SayWhatMayBeNull) {
  EXPECT_TRUE(Get("aclnnClamp", "clipValueMin").optional);
  EXPECT_TRUE(Get("aclnnConvolution", "bias").optional);
  EXPECT_TRUE(Get("aclnnLayerNorm", "meanOutOptional").optional);
  EXPECT_TRUE(Get("aclnnFusedInferAttentionScoreV2", "softmaxLse").optional);
  EXPECT_FALSE(Get("aclnnMaskedSelect", "mask").optional);
  EXPECT_FALSE(Get("aclnnAdd", "other").optional);
}

TEST(AclnnEntries, HandOnWhatTheyAreGiven) {
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnAddGetWorkspaceSize(Handle<aclTensor>(8), Handle<aclTensor>(16), Handle<aclScalar>(24),
                                     Handle<aclTensor>(32), &size, &executor),
            161002);
  EXPECT_EQ(last_call.function, Find("aclnnAdd"));
  EXPECT_EQ(last_call.arguments[2].pointer, Handle<void>(24));
  EXPECT_EQ(last_call.arguments[3].pointer, Handle<void>(32));
  EXPECT_EQ(last_call.workspace_size, &size);
  EXPECT_EQ(last_call.executor, &executor);
}

TEST(AclnnEntries, RunWhatTheyAreGiven) {
  EXPECT_EQ(aclnnAdd(Handle<void>(8), 64, Handle<aclOpExecutor>(16), Handle<void>(24)), 561103);
  EXPECT_EQ(last_run.function, Find("aclnnAdd"));
  EXPECT_EQ(last_run.workspace, Handle<void>(8));
  EXPECT_EQ(last_run.workspace_size, 64u);
  EXPECT_EQ(last_run.executor, Handle<aclOpExecutor>(16));
  EXPECT_EQ(last_run.stream, Handle<void>(24));
}

TEST(AclnnEntries, WidenNumbers) {
  aclnnGemmGetWorkspaceSize(nullptr, nullptr, nullptr, 0.5f, -2.0f, -1, 1, nullptr, int8_t{-3}, nullptr,
                            nullptr);
  EXPECT_EQ(last_call.arguments[3].real, 0.5);
  EXPECT_EQ(last_call.arguments[4].real, -2.0);
  EXPECT_EQ(last_call.arguments[5].integer, -1);
  EXPECT_EQ(last_call.arguments[8].integer, -3);
  aclnnInplaceUniformGetWorkspaceSize(nullptr, -1.5, 2.5, ~uint64_t{0}, 7, nullptr, nullptr);
  EXPECT_EQ(last_call.arguments[1].real, -1.5);
  EXPECT_EQ(last_call.arguments[3].integer, -1);  // all bits are kept
  aclnnAvgPool2dGetWorkspaceSize(nullptr, nullptr, nullptr, nullptr, true, false, 4, 1, nullptr, nullptr,
                                 nullptr);
  EXPECT_EQ(last_call.arguments[4].integer, 1);
  EXPECT_EQ(last_call.arguments[5].integer, 0);
  aclnnCastGetWorkspaceSize(nullptr, ACL_BF16, nullptr, nullptr, nullptr);
  EXPECT_EQ(last_call.arguments[1].integer, ACL_BF16);
}
