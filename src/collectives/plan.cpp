// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/plan.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/thread_pool.h"
#include "collectives/fold.h"
#include "kernels/copy.h"
#include "kernels/stream_copy.h"

namespace foothold::collectives {
namespace {

constexpr std::uint64_t kPieceBytes = std::uint64_t{256} << 10;  // a multiple of every element
constexpr std::uint64_t kOneCoreBytes = std::uint64_t{64} << 10;

void Move(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  if (to != from && bytes > 0) CopyBytes(to, from, bytes);
}

}  // namespace

Plan::Plan(std::span<const Request* const> requests, std::uint64_t piece_bytes)
    : requests_(requests),
      first_(*requests.front()),
      ranks_(static_cast<std::uint32_t>(requests.size())),
      piece_bytes_(piece_bytes == 0 ? kPieceBytes : std::min(piece_bytes, kPieceBytes)) {
  Fill();
}

void Plan::Fill() {
  const std::uint64_t bytes = first_.count * SizeOf(first_.element);
  const std::uint32_t all = ranks_ == 1 ? 0 : Piece::kEverybody;
  switch (first_.collective) {
    case Collective::kAllReduce:
      return Add(all, all, 0, 0, bytes);
    case Collective::kReduce:
      return Add(all, first_.root, 0, 0, bytes);
    case Collective::kBroadcast:
      return Add(first_.root, all, 0, 0, bytes);
    case Collective::kReduceScatter:
    case Collective::kReduceScatterV:
    case Collective::kScatter:
    case Collective::kAllGather:
      return AddParts();
    case Collective::kAllGatherV:
    case Collective::kAllToAll:
      return AddMessages();
    case Collective::kSend:
    case Collective::kReceive:
      return Add(0, 1, 0, 0, bytes);
    case Collective::kBarrier:
      return;
  }
}

// A part for each rank.
void Plan::AddParts() {
  const std::uint64_t size = SizeOf(first_.element);
  const std::uint64_t bytes = first_.count * size;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    if (first_.collective == Collective::kAllGather) {
      Add(rank, ranks_ == 1 ? 0 : Piece::kEverybody, 0, rank * bytes, bytes);
    } else if (first_.collective == Collective::kScatter) {
      Add(first_.root, rank, rank * bytes, 0, bytes);
    } else if (first_.collective == Collective::kReduceScatter) {
      Add(ranks_ == 1 ? 0 : Piece::kEverybody, rank, rank * bytes, 0, bytes);
    } else {  // from where each rank has that part
      Add(Piece::kEverybody, rank, 0, 0, first_.send_counts[rank] * size);
    }
  }
}

// From every rank to every rank, with places of their own.
void Plan::AddMessages() {
  for (std::uint32_t from = 0; from < ranks_; ++from) {
    for (std::uint32_t to = 0; to < ranks_; ++to) {
      const Request& sender = *requests_[from];
      const Request& receiver = *requests_[to];
      const bool gathers = first_.collective == Collective::kAllGatherV;
      const std::uint64_t size = SizeOf(gathers ? receiver.element : receiver.received);
      const std::uint64_t read = gathers ? 0 : sender.send_places[to] * SizeOf(sender.element);
      Add(from, to, read, receiver.receive_places[from] * size, receiver.receive_counts[from] * size);
    }
  }
}

void Plan::Add(std::uint32_t from, std::uint32_t to, std::uint64_t read, std::uint64_t write,
               std::uint64_t bytes) {
  bytes_ += bytes;
  for (std::uint64_t at = 0; at < bytes; at += piece_bytes_)
    pieces_.push_back({from, to, read + at, write + at, std::min(piece_bytes_, bytes - at)});
}

// Into the memory of `only`, or of all it belongs to.
void Plan::CarryPiece(const Piece& piece, const Attendance& all, std::uint32_t only) const {
  if (piece.from == Piece::kEverybody) return CarryFold(piece, all, only);
  const std::byte* const from = all.buffers[piece.from].send + piece.read;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    const bool belongs = piece.to == rank || piece.to == Piece::kEverybody;
    if (belongs && (only == rank || only == Piece::kEverybody))
      Move(all.buffers[rank].receive + piece.write, from, piece.bytes);
  }
}

void Plan::CarryFold(const Piece& piece, const Attendance& all, std::uint32_t only) const {
  constexpr std::size_t kFew = 64;
  std::array<const void*, kFew> few;
  std::array<void*, kFew> few_targets;
  std::vector<const void*> many(ranks_ > kFew ? ranks_ : 0);
  std::vector<void*> many_targets(ranks_ > kFew ? ranks_ : 0);
  const void** const sources = many.empty() ? few.data() : many.data();
  void** const targets = many_targets.empty() ? few_targets.data() : many_targets.data();
  std::size_t count = 0;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    std::uint64_t place = 0;
    if (first_.collective == Collective::kReduceScatterV)
      place = requests_[rank]->send_places[piece.to] * SizeOf(first_.element);
    sources[rank] = all.buffers[rank].send + place + piece.read;
    const bool belongs = piece.to == rank || piece.to == Piece::kEverybody;
    if (belongs && (only == rank || only == Piece::kEverybody))
      targets[count++] = all.buffers[rank].receive + piece.write;
  }
  if (count == 0) return;
  Fold(first_.element, first_.reduction, {sources, ranks_}, {targets, count}, piece.bytes,
       GoesPastCaches(bytes_));
}

// On as many cores as that is worth.
template <typename Body>
void Plan::ForEachPiece(Body&& body) const {
  const std::size_t grain = bytes_ <= kOneCoreBytes ? std::max<std::size_t>(pieces_.size(), 1) : 1;
  ParallelFor(pieces_.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece)
      body(piece);
  });
}

void Plan::CarryAll(const Attendance& all) const {
  ForEachPiece([&](std::size_t piece) { CarryPiece(pieces_[piece], all, Piece::kEverybody); });
}

void Plan::CarryTo(std::uint32_t rank, const Attendance& all, std::uint32_t shares) const {
  ForEachPiece([&](std::size_t piece) {
    if (shares == 1 || piece % shares == rank) CarryPiece(pieces_[piece], all, rank);
  });
}

void Plan::TakeShares(std::uint32_t rank, std::span<const std::byte* const> results,
                      std::byte* receive) const {
  ForEachPiece([&](std::size_t number) {
    const Piece& piece = pieces_[number];
    const std::uint32_t from = static_cast<std::uint32_t>(number % results.size());
    if (from != rank || results[rank] != receive)
      Move(receive + piece.write, results[from] + piece.write, piece.bytes);
  });
}

}  // namespace foothold::collectives
