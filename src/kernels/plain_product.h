// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Sums of products for the element types that have no kernel of their own: double and integers, which wrap.
// Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/thread_pool.h"

namespace foothold {

template <typename Out, typename In>
Out PlusProduct(Out sum, In a, In b) {
  if constexpr (std::is_floating_point_v<Out>) {
    return sum + a * b;
  } else {
    // Conversion to unsigned keeps the value modulo the width, so the low bits are those of the signed
    // result.
    using Wide = std::conditional_t<(sizeof(Out) <= 4), std::uint32_t, std::uint64_t>;
    return static_cast<Out>(static_cast<Wide>(sum) + static_cast<Wide>(a) * static_cast<Wide>(b));
  }
}

template <typename T>
T PlusWrapping(T a, T b) {
  return PlusProduct<T, T>(a, b, T{1});
}

// One matrix; strides in elements. `out` is dense.
template <typename In, typename Out>
void PlainMatMul(const In* left, std::size_t left_row, std::size_t left_column, const In* right,
                 std::size_t right_row, std::size_t right_column, Out* out, std::size_t rows,
                 std::size_t columns, std::size_t depth) {
  const std::size_t grain = 1 + (std::size_t{1} << 16) / (1 + columns * depth);
  ParallelFor(rows, grain, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Out* row = out + i * columns;
      for (std::size_t j = 0; j < columns; ++j)
        row[j] = Out{};
      for (std::size_t k = 0; k < depth; ++k) {
        const In factor = left[i * left_row + k * left_column];
        for (std::size_t j = 0; j < columns; ++j)
          row[j] = PlusProduct(row[j], factor, right[k * right_row + j * right_column]);
      }
    }
  });
}

}  // namespace foothold
