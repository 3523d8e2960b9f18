// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Channels: queues of sets of items, found by device and name. Handles of one name lead to one channel, so
// two parts of a program that know only the name can talk. A channel ends with its last handle. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/handled_state.h"
#include "transfer/bounded_queue.h"
#include "transfer/item.h"

namespace foothold {

class Channel {
 public:
  Channel(std::string name, std::size_t capacity) : name_(std::move(name)), messages_(capacity) {}

  const std::string& name() const { return name_; }
  std::size_t capacity() const { return messages_.capacity(); }
  bool stopped() const { return messages_.closed(); }

  // Copies the items. Both answer success, or 207014 (full) and 207013 (empty) at the deadline; they throw
  // 500001 for a channel that is stopped.
  Code Send(const TransferSet& set, Nanoseconds deadline);
  // The set holds what came, and nothing of what it held before.
  Code Receive(TransferSet& set, Nanoseconds deadline);
  // Nothing can be sent any more; what was sent can be received. Who waits returns.
  void Stop() { messages_.Close(); }
  std::size_t size() const { return messages_.size(); }
  void Clean() { messages_.TakeAll(); }

 private:
  friend class Channels;
  using Message = std::unique_ptr<std::vector<TransferItem>>;

  const std::string name_;
  BoundedQueue<Message> messages_;
  int handles_ = 0;  // guarded by the lock of Channels
};

// All of the process; a forked child begins with none.
class Channels {
 public:
  static Channels& Get();

  void* Open(int device, const char* name, std::size_t capacity);
  std::shared_ptr<Channel> Find(const void* handle);  // throws 100000
  // Stops the channel if this is its last handle.
  void Close(const void* handle);

 private:
  using Key = std::pair<int, std::string>;

  std::shared_ptr<Channel> Join(const Key& key, std::size_t capacity);
  void Leave(Channel& channel);

  HandlePool<HandledState<Channel>> handles_{HandleKind::kTransferChannel};
  std::mutex mutex_;  // guards the names
  std::map<Key, std::shared_ptr<Channel>> by_name_;
};

}  // namespace foothold
