// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How the bytes of a large collective go between ranks that share no memory, as one of them sees it. They are
// cut into pieces, and each piece has an owner:
//
//   1. Who has some of it sends that to the owner: one rank, or all, and then the owner combines them.
//   2. The owner sends the result to all it belongs to.
//
// Where a piece is for all or from all, owners take turns: so an all-reduce is a reduce-scatter and an
// all-gather, a broadcast a scatter and an all-gather, and no rank's link carries more than it must. The
// pieces and their order are the same for all ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/plan.h"
#include "collectives/request.h"

namespace foothold::collectives {

struct Move {
  std::uint64_t number;  // of the piece, the same for all ranks
  std::uint32_t owner;
  Piece piece;  // `read` is from the start of this rank's memory

  bool is_from(std::uint32_t rank) const { return piece.from == rank || piece.from == Piece::kEverybody; }
  bool is_to(std::uint32_t rank) const { return piece.to == rank || piece.to == Piece::kEverybody; }
  bool folds() const { return piece.from == Piece::kEverybody; }
};

// Those of a rank among so many, in order, from what it asks for itself. Pieces have at most so many bytes.
std::vector<Move> MovesOf(const Request& request, std::uint32_t rank, std::uint32_t ranks,
                          std::uint64_t most_bytes);

}  // namespace foothold::collectives
