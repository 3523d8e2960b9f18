// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What has to be moved and combined for a collective whose ranks have all come, as pieces that do not depend
// on each other: any number of threads, or of processes that see the buffers, can share them. No algorithm of
// a network: every piece goes from where the data is to where it belongs. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectives/request.h"

namespace foothold::collectives {

// Where the buffers of a rank are, for code of this process.
struct Buffers {
  const std::byte* send = nullptr;
  std::byte* receive = nullptr;
};

// What the ranks of a meeting ask for and have, by rank; a pair is sender and receiver.
struct Attendance {
  std::span<const Request* const> requests;
  std::span<const Buffers> buffers;
};

struct Piece {
  static constexpr std::uint32_t kEverybody = UINT32_MAX;

  std::uint32_t from;   // everybody: their elements combined
  std::uint32_t to;     // or everybody, at the same place
  std::uint64_t read;   // bytes from the start of the part that goes this way
  std::uint64_t write;  // bytes from the start of the buffer
  std::uint64_t bytes;
};

class Plan {
 public:
  // Pieces have at most so many bytes, a multiple of 64; 0 leaves that open.
  explicit Plan(std::span<const Request* const> requests, std::uint64_t piece_bytes = 0);

  std::size_t size() const { return pieces_.size(); }
  std::uint64_t bytes() const { return bytes_; }
  // All of them, on as many cores as that is worth.
  void CarryAll(const Attendance& all) const;
  // Only into the memory of one rank: what belongs to it, or, where the pieces that belong to everybody are
  // shared out among so many ranks, its share of them.
  void CarryTo(std::uint32_t rank, const Attendance& all, std::uint32_t shares) const;
  // After that: the shares of all others, from where each has put its own.
  void TakeShares(std::uint32_t rank, std::span<const std::byte* const> results, std::byte* receive) const;

 private:
  void Add(std::uint32_t from, std::uint32_t to, std::uint64_t read, std::uint64_t write,
           std::uint64_t bytes);
  void Fill();
  void AddParts();
  void AddMessages();
  void CarryPiece(const Piece& piece, const Attendance& all, std::uint32_t only) const;
  void CarryFold(const Piece& piece, const Attendance& all, std::uint32_t only) const;
  template <typename Body>
  void ForEachPiece(Body&& body) const;

  const std::span<const Request* const> requests_;
  const Request& first_;
  const std::uint32_t ranks_;
  const std::uint64_t piece_bytes_;
  std::vector<Piece> pieces_;
  std::uint64_t bytes_ = 0;
};

}  // namespace foothold::collectives
