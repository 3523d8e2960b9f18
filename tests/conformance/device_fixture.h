// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the tests of the runtime share: a session from aclInit to aclFinalize, threads that execute callbacks,
// gates that hold a stream, and tests that need a process of their own.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl.h"

inline std::string RecentError() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

#define EXPECT_OK(call) EXPECT_EQ(call, ACL_SUCCESS) << RecentError()
#define ASSERT_OK(call) ASSERT_EQ(call, ACL_SUCCESS) << RecentError()
// The call answers this code and leaves a text that explains it.
#define EXPECT_FAILS(code, call)           \
  do {                                     \
    RecentError();                         \
    EXPECT_EQ(call, code) << #call;        \
    EXPECT_NE(RecentError(), "") << #call; \
  } while (false)

// The runtime from start to end, with device 0 chosen in this thread.
class Session {
 public:
  Session() {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtGetCurrentContext(&context_));
  }
  ~Session() {
    EXPECT_OK(aclrtResetDeviceForce(0));
    EXPECT_OK(aclFinalize());
    RecentError();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  aclrtContext context() const { return context_; }

  aclrtStream Stream() const {
    aclrtStream stream = nullptr;
    EXPECT_OK(aclrtCreateStream(&stream));
    return stream;
  }
  aclrtEvent Event() const {
    aclrtEvent event = nullptr;
    EXPECT_OK(aclrtCreateEvent(&event));
    return event;
  }
  // Device memory with a number in it; freed with the device.
  std::uint64_t* Cell(std::uint64_t value) const {
    void* cell = nullptr;
    EXPECT_OK(aclrtMalloc(&cell, sizeof(value), ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMemcpy(cell, sizeof(value), &value, sizeof(value), ACL_MEMCPY_HOST_TO_DEVICE));
    return static_cast<std::uint64_t*>(cell);
  }
  std::uint64_t Read(const std::uint64_t* cell) const {
    std::uint64_t value = 0;
    EXPECT_OK(aclrtMemcpy(&value, sizeof(value), cell, sizeof(value), ACL_MEMCPY_DEVICE_TO_HOST));
    return value;
  }

 private:
  aclrtContext context_ = nullptr;
};

// A door between threads. Waiting gives up after a minute, so that a broken test fails instead of hanging.
class Gate {
 public:
  void Open() {
    std::lock_guard<std::mutex> lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  bool Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    return changed_.wait_for(lock, std::chrono::minutes(1), [this] { return open_; });
  }
  // Until somebody is inside Wait.
  bool Reached() {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(1), [this] { return waiting_ > 0; });
  }
  // A host function that holds its stream until Open.
  void Hold(aclrtStream stream) {
    EXPECT_OK(aclrtLaunchHostFunc(
        stream, [](void* gate) { EXPECT_TRUE(static_cast<Gate*>(gate)->Wait()); }, this));
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int waiting_ = 0;
};

// A thread that executes callbacks (or host functions) until it is stopped.
class ReportThread {
 public:
  using Process = aclError (*)(int32_t);

  explicit ReportThread(aclrtContext context, Process process = aclrtProcessReport, int32_t timeout = 100)
      : thread_([this, context, process, timeout] {
          EXPECT_OK(aclrtSetCurrentContext(context));
          while (!stop_)
            process(timeout);
          RecentError();
        }) {}
  ~ReportThread() { Stop(); }
  void Stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  uint64_t id() { return static_cast<uint64_t>(thread_.native_handle()); }

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

// Runs `body` in a process of its own, started with these environment variables: the runtime reads them once.
inline void InChild(const std::vector<std::pair<std::string, std::string>>& environment,
                    const std::function<void()>& body) {
  constexpr const char* kMark = "CONFORMANCE_CHILD";
  if (std::getenv(kMark) != nullptr) return body();
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string filter = std::string("--gtest_filter=") + test->test_suite_name() + "." + test->name();
  std::vector<std::string> settings = {std::string(kMark) + "=1"};
  for (const auto& [name, value] : environment)
    settings.push_back(name + "=" + value);
  std::vector<char*> env;
  for (auto& setting : settings)
    env.push_back(setting.data());
  for (char** old = environ; *old != nullptr; ++old)
    env.push_back(*old);
  env.push_back(nullptr);
  char* args[] = {const_cast<char*>("conformance_tests"), const_cast<char*>(filter.c_str()),
                  const_cast<char*>("--gtest_brief=1"), nullptr};
  pid_t child = 0;
  ASSERT_EQ(posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, args, env.data()), 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the child failed, status " << status;
}
