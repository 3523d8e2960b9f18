// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The pieces of large collectives, put together for all ranks: everybody sends what somebody awaits, and
// every byte arrives once where it belongs.
#include "collectives/hosts/schedule.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <vector>

namespace foothold::collectives {
namespace {

constexpr std::uint64_t kPiece = 4096;

Request RequestOf(Collective collective, std::uint64_t count, std::uint32_t root = 0) {
  Request request;
  request.collective = collective;
  request.element = Element::kFloat32;
  request.received = Element::kFloat32;
  request.count = count;
  request.root = root;
  return request;
}

// Who sends which piece to whom, as that rank sees it and as the others do.
using Message = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>;

void AddMessages(const Move& move, std::uint32_t rank, std::uint32_t ranks, std::map<Message, int>& sent,
                 std::map<Message, int>& awaited) {
  const auto message = [&](std::uint32_t from, std::uint32_t to) {
    return Message{move.number, from, to, move.piece.bytes};
  };
  if (move.is_from(rank) && move.owner != rank) ++sent[message(rank, move.owner)];
  for (std::uint32_t other = 0; other < ranks; ++other) {
    if (other == rank) continue;
    if (move.owner == rank && move.is_from(other)) ++awaited[message(other, rank)];
    if (move.owner == rank && move.is_to(other) && move.piece.from != other) ++sent[message(rank, other)];
  }
  if (move.owner != rank && move.is_to(rank) && move.piece.from != rank) ++awaited[message(move.owner, rank)];
}

// Every rank's requests; each byte a rank receives is written once.
void Check(const std::vector<Request>& requests, const std::vector<std::uint64_t>& received) {
  const auto ranks = static_cast<std::uint32_t>(requests.size());
  std::map<Message, int> sent, awaited;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    std::map<std::uint64_t, std::uint64_t> written;  // end by begin
    for (const Move& move : MovesOf(requests[rank], rank, ranks, kPiece)) {
      EXPECT_LE(move.piece.bytes, kPiece);
      EXPECT_GT(move.piece.bytes, 0u);
      AddMessages(move, rank, ranks, sent, awaited);
      if (move.is_to(rank)) {
        EXPECT_TRUE(written.emplace(move.piece.write, move.piece.write + move.piece.bytes).second);
      }
    }
    std::uint64_t bytes = 0, end = 0;
    for (const auto& [from, to] : written) {
      EXPECT_GE(from, end);
      bytes += to - from;
      end = to;
    }
    EXPECT_EQ(bytes, received[rank]) << "rank " << rank;
  }
  EXPECT_EQ(sent, awaited);
}

TEST(Schedule, SendsWhatIsAwaited) {
  for (const std::uint32_t ranks : {2u, 3u, 5u, 8u}) {
    for (const std::uint64_t count : {1u, 1023u, 1024u, 1025u, 50'001u}) {
      const std::uint64_t bytes = 4 * count;
      const std::vector<std::uint64_t> each(ranks, bytes), all(ranks, ranks * bytes);
      std::vector<std::uint64_t> root(ranks);
      root[ranks - 1] = bytes;
      const auto same = [&](Collective collective) {
        return std::vector<Request>(ranks, RequestOf(collective, count, ranks - 1));
      };
      Check(same(Collective::kAllReduce), each);
      Check(same(Collective::kReduce), root);
      Check(same(Collective::kBroadcast), each);
      Check(same(Collective::kReduceScatter), each);
      Check(same(Collective::kScatter), each);
      Check(same(Collective::kAllGather), all);
    }
  }
}

// Rank r sends r + t elements of a thousand to rank t.
TEST(Schedule, ExchangesUnequalParts) {
  constexpr std::uint32_t kRanks = 4;
  std::vector<Request> requests(kRanks, RequestOf(Collective::kAllToAll, 0));
  std::vector<std::uint64_t> received(kRanks);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    std::uint64_t sent = 0, taken = 0;
    for (std::uint32_t other = 0; other < kRanks; ++other) {
      const std::uint64_t count = (rank + other) * 1000;
      requests[rank].send_counts.push_back(count);
      requests[rank].send_places.push_back(sent);
      requests[rank].receive_counts.push_back(count);
      requests[rank].receive_places.push_back(taken);
      sent += count;
      taken += count;
    }
    received[rank] = 4 * taken;
  }
  Check(requests, received);
}

TEST(Schedule, SharesTheWorkOut) {
  constexpr std::uint32_t kRanks = 4;
  std::map<std::uint32_t, std::uint64_t> owned;
  for (const Move& move : MovesOf(RequestOf(Collective::kAllReduce, 64'000), 0, kRanks, kPiece))
    owned[move.owner] += move.piece.bytes;
  ASSERT_EQ(owned.size(), kRanks);
  for (const auto& [rank, bytes] : owned)
    EXPECT_NEAR(static_cast<double>(bytes), 64'000, kPiece);
}

}  // namespace
}  // namespace foothold::collectives
