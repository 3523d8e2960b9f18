// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/hosts/schedule.h"

#include <algorithm>

namespace foothold::collectives {
namespace {

constexpr std::uint64_t kLeastBytes = 4096;

// What goes the same way: its place at who has it and at who gets it, in bytes.
struct Way {
  std::uint32_t from;
  std::uint32_t to;
  std::uint64_t read;
  std::uint64_t write;
  std::uint64_t bytes;
};

class Builder {
 public:
  Builder(const Request& request, std::uint32_t rank, std::uint32_t ranks, std::uint64_t most)
      : request_(request), rank_(rank), ranks_(ranks), most_(most), size_(SizeOf(request.element)) {}

  std::vector<Move> Build() {
    const std::uint64_t bytes = request_.count * size_;
    constexpr std::uint32_t kAll = Piece::kEverybody;
    switch (request_.collective) {
      case Collective::kAllReduce:
        TakeTurns({kAll, kAll, 0, 0, bytes});
        break;
      case Collective::kReduce:
        TakeTurns({kAll, request_.root, 0, 0, bytes});
        break;
      case Collective::kBroadcast:
        TakeTurns({request_.root, kAll, 0, 0, bytes});
        break;
      case Collective::kAllToAll:
        Exchange();
        break;
      case Collective::kSend:
      case Collective::kReceive:
        Interleave({{0, 1, 0, 0, bytes}});
        break;
      case Collective::kBarrier:
        break;
      default:
        Interleave(Parts());
    }
    return std::move(moves_);
  }

 private:
  // A multiple of every element, and small enough that each rank owns some.
  std::uint64_t ShareOf(std::uint64_t bytes) const {
    return std::clamp<std::uint64_t>((bytes / ranks_ / 64 + 1) * 64, std::min(kLeastBytes, most_), most_);
  }
  std::uint32_t OwnerInTurn(const Way& way, std::uint64_t turn) const {
    if (way.from == Piece::kEverybody) return static_cast<std::uint32_t>(turn % ranks_);
    return (way.from + 1 + static_cast<std::uint32_t>(turn % (ranks_ - 1))) % ranks_;
  }
  void TakeTurns(const Way& way) {
    const std::uint64_t share = ShareOf(way.bytes);
    for (std::uint64_t at = 0, turn = 0; at < way.bytes; at += share, ++turn)
      Add(turn, OwnerInTurn(way, turn), way, at, share);
  }
  // The first pieces of all ways, then the second ones: all links are in use.
  void Interleave(const std::vector<Way>& ways) {
    std::uint64_t number = 0;
    std::uint64_t longest = 0;
    for (const Way& way : ways)
      longest = std::max(longest, way.bytes);
    for (std::uint64_t at = 0; at < longest; at += most_) {
      for (const Way& way : ways) {
        const std::uint32_t owner = way.from == Piece::kEverybody ? way.to : way.from;
        if (at < way.bytes) Add(number, owner, way, at, most_);
        ++number;
      }
    }
  }
  void Add(std::uint64_t number, std::uint32_t owner, const Way& way, std::uint64_t at, std::uint64_t most) {
    const Move move{
        number, owner, {way.from, way.to, way.read + at, way.write + at, std::min(most, way.bytes - at)}};
    if (owner == rank_ || move.is_from(rank_) || move.is_to(rank_)) moves_.push_back(move);
  }

  std::vector<Way> Parts() const {
    std::vector<Way> ways;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
      ways.push_back(PartOf(rank));
    return ways;
  }
  Way PartOf(std::uint32_t rank) const {
    const std::uint64_t bytes = request_.count * size_;
    switch (request_.collective) {
      case Collective::kScatter:
        return {request_.root, rank, rank * bytes, 0, bytes};
      case Collective::kAllGather:
        return {rank, Piece::kEverybody, 0, rank * bytes, bytes};
      case Collective::kAllGatherV:
        return {rank, Piece::kEverybody, 0, request_.receive_places[rank] * size_,
                request_.receive_counts[rank] * size_};
      case Collective::kReduceScatterV:
        return {Piece::kEverybody, rank, request_.send_places[rank] * size_, 0,
                request_.send_counts[rank] * size_};
      default:
        return {Piece::kEverybody, rank, rank * bytes, 0, bytes};
    }
  }

  // In round k every rank sends to the k-th after it. Nobody knows the counts of other pairs than its own.
  void Exchange() {
    const std::uint64_t received = SizeOf(request_.received);
    for (std::uint32_t round = 0; round < ranks_; ++round) {
      const std::uint32_t to = (rank_ + round) % ranks_;
      const std::uint32_t from = (rank_ + ranks_ - round) % ranks_;
      const std::uint64_t send = request_.send_counts[to] * size_;
      const std::uint64_t receive = request_.receive_counts[from] * received;
      for (std::uint64_t at = 0; at < std::max(send, receive); at += most_) {
        const std::uint64_t number = (std::uint64_t{round} << 40) + at / most_;
        if (at < send) {
          const std::uint64_t own = round == 0 ? request_.receive_places[to] * received : 0;
          Add(number, rank_, {rank_, to, request_.send_places[to] * size_, own, send}, at, most_);
        }
        if (round > 0 && at < receive)
          Add(number, from, {from, rank_, 0, request_.receive_places[from] * received, receive}, at, most_);
      }
    }
  }

  const Request& request_;
  const std::uint32_t rank_;
  const std::uint32_t ranks_;
  const std::uint64_t most_;
  const std::uint64_t size_;
  std::vector<Move> moves_;
};

}  // namespace

std::vector<Move> MovesOf(const Request& request, std::uint32_t rank, std::uint32_t ranks,
                          std::uint64_t most_bytes) {
  return Builder(request, rank, ranks, most_bytes).Build();
}

}  // namespace foothold::collectives
