// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Code of the program that runs as a kernel may crash. Whoever runs such code notes what it is; if a signal
// ends the process meanwhile, a message on standard error names it, and the signal goes on to the handler
// that was there before, or does what it does without one. The handler is set with the first code that is
// loaded. Any thread.
#pragma once

#include <cstdint>

namespace foothold {

// Plain values, so that a signal handler may read them; texts live as long as the note. What is null or 0 is
// not mentioned.
struct CrashNote {
  const char* what = nullptr;  // "kernel"
  const char* name = nullptr;
  const char* file = nullptr;
  const char* api = nullptr;  // the call that launched it
  std::uint32_t task = 0;
  std::int32_t stream = 0, device = 0;  // with a task
  std::uint32_t blocks = 0;
  volatile std::uint32_t block = 0;
};

// Sets the handler, once in the life of a process. No failure: without a handler, nothing is said.
void WatchForCrashes() noexcept;

// While it lives, this thread runs what the note says.
class CrashScope {
 public:
  explicit CrashScope(const CrashNote& note) noexcept;
  ~CrashScope();
  CrashScope(const CrashScope&) = delete;
  CrashScope& operator=(const CrashScope&) = delete;

 private:
  const int slot_;  // -1 if all are taken
};

}  // namespace foothold
