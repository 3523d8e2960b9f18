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
  explicit Plan(std::span<const Request* const> requests);

  std::size_t size() const { return pieces_.size(); }
  std::uint64_t bytes() const { return bytes_; }
  void Carry(std::size_t piece, const Attendance& all) const;
  // All of them, on as many cores as that is worth.
  void CarryAll(const Attendance& all) const;

 private:
  void Add(std::uint32_t from, std::uint32_t to, std::uint64_t read, std::uint64_t write,
           std::uint64_t bytes);
  void Fill();
  void AddParts();
  void AddMessages();
  void CarryFold(const Piece& piece, const Attendance& all) const;

  const std::span<const Request* const> requests_;
  const Request& first_;
  const std::uint32_t ranks_;
  std::vector<Piece> pieces_;
  std::uint64_t bytes_ = 0;
};

}  // namespace foothold::collectives
