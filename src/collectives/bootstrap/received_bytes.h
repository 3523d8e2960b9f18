// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Bytes that came over a connection, until they are whole messages. They may come from a stranger, in any
// pieces. One thread at a time.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "collectives/bootstrap/messages.h"

namespace foothold::collectives {

struct Message {
  MessageKind kind;
  std::vector<std::byte> content;
};

class ReceivedBytes {
 public:
  // False if there are more than any message has: there is nothing to wait for then.
  [[nodiscard]] bool Add(std::span<const std::byte> bytes);
  std::size_t size() const { return bytes_.size(); }

  // The next one, of a fixed size; nothing if it is not all there.
  template <typename T>
  std::optional<T> TakePlain() {
    if (bytes_.size() < sizeof(T)) return std::nullopt;
    T plain;
    std::memcpy(static_cast<void*>(&plain), bytes_.data(), sizeof(T));
    Remove(sizeof(T));
    return plain;
  }
  // The next one with a head. One that is too long never comes.
  std::optional<Message> TakeMessage();
  bool is_too_long() const;

 private:
  std::optional<MessageHead> Head() const;
  void Remove(std::size_t bytes);

  std::vector<std::byte> bytes_;
};

}  // namespace foothold::collectives
