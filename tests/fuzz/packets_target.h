// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes that come as a packet of a collective between hosts. Used by the fuzzer and by
// the replay of its corpus.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "collectives/hosts/packet.h"
#include "fuzz/require.h"

namespace foothold {

// A head, and what follows as a record and as a failure. The last byte says how many ranks there are.
inline void FuzzPackets(const std::string& bytes) {
  using namespace collectives;
  if (bytes.empty()) return;
  const std::span<const std::byte> all = std::as_bytes(std::span(bytes));
  const auto ranks = static_cast<std::uint32_t>(static_cast<unsigned char>(bytes.back()) % 5);
  const auto head = ReadHead(all.first(std::min(all.size(), sizeof(PacketHead))));
  if (!head) return;
  PacketHead again = *head;
  again.set_label(head->label());
  Require(again.label() == head->label());
  const auto rest = all.subspan(sizeof(PacketHead));
  if (const auto record = ReadRecord(rest, ranks)) {
    Require(record->request.root < ranks);
    Require(SizeOf(record->request.element) > 0);
    Require(record->bytes.size() <= rest.size());
    Require(PackRecord(*record).size() == rest.size());
  }
  Require(ReadFailure(rest)->what() != nullptr);
}

}  // namespace foothold
