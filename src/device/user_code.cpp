// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/user_code.h"

#include <cxxabi.h>

#include "device/stream.h"

namespace foothold {
namespace {

thread_local const InsideUserCode* innermost = nullptr;

}  // namespace

InsideUserCode::InsideUserCode(Stream& stream, Holds holds) noexcept
    : stream_(stream), holds_(holds), outer_(innermost) {
  innermost = this;
  if (holds_ == Holds::kStream) stream_.EnterUserTask();
}

InsideUserCode::~InsideUserCode() {
  if (holds_ == Holds::kStream) stream_.LeaveUserTask();
  innermost = outer_;
}

void CallUserFunction(UserFunction function, void* argument, Stream& stream, Holds holds) {
  InsideUserCode inside(stream, holds);
  const trace::Scope traced(trace::Kind::kCallback, "function of the program");
  try {
    function(argument);
  } catch (const std::exception& error) {
    Fail(kRtAicpuException,
         "the function {} threw an exception ({}); callbacks and host functions must not let exceptions out",
         reinterpret_cast<void*>(function), error.what());
  } catch (const abi::__forced_unwind&) {  // the thread ends: whoever called is told by unwinding
    throw;
  } catch (...) {
    Fail(kRtAicpuException,
         "the function {} threw an exception; callbacks and host functions must not let exceptions out",
         reinterpret_cast<void*>(function));
  }
}

bool InsideUserFunctionOf(const Stream& stream) noexcept {
  for (const InsideUserCode* frame = innermost; frame != nullptr; frame = frame->outer_) {
    if (&frame->stream_ == &stream) return true;
  }
  return false;
}

bool HoldsUp(const Stream& stream) noexcept {
  for (const InsideUserCode* frame = innermost; frame != nullptr; frame = frame->outer_) {
    if (&frame->stream_ == &stream && frame->holds_ == Holds::kStream) return true;
  }
  return false;
}

bool InsideUserFunction() noexcept {
  return innermost != nullptr;
}

}  // namespace foothold
