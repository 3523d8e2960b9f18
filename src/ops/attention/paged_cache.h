// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the rows of a cache are that is divided into blocks of slots. Used by rules and kernels; any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "ops/op.h"

namespace foothold {

// A row, of one token, lies in one piece, or (FRACTAL_NZ) in several of 32 bytes: all first pieces of a block
// come first, then all second ones.
struct PagedCache {
  std::size_t blocks = 0, block_size = 0;
  std::size_t pieces = 1, piece = 0;  // of a row; elements of a piece

  std::size_t slots() const { return blocks * block_size; }
  std::size_t row() const { return pieces * piece; }
  std::size_t Offset(std::size_t slot, std::size_t which) const {
    return ((slot / block_size * pieces + which) * block_size + slot % block_size) * piece;
  }
};

// [blocks, block size, heads, width], or with cache_mode "PA_NZ" [blocks, heads * width / last, block size,
// last]. Refuses a cache that has no rows like those of `rows`, which is [tokens, heads, width].
PagedCache PagedCacheOf(const OpContext& context, std::string_view cache, std::string_view rows);

}  // namespace foothold
