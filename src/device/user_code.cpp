// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/user_code.h"

#include "device/stream.h"

namespace foothold {
namespace {

struct Frame {
  const Stream* stream;
  Frame* outer;
};
thread_local Frame* innermost = nullptr;

class Inside {
 public:
  explicit Inside(const Stream& stream) : frame_{&stream, innermost} { innermost = &frame_; }
  ~Inside() { innermost = frame_.outer; }

 private:
  Frame frame_;
};

}  // namespace

void CallUserFunction(UserFunction function, void* argument, Stream& stream) {
  Inside inside(stream);
  try {
    function(argument);
  } catch (const std::exception& error) {
    Fail(kRtAicpuException,
         "the function {} threw an exception ({}); callbacks and host functions must not let exceptions out",
         reinterpret_cast<void*>(function), error.what());
  } catch (...) {
    Fail(kRtAicpuException,
         "the function {} threw an exception; callbacks and host functions must not let exceptions out",
         reinterpret_cast<void*>(function));
  }
}

bool InsideUserFunctionOf(const Stream& stream) noexcept {
  for (const Frame* frame = innermost; frame != nullptr; frame = frame->outer) {
    if (frame->stream == &stream) return true;
  }
  return false;
}

bool InsideUserFunction() noexcept {
  return innermost != nullptr;
}

}  // namespace foothold
