// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Children of a process that uses aclnn on several threads: nothing they need is held by a thread they do not
// have.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "conformance/in_fork.h"

namespace nn {
namespace {

constexpr int kNoExecutor = 561103;

// One sum of as many elements as wanted: another number of them is another form.
int Add(std::int64_t count, void* memory, aclrtStream stream) {
  float one = 1;
  aclTensor* tensor = aclCreateTensor(&count, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &count, 1, memory);
  aclScalar* alpha = aclCreateScalar(&one, ACL_FLOAT);
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  int code = aclnnAddGetWorkspaceSize(tensor, tensor, alpha, tensor, &workspace, &executor);
  if (code == 0) code = aclnnAdd(nullptr, 0, executor, stream);
  aclDestroyTensor(tensor);
  aclDestroyScalar(alpha);
  return code;
}

// What a child does. Answers where it stopped.
int UseInChild(const aclTensor* told, aclOpExecutor* executor) {
  alarm(60);
  if (aclrtSetDevice(0) != ACL_SUCCESS) return 1;
  void* memory = nullptr;
  float value = 3;
  if (aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return 2;
  if (aclrtMemcpy(memory, 4, &value, 4, ACL_MEMCPY_HOST_TO_DEVICE) != ACL_SUCCESS) return 3;
  if (Add(7, memory, nullptr) != 0 || Add(1000, memory, nullptr) != 0) return 4;
  if (aclrtSynchronizeStream(nullptr) != ACL_SUCCESS) return 5;
  if (aclrtMemcpy(&value, 4, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST) != ACL_SUCCESS || value != 12) return 6;
  if (aclnnAdd(nullptr, 0, executor, nullptr) != kNoExecutor) return 7;
  if (aclDestroyAclOpExecutor(executor) != 0 || aclDestroyTensor(told) != 0) return 8;
  return 0;
}

TEST(Fork, LeavesNoLockBehind) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  SKIP_WHERE_FORKS_KEEP_ALLOCATORS_LOCKED();
  InChild({}, [] {
    ASSERT_OK(aclInit(nullptr));
    ASSERT_OK(aclrtSetDevice(0));
    aclrtContext context = nullptr;
    ASSERT_OK(aclrtGetCurrentContext(&context));
    void* memory = nullptr;
    ASSERT_OK(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    std::atomic<bool> stop{false};
    const auto work = [&](std::int64_t step) {
      EXPECT_OK(aclrtSetCurrentContext(context));
      aclrtStream stream = nullptr;
      EXPECT_OK(aclrtCreateStream(&stream));
      for (std::int64_t i = 0; !stop; ++i) {
        EXPECT_OK(Add(i % 2 == 0 ? 7 : 1 + i * step % 1000, memory, stream));
        if (i % 64 != 0) continue;
        EXPECT_OK(aclrtSynchronizeStream(stream));
      }
      EXPECT_OK(aclrtDestroyStream(stream));
    };
    std::thread first(work, 1), second(work, 3);
    const std::int64_t count = 7;
    aclTensor* tensor = aclCreateTensor(&count, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &count, 1, memory);
    float one = 1;
    aclScalar* alpha = aclCreateScalar(&one, ACL_FLOAT);
    std::uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_OK(aclnnAddGetWorkspaceSize(tensor, tensor, alpha, tensor, &workspace, &executor));
    ASSERT_OK(aclSetAclOpExecutorRepeatable(executor));
    for (int i = 0; i < 40; ++i) {
      const pid_t child = fork();
      if (child == 0) _exit(UseInChild(tensor, executor));
      int status = 0;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "child " << i << ": " << status;
    }
    stop = true;
    first.join();
    second.join();
    EXPECT_OK(aclDestroyAclOpExecutor(executor));
    EXPECT_OK(aclDestroyTensor(tensor));
    EXPECT_OK(aclDestroyScalar(alpha));
    EXPECT_OK(aclrtResetDeviceForce(0));
    EXPECT_OK(aclFinalize());
  });
}

}  // namespace
}  // namespace nn
