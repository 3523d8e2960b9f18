// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/user_code.h"

#include <exception>
#include <thread>

#include "base/held_locks.h"
#include "base/thread_end.h"
#include "base/watch.h"
#include "device/observer.h"
#include "device/stream.h"
#include "trace/trace.h"

namespace foothold {
namespace {

thread_local const InsideUserCode* innermost = nullptr;

}  // namespace

InsideUserCode::InsideUserCode(Stream& stream, Holds holds) noexcept
    : stream_(stream), holds_(holds), outer_(innermost) {
  innermost = this;
  if (holds_ == Holds::kStream) stream_.callbacks().EnterTask();
}

InsideUserCode::~InsideUserCode() {
  if (holds_ == Holds::kStream) stream_.callbacks().LeaveTask();
  innermost = outer_;
}

namespace {

FOOTHOLD_HANDLES_END_OF_THREAD void Call(UserFunction function, void* argument) {
  EnterProgram("a callback or host function");
  try {
    function(argument);
  } catch (const std::exception& error) {
    Fail(kRtAicpuException,
         "the function {} threw an exception ({}); callbacks and host functions must not let exceptions out",
         reinterpret_cast<void*>(function), error.what());
  } catch (const EndOfThread&) {  // the thread ends: whoever called is told by unwinding
    throw;
  } catch (...) {
    Fail(kRtAicpuException,
         "the function {} threw an exception; callbacks and host functions must not let exceptions out",
         reinterpret_cast<void*>(function));
  }
}

[[gnu::noinline]] void CallWatched(UserFunction function, void* argument, const Stream& stream, Holds holds) {
  const trace::Scope traced(trace::Kind::kCallback, "function of the program");
  std::unique_ptr<DeviceObserver::Call> observed;
  if (auto* const observer = Observer())
    observed =
        observer->OnFunctionCalled(stream, holds == Holds::kStream, reinterpret_cast<const void*>(function));
  Call(function, argument);
}

}  // namespace

void CallUserFunction(UserFunction function, void* argument, Stream& stream, Holds holds) {
  InsideUserCode inside(stream, holds);
  watch::Watching() == 0 ? Call(function, argument) : CallWatched(function, argument, stream, holds);
}

void CallOnThreadOfItsOwn(const std::function<void()>& function) noexcept {
  std::thread thread;
  try {
    thread = std::thread(std::ref(function));
  } catch (const std::exception&) {
    return function();
  }
  thread.join();
}

void CallBesides(std::function<void()> function) noexcept {
  try {
    std::thread(function).detach();
  } catch (const std::exception&) {
    function();
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
