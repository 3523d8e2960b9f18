// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Stacks of the program, kept once each and named by a number. Taking one again from the same place is cheap:
// the thread remembers where on its stack each return address stood and only looks whether they still stand
// there. Any thread; never fails: without memory a stack is 0, the empty one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace foothold::check {

struct ThreadState;

using StackId = std::uint32_t;

// Where the program called the library.
struct Site {
  const char* call = nullptr;  // a literal
  StackId stack = 0;
  std::uint32_t thread = 0;  // as the kernel numbers it

  explicit operator bool() const { return call != nullptr; }
};

inline constexpr std::size_t kMaxFrames = 24;

enum class StackMode { kAuto, kFull, kCaller, kNone };
void SetStackMode(StackMode mode) noexcept;

// The stack of whoever called the function that calls this: `inside` is an address in that function, where
// its callee returns to, `frame` the callee's frame address.
StackId TakeStack(const void* inside, const void* frame, ThreadState& thread) noexcept;

// The same for return addresses that somebody else has found.
StackId KeepStack(std::span<const void* const> frames) noexcept;

// Return addresses, innermost first. Valid for ever.
std::span<const void* const> FramesOf(StackId stack) noexcept;

}  // namespace foothold::check
