// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// For which device this thread runs a program, so that ranks of one process are told apart. Any thread.
#pragma once

namespace foothold {

class RunDevice {
 public:
  explicit RunDevice(int device) noexcept : before_(current_) { current_ = device; }
  ~RunDevice() { current_ = before_; }
  RunDevice(const RunDevice&) = delete;
  RunDevice& operator=(const RunDevice&) = delete;

  // -1 outside of runs.
  static int Current() noexcept { return current_; }

 private:
  static inline constinit thread_local int current_ = -1;
  const int before_;
};

}  // namespace foothold
