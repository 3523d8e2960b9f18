// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What one rank asks for when it takes part in a collective: plain values, checked by themselves, and held
// against those of the other ranks when they meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectives/element.h"

namespace foothold::collectives {

enum class Collective : std::uint8_t {
  kAllReduce,
  kReduce,
  kReduceScatter,
  kReduceScatterV,
  kBroadcast,
  kScatter,
  kAllGather,
  kAllGatherV,
  kAllToAll,  // with counts and places for every rank, whichever call it was
  kBarrier,
  kSend,  // these two meet each other, and nobody else
  kReceive,
};

const char* NameOf(Collective collective) noexcept;

struct Request {
  Collective collective = Collective::kBarrier;
  Element element = Element::kInt8;
  Element received = Element::kInt8;  // of all-to-all, which may differ
  Reduction reduction = Reduction::kSum;
  std::uint32_t root = 0;
  std::uint64_t count = 0;  // elements, of one rank where each has its part
  // In elements, one number for each rank, where they are not all the same.
  std::vector<std::uint64_t> send_counts{};
  std::vector<std::uint64_t> send_places{};
  std::vector<std::uint64_t> receive_counts{};
  std::vector<std::uint64_t> receive_places{};

  bool reduces() const noexcept { return collective <= Collective::kReduceScatterV; }
  std::string Describe() const;
};

// Bytes of the buffers this rank of so many needs.
struct BufferBytes {
  std::uint64_t send = 0;
  std::uint64_t receive = 0;
};
// Nothing if there are more than an address can count.
std::optional<BufferBytes> BytesOf(const Request& request, std::uint32_t rank, std::uint32_t ranks);

// What `rank` asks otherwise than `other`, in words; nothing if the two fit.
std::optional<std::string> Difference(const Request& request, std::uint32_t rank, const Request& others,
                                      std::uint32_t other);

}  // namespace foothold::collectives
