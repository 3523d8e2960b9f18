// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Options for compiling single operators (aclSetCompileopt). They are about kernels of the hardware and
// change nothing here; programs read them back. One set for the process; any thread.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <string>

namespace foothold {

class CompileOptions {
 public:
  static CompileOptions& Get();

  // Throw kInvalidParam for a number that is no option.
  void Set(int option, std::string value);
  // What was set, else the default.
  std::string Value(int option);

 private:
  static constexpr std::size_t kOptions = 17;  // as many as aclCompileOpt has

  CompileOptions();
  static std::size_t Index(int option);
  static void LockForFork() { Get().mutex_.lock(); }
  static void UnlockAfterFork() { Get().mutex_.unlock(); }

  std::mutex mutex_;  // guards the values
  std::array<std::optional<std::string>, kOptions> values_;
};

}  // namespace foothold
