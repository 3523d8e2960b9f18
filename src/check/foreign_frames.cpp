// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/foreign_frames.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "base/per_process.h"
#include "check/thread_state.h"

namespace foothold::check {
namespace {

// Frames are known by their addresses here, which no code has; they stay for ever.
struct ForeignFrames {
  static ForeignFrames& Get() {
    static ForeignFrames* const frames = new ForeignFrames;
    return *frames;
  }
  static std::mutex& Mutex() { return Get().mutex; }

  std::mutex mutex;  // guards all below
  std::set<ForeignFrame> all;
  std::set<const void*> addresses;
  std::map<std::pair<StackId, std::vector<const void*>>, StackId> stacks;
};
[[maybe_unused]] const HeldDuringFork<&ForeignFrames::Mutex> whole_in_children;

}  // namespace

void SetForeignFrames(std::span<const ForeignFrame> frames) noexcept try {
  delete std::exchange(thread_state.foreign, nullptr);
  if (frames.empty()) return;
  auto addresses = std::make_unique<std::vector<const void*>>();
  ForeignFrames& known = ForeignFrames::Get();
  const std::lock_guard<std::mutex> lock(known.mutex);
  for (const ForeignFrame& frame : frames) {
    const void* const address = &*known.all.insert(frame).first;
    known.addresses.insert(address);
    addresses->push_back(address);
  }
  thread_state.foreign = addresses.release();
} catch (...) {  // without them
}

StackId WithForeignFrames(StackId stack) noexcept try {
  const std::vector<const void*>* const of_thread = thread_state.foreign;
  if (of_thread == nullptr) return stack;
  ForeignFrames& known = ForeignFrames::Get();
  const std::lock_guard<std::mutex> lock(known.mutex);
  StackId& made = known.stacks[{stack, *of_thread}];
  if (made != 0) return made;
  std::vector<const void*> frames = *of_thread;
  for (const void* const address : FramesOf(stack))
    frames.push_back(address);
  made = KeepStack(frames);
  return made;
} catch (...) {
  return stack;
}

const ForeignFrame* FindForeignFrame(const void* address) noexcept {
  ForeignFrames& known = ForeignFrames::Get();
  const std::lock_guard<std::mutex> lock(known.mutex);
  return known.addresses.contains(address) ? static_cast<const ForeignFrame*>(address) : nullptr;
}

}  // namespace foothold::check
