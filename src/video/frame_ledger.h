// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Frames between the packet that brought them and the picture that comes of it, which may be later and in
// another order, or never. Nothing here fails. One thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace foothold::video {

template <typename Frame>
class FrameLedger {
 public:
  // For at most so many at a time.
  explicit FrameLedger(std::size_t most) { frames_.reserve(most); }

  // The number of the packet.
  std::uint64_t Add(std::unique_ptr<Frame> frame) noexcept {
    frames_.emplace_back(++last_, std::move(frame));
    return last_;
  }
  // Null if it was taken before.
  std::unique_ptr<Frame> Take(std::uint64_t number) noexcept {
    const auto found = std::find_if(frames_.begin(), frames_.end(),
                                    [number](const auto& entry) { return entry.first == number; });
    if (found == frames_.end()) return nullptr;
    std::unique_ptr<Frame> frame = std::move(found->second);
    frames_.erase(found);
    return frame;
  }
  // The oldest one, if at least `delay` packets came after it.
  std::unique_ptr<Frame> TakeOverdue(std::uint64_t delay) noexcept {
    if (frames_.empty() || frames_.front().first + delay > last_) return nullptr;
    return Take(frames_.front().first);
  }

 private:
  std::uint64_t last_ = 0;
  std::vector<std::pair<std::uint64_t, std::unique_ptr<Frame>>> frames_;  // by number
};

}  // namespace foothold::video
