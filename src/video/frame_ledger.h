// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Frames between the packet that brought them and the picture that comes of it, which may be later and in
// another order, or never. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace foothold::video {

template <typename Frame>
class FrameLedger {
 public:
  // The number of the packet.
  std::uint64_t Add(std::unique_ptr<Frame> frame) {
    frames_.emplace(++last_, std::move(frame));
    return last_;
  }
  // Null if it was taken before.
  std::unique_ptr<Frame> Take(std::uint64_t number) {
    const auto found = frames_.find(number);
    if (found == frames_.end()) return nullptr;
    std::unique_ptr<Frame> frame = std::move(found->second);
    frames_.erase(found);
    return frame;
  }
  // The oldest one, if at least `delay` packets came after it.
  std::unique_ptr<Frame> TakeOverdue(std::uint64_t delay) {
    if (frames_.empty() || frames_.begin()->first + delay > last_) return nullptr;
    return Take(frames_.begin()->first);
  }

 private:
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, std::unique_ptr<Frame>> frames_;
};

}  // namespace foothold::video
