// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the program that the library calls in the middle of a run of aclnn, and that call aclnn
// themselves: no lock is held meanwhile.
#include <gtest/gtest.h>

#include <functional>
#include <mutex>
#include <utility>

#include "acl/acl_dump.h"
#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_nonzero.h"
#include "conformance/config_file.h"

namespace nn {
namespace {

// Called once, by whoever comes first.
class Inside {
 public:
  static void Set(std::function<void()> function) {
    std::lock_guard<std::mutex> lock(mutex_);
    function_ = std::move(function);
  }
  static void Call() {
    std::function<void()> function;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      function.swap(function_);
    }
    if (function) function();
  }
  static bool Happened() {
    std::lock_guard<std::mutex> lock(mutex_);
    return !function_;
  }

 private:
  static inline std::mutex mutex_;
  static inline std::function<void()> function_;
};

void Double(const Tensor& in, const Tensor& out, aclrtStream stream) {
  Objects objects;
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_OK(aclnnAddGetWorkspaceSize(objects.Of(in), objects.Of(in), objects.Of(Scalar(1.0f)),
                                     objects.Of(out), &workspace, &executor));
  EXPECT_OK(aclnnAdd(nullptr, workspace, executor, stream));
}

class Callback : public Nn {
 protected:
  void SetUp() override {
    Nn::SetUp();
    ASSERT_OK(aclrtCreateStream(&other_));
    ASSERT_OK(aclrtGetCurrentContext(&context_));
  }
  void TearDown() override {
    EXPECT_TRUE(Inside::Happened());
    EXPECT_OK(aclrtDestroyStream(other_));
    Nn::TearDown();
  }
  // Inside the callback, which has a thread of the library.
  void DoubleThere(const Tensor& in, aclrtStream stream) const {
    EXPECT_OK(aclrtSetCurrentContext(context_));
    Double(in, more_, stream);
    if (stream != other_) return;  // its own goes on when it returns
    EXPECT_OK(aclrtSynchronizeStream(other_));
  }

  aclrtStream other_ = nullptr;
  aclrtContext context_ = nullptr;
  const Tensor in_ = In(ACL_FLOAT, {3}, {1, 2, 3}), out_ = Out(ACL_FLOAT, {3}), more_ = Out(ACL_FLOAT, {3});
  const Values doubled_ = {2, 4, 6};
};

class DumpCallback : public Callback {
 protected:
  void SetUp() override {
    Callback::SetUp();
    const auto inside = [](const acldumpChunk*, std::int32_t) -> std::int32_t { return Inside::Call(), 0; };
    ASSERT_OK(acldumpRegCallback(inside, 0));
    ASSERT_OK(aclmdlInitDump());
    ASSERT_OK(aclmdlSetDump(config_.path()));
  }
  void TearDown() override {
    EXPECT_OK(aclmdlFinalizeDump());
    acldumpUnregCallback();
    Callback::TearDown();
  }
  const TemporaryDirectory directory_;
  const ConfigFile config_{R"({"dump": {"dump_path": ")" + directory_.path() +
                           R"(", "dump_op_switch": "on"}})"};
};

TEST_F(DumpCallback, RunsTheSameOperatorOnAnotherStream) {
  Inside::Set([&] { DoubleThere(in_, other_); });
  Double(in_, out_, stream());
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(out_.Read(), doubled_);
  EXPECT_EQ(more_.Read(), doubled_);
}

TEST_F(DumpCallback, AddsToItsOwnStream) {
  Inside::Set([&] { DoubleThere(out_, stream()); });
  Double(in_, out_, stream());
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(more_.Read(), (Values{4, 8, 12}));
}

TEST_F(DumpCallback, ComesWithSizesThatTheRunTells) {
  Inside::Set([&] { DoubleThere(in_, other_); });
  const Tensor places = Out(ACL_INT64, {3, 1});
  Run(NN(Nonzero), in_, places);
  EXPECT_EQ(places.Read(), (Values{0, 1, 2}));
  EXPECT_EQ(more_.Read(), doubled_);
}

// Whoever runs the second one does not wait for the end of the first.
TEST_F(DumpCallback, ComesWithSizesThatARunOfTheSameOperatorOnAnotherStreamTells) {
  const Tensor places = Out(ACL_INT64, {3, 1}), same_places = Out(ACL_INT64, {3, 1});
  Inside::Set([&] {
    EXPECT_OK(aclrtSetCurrentContext(context_));
    Objects objects;
    std::uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_OK(aclnnNonzeroGetWorkspaceSize(objects.Of(in_), objects.Of(same_places), &workspace, &executor));
    EXPECT_OK(aclnnNonzero(nullptr, workspace, executor, other_));
    EXPECT_OK(aclrtSynchronizeStream(other_));
  });
  Run(NN(Nonzero), in_, places);
  EXPECT_EQ(places.Read(), (Values{0, 1, 2}));
  EXPECT_EQ(same_places.Read(), (Values{0, 1, 2}));
}

TEST_F(Callback, ForFailuresRunsOperators) {
  Inside::Set([&] { DoubleThere(in_, other_); });
  ASSERT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) { Inside::Call(); }));
  const Tensor too_small = Out(ACL_INT64, {1, 1});
  Objects objects;
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_OK(aclnnNonzeroGetWorkspaceSize(objects.Of(in_), objects.Of(too_small), &workspace, &executor));
  ASSERT_OK(aclnnNonzero(nullptr, workspace, executor, stream()));
  EXPECT_NE(aclrtSynchronizeStream(stream()), ACL_SUCCESS);
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
  EXPECT_EQ(more_.Read(), doubled_);
}

}  // namespace
}  // namespace nn
