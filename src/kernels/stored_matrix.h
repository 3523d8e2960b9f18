// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A matrix as the program has it in memory: of any FloatKind, with any strides. Any thread.
#pragma once

#include <cstddef>

#include "kernels/float_kind.h"

namespace foothold {

struct StoredMatrix {
  FloatKind kind = FloatKind::kFloat;
  const std::byte* data = nullptr;
  std::size_t row = 0, column = 0;  // strides in elements
  // Not 0: every column is cut into pieces of so many elements, 8, 16 or 32. The first pieces of all columns
  // lie one after the other, then, `piece_step` elements after the first, the second ones, and so on. `row`
  // is 1 then, `column` is `piece`.
  std::size_t piece = 0, piece_step = 0;

  // With pieces, `to_row` is the beginning of one.
  StoredMatrix At(std::size_t to_row, std::size_t to_column) const {
    StoredMatrix at = *this;
    const std::size_t down = piece == 0 ? to_row * row : to_row / piece * piece_step;
    at.data += (down + to_column * column) * BytesOf(kind);
    return at;
  }
};

// Kernels that are bound by reading a matrix read it in several places at a time, far from each other, and
// ask for what comes so many bytes later. Into the second cache: the first is too small for that.
constexpr std::size_t kFetchedAhead = 4096;
// Always inlined: compilers drop calls of functions that only fetch.
[[gnu::always_inline]] inline void FetchStored(const void* from) {
  __builtin_prefetch(static_cast<const char*>(from) + kFetchedAhead, 0, 2);
}

}  // namespace foothold
