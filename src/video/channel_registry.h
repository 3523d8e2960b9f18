// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The channels there are, by numbers that are used once. Calls that reach a report thread late name their
// channel by number, so that they find nothing where it is gone; a forked child finds none. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "base/per_process.h"

namespace foothold::video {

template <typename Channel>
class ChannelRegistry {
 public:
  static ChannelRegistry& Get() { return PerProcess<ChannelRegistry>::Get(); }

  // The number a channel is going to have.
  std::uint64_t Reserve() {
    std::lock_guard<std::mutex> lock(mutex_);
    return ++last_;
  }
  void Add(std::uint64_t number, std::shared_ptr<Channel> channel) {
    std::lock_guard<std::mutex> lock(mutex_);
    channels_.emplace(number, std::move(channel));
  }
  std::shared_ptr<Channel> Find(std::uint64_t number) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = channels_.find(number);
    return found == channels_.end() ? nullptr : found->second;
  }
  // Null for all callers but one.
  std::shared_ptr<Channel> Remove(std::uint64_t number) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = channels_.find(number);
    if (found == channels_.end()) return nullptr;
    std::shared_ptr<Channel> channel = std::move(found->second);
    channels_.erase(found);
    return channel;
  }

 private:
  std::mutex mutex_;  // guards both
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, std::shared_ptr<Channel>> channels_;
};

}  // namespace foothold::video
