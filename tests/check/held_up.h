// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include <condition_variable>
#include <mutex>

#include "check/program.h"

namespace checked {

inline aclrtEvent NewEvent() {
  aclrtEvent event = nullptr;
  Must(aclrtCreateEvent(&event), "aclrtCreateEvent");
  return event;
}

// A stream that is held up until Release.
class HeldUp {
 public:
  explicit HeldUp(aclrtStream stream) {
    const auto wait = [](void* self) {
      auto& held = *static_cast<HeldUp*>(self);
      std::unique_lock<std::mutex> lock(held.mutex_);
      held.changed_.wait(lock, [&] { return held.released_; });
    };
    Must(aclrtLaunchHostFunc(stream, wait, this), "aclrtLaunchHostFunc");
  }
  void Release() {
    const std::lock_guard<std::mutex> lock(mutex_);
    released_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool released_ = false;
};

}  // namespace checked
