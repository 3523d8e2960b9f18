// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Small programs that break one rule, and the same programs without the mistake. Each is registered with what
// `foothold check` must report, once each, when it is broken; mended it must report nothing.
#pragma once

#include <acl/acl.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

namespace checked {

struct Program {
  const char* name;
  const char* rules;  // "ACL-MEM-011", several with a space between them
  void (*run)(bool broken);
};

inline std::vector<Program>& Programs() {
  static std::vector<Program> programs;
  return programs;
}

struct Registered {
  Registered(const char* name, const char* rules, void (*run)(bool)) {
    Programs().push_back({name, rules, run});
  }
};

// What must work in both forms.
inline void Must(int code, const char* what) {
  if (code == 0) return;
  std::fprintf(stderr, "%s answered %d\n%s\n", what, code, aclGetRecentErrMsg());
  std::exit(2);
}

// The library with device 0, for as long as it lives.
class Session {
 public:
  Session() {
    Must(aclInit(std::getenv("CHECKED_CONFIG")), "aclInit");
    Must(aclrtSetDevice(0), "aclrtSetDevice");
  }
  ~Session() {
    aclrtResetDevice(0);
    aclFinalize();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

inline void* DeviceMemory(std::size_t bytes) {
  void* memory = nullptr;
  Must(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  return memory;
}

inline void* PinnedMemory(std::size_t bytes) {
  void* memory = nullptr;
  Must(aclrtMallocHost(&memory, bytes), "aclrtMallocHost");
  return memory;
}

inline aclrtStream NewStream() {
  aclrtStream stream = nullptr;
  Must(aclrtCreateStream(&stream), "aclrtCreateStream");
  return stream;
}

// A stream that is held up until Release.
class HeldUp {
 public:
  explicit HeldUp(aclrtStream stream) {
    Must(aclrtLaunchHostFunc(
             stream,
             [](void* self) {
               auto& held = *static_cast<HeldUp*>(self);
               std::unique_lock<std::mutex> lock(held.mutex_);
               held.changed_.wait(lock, [&] { return held.released_; });
             },
             this),
         "aclrtLaunchHostFunc");
  }
  void Release() {
    const std::lock_guard<std::mutex> lock(mutex_);
    released_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool released_ = false;
};

}  // namespace checked

#define MUST(call) ::checked::Must(call, #call)
#define PROGRAM(name, rules)                                                 \
  static void name(bool broken);                                             \
  static const ::checked::Registered name##_registered(#name, rules, &name); \
  static void name([[maybe_unused]] bool broken)
