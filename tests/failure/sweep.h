// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A sequence of calls that a program makes, to be run again and again while one allocation after the other,
// or one start of a thread after the other, fails. It goes on as long as calls answer success, then cleans
// up.
#pragma once

#include <acl/acl.h>

#include <atomic>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "failure/faults.h"

// One run of a sequence.
class Trial {
 public:
  // One call of the library, which may fail for want of something; true if it did not.
  template <typename Call>
  bool Try(const char* what, Call&& call) {
    return Judge(what, Exposed(call), false);
  }
  // One that ends something: where it fails for want of something, the second time it must not.
  template <typename Call>
  void End(const char* what, Call&& call) {
    if (!Judge(what, Exposed(call), false)) Judge(what, Number(call()), true);
  }
  // A call whose answer says nothing about success.
  template <typename Call>
  auto Do(Call&& call) {
    const faults::Exposed exposed;
    return call();
  }
  // Whether a call gave something.
  template <typename T>
  bool Got(const char* what, T* pointer) {
    if (pointer == nullptr) Refused(what);
    return pointer != nullptr;
  }
  // Whatever failed, this holds.
  void Expect(bool holds, const char* what);
  // A call was refused: what follows from it does not have to work.
  void Refused(const char* what);

  bool refused() const { return refused_; }
  bool broken() const { return broken_; }

 private:
  template <typename Call>
  static unsigned Exposed(Call& call) {
    const faults::Exposed exposed;
    return Number(call());
  }
  template <typename Code>
  static unsigned Number(Code code) {
    return static_cast<unsigned>(code);
  }
  bool Judge(const char* what, unsigned code, bool must);

  bool refused_ = false;
  bool broken_ = false;
};

// Counts the calls of a function of the program that were accepted and that came.
struct Calls {
  int accepted = 0;
  std::atomic<int> came{0};

  static void Come(void* calls) { ++static_cast<Calls*>(calls)->came; }
  bool Match() const { return came == accepted; }
};

struct Sequence {
  const char* name;
  void (*run)(Trial&);
};
// Makes it known; in the order of calls, one for each sequence.
bool Register(const char* name, void (*run)(Trial&));

// The runtime with device 0 from start to end.
class Program {
 public:
  explicit Program(Trial& trial);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool started() const { return chosen_; }
  aclrtContext context() const { return context_; }

 private:
  Trial& trial_;
  bool initialized_ = false, chosen_ = false;
  aclrtContext context_ = nullptr;
};

class OwnStream {
 public:
  explicit OwnStream(Trial& trial) : trial_(trial) {
    trial.Try("aclrtCreateStream", [&] { return aclrtCreateStream(&stream_); });
  }
  ~OwnStream() {
    if (stream_ != nullptr) trial_.End("aclrtDestroyStream", [&] { return aclrtDestroyStream(stream_); });
  }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  explicit operator bool() const { return stream_ != nullptr; }
  aclrtStream get() const { return stream_; }

 private:
  Trial& trial_;
  aclrtStream stream_ = nullptr;
};

class OwnMemory {
 public:
  OwnMemory(Trial& trial, size_t bytes) : trial_(trial), bytes_(bytes) {
    trial.Try("aclrtMalloc", [&] { return aclrtMalloc(&memory_, bytes, ACL_MEM_MALLOC_HUGE_FIRST); });
  }
  ~OwnMemory() {
    if (memory_ != nullptr) trial_.End("aclrtFree", [&] { return aclrtFree(memory_); });
  }
  OwnMemory(const OwnMemory&) = delete;
  OwnMemory& operator=(const OwnMemory&) = delete;

  explicit operator bool() const { return memory_ != nullptr; }
  void* get() const { return memory_; }
  size_t bytes() const { return bytes_; }

 private:
  Trial& trial_;
  void* memory_ = nullptr;
  size_t bytes_;
};
