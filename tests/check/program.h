// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Small programs that break one rule, and the same programs without the mistake. Each is registered with what
// `foothold check` must report, once each, when it is broken; mended it must report nothing.
#pragma once

#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace checked {

struct Program {
  const char* name;
  const char* rules;  // "ACL-MEM-011", several with a space between them
  void (*run)(bool broken);
  const char* variables;  // that it needs: "FOOTHOLD_CHECK_HANG=1"
};

inline std::vector<Program>& Programs() {
  static std::vector<Program> programs;
  return programs;
}

struct Registered {
  Registered(const char* name, const char* rules, void (*run)(bool), const char* variables = "") {
    Programs().push_back({name, rules, run, variables});
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

}  // namespace checked

#define MUST(call) ::checked::Must(call, #call)
// PROGRAM(name, rules[, variables]) { ... }
#define PROGRAM(name, rules, ...)                                                                       \
  static void name(bool broken);                                                                        \
  static const ::checked::Registered name##_registered(#name, rules, &name __VA_OPT__(, ) __VA_ARGS__); \
  static void name([[maybe_unused]] bool broken)
