// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/bootstrap/received_bytes.h"

namespace foothold::collectives {
namespace {

constexpr std::size_t kMostKept = 2 * std::size_t{kMostMessage};

}  // namespace

bool ReceivedBytes::Add(std::span<const std::byte> bytes) {
  if (bytes_.size() + bytes.size() > kMostKept + kMostMessage) return false;
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return true;
}

std::optional<MessageHead> ReceivedBytes::Head() const {
  MessageHead head{};
  if (bytes_.size() < sizeof(head)) return std::nullopt;
  std::memcpy(&head, bytes_.data(), sizeof(head));
  return head;
}

bool ReceivedBytes::is_too_long() const {
  const auto head = Head();
  return head && head->bytes > kMostMessage;
}

std::optional<Message> ReceivedBytes::TakeMessage() {
  const auto head = Head();
  if (!head || is_too_long() || bytes_.size() - sizeof(*head) < head->bytes) return std::nullopt;
  const auto begin = bytes_.begin() + sizeof(*head);
  Message message{head->kind, {begin, begin + head->bytes}};
  Remove(sizeof(*head) + head->bytes);
  return message;
}

void ReceivedBytes::Remove(std::size_t bytes) {
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(bytes));
}

}  // namespace foothold::collectives
