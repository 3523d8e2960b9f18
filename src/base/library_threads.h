// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How many threads of the process are the library's own, of those that do only what the program has asked
// for: who knows that all others wait knows that nothing will ever happen. Any thread.
#pragma once

#include <atomic>

namespace foothold {

// One on the stack of each such thread.
class LibraryThread {
 public:
  LibraryThread() noexcept { count_.fetch_add(1); }
  ~LibraryThread() { count_.fetch_sub(1); }
  LibraryThread(const LibraryThread&) = delete;
  LibraryThread& operator=(const LibraryThread&) = delete;

  static int count() noexcept { return count_.load(); }
  // In a forked child, which has only the thread that forked.
  static void ForgetAll() noexcept { count_.store(0); }

 private:
  static std::atomic<int> count_;
};

// Threads of the process, as the system counts them; 0 if it does not tell.
int ThreadsOfProcess() noexcept;

}  // namespace foothold
