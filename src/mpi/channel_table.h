// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The channels of a module by the numbers programs give them; a forked child has none. Any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "base/per_process.h"
#include "mpi/mpi_error.h"

namespace foothold::mpi {

template <typename Channel, Module kModule, int kMost>
class ChannelTable {
 public:
  static ChannelTable& Get() { return PerProcess<ChannelTable>::Get(); }

  template <typename... Args>
  void Create(int number, Args&&... args) {
    CheckNumber(number);
    CheckFree(number);
    auto channel = std::make_shared<Channel>(std::forward<Args>(args)...);
    std::lock_guard<std::mutex> lock(mutex_);
    if (!channels_.emplace(number, std::move(channel)).second) FailExists(number);
  }

  // The lowest number that is free.
  template <typename... Args>
  int CreateAnywhere(Args&&... args) {
    auto channel = std::make_shared<Channel>(std::forward<Args>(args)...);
    std::lock_guard<std::mutex> lock(mutex_);
    int number = 0;
    while (channels_.count(number) != 0)
      ++number;
    if (number >= kMost) Fail(kModule, Reason::kNoBuffer, "all {} channels are in use", kMost);
    channels_.emplace(number, std::move(channel));
    return number;
  }

  std::shared_ptr<Channel> Find(int number) {
    CheckNumber(number);
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = channels_.find(number);
    if (found == channels_.end()) FailMissing(number);
    return found->second;
  }

  void Destroy(int number) {
    CheckNumber(number);
    std::shared_ptr<Channel> channel;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      const auto found = channels_.find(number);
      if (found == channels_.end()) FailMissing(number);
      channel = std::move(found->second);
      channels_.erase(found);
    }
    channel->Close();
  }

 private:
  static void CheckNumber(int number) {
    if (number < 0 || number >= kMost)
      Fail(kModule, Reason::kChannel, "channel {} does not exist: there are channels 0 to {}", number,
           kMost - 1);
  }
  void CheckFree(int number) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (channels_.count(number) != 0) FailExists(number);
  }
  [[noreturn]] static void FailExists(int number) {
    Fail(kModule, Reason::kExists, "channel {} exists already", number);
  }
  [[noreturn]] static void FailMissing(int number) {
    Fail(kModule, Reason::kMissing, "channel {} was not created, or is destroyed", number);
  }

  std::mutex mutex_;  // guards channels_
  std::map<int, std::shared_ptr<Channel>> channels_;
};

}  // namespace foothold::mpi
