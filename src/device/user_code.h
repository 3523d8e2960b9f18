// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the program run by the runtime: which stream's function this thread is inside, so that calls
// which would wait for themselves are refused instead of hanging, and what happens when one throws.
#pragma once

#include <functional>

#include "device/mailbox.h"
#include "device/runner.h"
#include "device/task.h"

namespace foothold {

class Stream;

// Whether the stream goes on while the function runs.
enum class Holds { kStream, kNothing };

// While it lives, this thread is inside a function called on behalf of `stream`. The function may take long
// and may wait for other streams, so those this thread has promised to run go to the workers.
class InsideUserCode {
 public:
  InsideUserCode(Stream& stream, Holds holds) noexcept;
  ~InsideUserCode();
  InsideUserCode(const InsideUserCode&) = delete;
  InsideUserCode& operator=(const InsideUserCode&) = delete;

 private:
  friend bool InsideUserFunctionOf(const Stream& stream) noexcept;
  friend bool HoldsUp(const Stream& stream) noexcept;

  Stream& stream_;
  const Holds holds_;
  const InsideUserCode* const outer_;
  const Runner::Hidden runner_;
};

// Calls `function` on behalf of `stream`. An exception that leaves it becomes an Error: the boundary is C. A
// function that ends its thread unwinds through the caller.
void CallUserFunction(UserFunction function, void* argument, Stream& stream, Holds holds);

// Calls it on a thread of its own and waits for that to end: functions of the program in it may end their
// thread where this one cannot be ended. Without a thread to be had, on this one.
void CallOnThreadOfItsOwn(const std::function<void()>& function) noexcept;

// The same without waiting.
void CallBesides(std::function<void()> function) noexcept;

// True while this thread is inside a function called on behalf of `stream`.
bool InsideUserFunctionOf(const Stream& stream) noexcept;
// True if, beyond that, the stream cannot go on before that function returns.
bool HoldsUp(const Stream& stream) noexcept;
// True inside a function called on behalf of any stream.
bool InsideUserFunction() noexcept;

}  // namespace foothold
