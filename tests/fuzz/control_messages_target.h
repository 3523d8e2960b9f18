// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes that come over a control connection of collectives. Used by the fuzzer and by
// the replay of its corpus.
#pragma once

#include <span>
#include <string>

#include "collectives/bootstrap/received_bytes.h"
#include "fuzz/require.h"

namespace foothold {

// Each message is one that was packed the same way, or it is none.
inline void FuzzMessageContent(const collectives::Message& message, std::uint32_t ranks) {
  using namespace collectives;
  Require(message.content.size() <= kMostMessage);
  if (const auto reason = ReadReason(message.content))
    Require(PackReason(reason->code, reason->why) == message.content);
  if (const auto addresses = ReadAddresses(message.content, ranks)) {
    Require(addresses->size() == ranks);
    Require(PackAddresses(*addresses) == message.content);
  }
  if (const auto parting = ReadParting(message.content)) Require(message.content.size() == sizeof(*parting));
  if (const auto table = ReadTable(message.content, ranks)) {
    Require(table->members.size() == ranks);
    Require(PackTable(table->head, table->members).size() == message.content.size());
  }
}

// The first byte says how many ranks there are and in which pieces the others come. A stranger's greeting
// and proof, then messages.
inline void FuzzControlMessages(const std::string& bytes) {
  if (bytes.empty()) return;
  const auto ranks = static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[0]) % 4);
  const std::size_t piece = 1 + static_cast<unsigned char>(bytes[0]);
  std::span<const std::byte> rest = std::as_bytes(std::span(bytes)).subspan(1);
  collectives::ReceivedBytes received;
  bool greeted = false;
  bool joined = false;
  while (!rest.empty()) {
    const auto now = rest.first(std::min(piece, rest.size()));
    rest = rest.subspan(now.size());
    if (!received.Add(now)) return;
    if (!greeted) greeted = received.TakePlain<collectives::Greeting>().has_value();
    if (greeted && !joined) joined = received.TakePlain<collectives::Joining>().has_value();
    while (joined) {
      const auto message = received.TakeMessage();
      if (!message) break;
      FuzzMessageContent(*message, ranks);
    }
    if (joined && received.is_too_long()) return;
  }
}

}  // namespace foothold
