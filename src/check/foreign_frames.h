// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Frames of a language that runs inside of the program, such as Python: whoever calls the library from there
// says before each call which of its own functions that is in, and stacks have them in front of those of C.
// Each thread for itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "check/stacks.h"

namespace foothold::check {

struct ForeignFrame {
  std::string function, file;
  int line = 0;

  auto operator<=>(const ForeignFrame&) const = default;
};

// For the calls this thread makes from now on, innermost first; empty: none.
void SetForeignFrames(std::span<const ForeignFrame> frames) noexcept;
// The stack with those frames in front. Never fails: without memory it is the stack alone.
StackId WithForeignFrames(StackId stack) noexcept;
// What stands at an address of such a stack; null: code.
const ForeignFrame* FindForeignFrame(const void* address) noexcept;

}  // namespace foothold::check
