// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "python/frame_calls.h"

#include <map>
#include <memory>

#include "python/results.h"

namespace foothold {
namespace {

struct Frame {
  const void* channel;
  Object function, user_data;
};

// Both live as long as the process: channels may outlive what runs at its end.
std::map<const void*, Object>& Functions() {
  static auto& functions = *new std::map<const void*, Object>();
  return functions;
}
std::map<void*, std::unique_ptr<Frame>>& Frames() {
  static auto& frames = *new std::map<void*, std::unique_ptr<Frame>>();
  return frames;
}

std::unique_ptr<Frame> Take(void* frame) {
  const auto found = Frames().find(frame);
  if (found == Frames().end()) return nullptr;
  std::unique_ptr<Frame> taken = std::move(found->second);
  Frames().erase(found);
  return taken;
}

}  // namespace

void SetFrameFunction(const void* channel, Object function) {
  Functions()[channel] = CheckCallable(std::move(function));
}

void* SendsFrame(const void* channel, Object user_data) {
  const auto function = Functions().find(channel);
  auto frame = std::make_unique<Frame>(
      Frame{channel, function == Functions().end() ? Object() : function->second, std::move(user_data)});
  void* const address = frame.get();
  Frames().emplace(address, std::move(frame));
  return address;
}

void TakeBackFrame(void* frame) {
  Take(frame);
}

void TakeBackFrames(const void* channel) {
  std::erase_if(Frames(), [&](const auto& entry) { return entry.second->channel == channel; });
}

void ForgetChannel(const void* channel) {
  TakeBackFrames(channel);
  Functions().erase(channel);
}

void CallFrameFunction(void* frame, const void* input, const void* output) {
  InPython([&] {
    const std::unique_ptr<Frame> taken = Take(frame);
    if (!taken || !taken->function) return;
    const Object in = ToPython(input), out = ToPython(output);
    PyObject* const result = PyObject_CallFunctionObjArgs(taken->function.get(), in.get(), out.get(),
                                                          taken->user_data.get(), nullptr);
    if (result == nullptr) PrintException(taken->function.get());
    Py_XDECREF(result);
  });
}

}  // namespace foothold
