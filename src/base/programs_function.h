// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// That this thread is inside a function of the program from which not everything may be called. Nested ones
// hide those around them. Each thread for itself.
#pragma once

#include <cstdint>
#include <utility>

namespace foothold {

class ProgramsFunction {
 public:
  enum class Kind : std::uint8_t { kNone, kDumpCallback, kAllocator };

  explicit ProgramsFunction(Kind kind) noexcept : before_(std::exchange(current_, kind)) {}
  ~ProgramsFunction() { current_ = before_; }
  ProgramsFunction(const ProgramsFunction&) = delete;
  ProgramsFunction& operator=(const ProgramsFunction&) = delete;

  static Kind Current() noexcept { return current_; }

 private:
  static inline constinit thread_local Kind current_ = Kind::kNone;
  const Kind before_;
};

}  // namespace foothold
