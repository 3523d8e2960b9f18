// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/even_division.h"

#include <algorithm>
#include <vector>

#include "base/thread_pool.h"
#include "kernels/gemm_pack.h"

namespace foothold {
namespace {

// What the thread with the most to do computes.
std::size_t LongestShare(const Grid& grid, const GridPart& part, std::size_t threads) {
  std::vector<std::size_t> shares(threads, 0);
  for (std::size_t time = 0; time < grid.times; ++time)
    for (std::size_t row = 0; row < grid.rows; row += part.rows)
      for (std::size_t column = 0; column < grid.columns; column += part.columns)
        *std::min_element(shares.begin(), shares.end()) +=
            std::min(part.rows, grid.rows - row) * std::min(part.columns, grid.columns - column);
  return *std::max_element(shares.begin(), shares.end());
}

}  // namespace

// With many parts, or with shares that are even, no other division is sooner by a twentieth: plans of large
// images would play through hundreds of thousands of parts to find that out.
GridPart EvenPart(const Grid& grid, GridPart part, std::size_t unit, std::size_t most_rows) {
  const auto threads = static_cast<std::size_t>(ParallelThreads());
  const std::size_t whole = grid.times * (grid.rows / part.rows) * (grid.columns / part.columns);
  if (threads == 1 || whole >= 19 * threads) return part;
  const std::size_t parts = Parts(grid.rows, part.rows), columns = part.columns;
  const std::size_t all = grid.times * grid.rows * grid.columns;
  std::size_t longest = LongestShare(grid, part, threads);
  const auto is_even = [&] { return 20 * all >= 19 * longest * threads; };
  for (std::size_t more = parts; more <= std::min(most_rows, parts + 3); ++more)
    for (std::size_t step = columns; step > 0 && 2 * step >= columns && !is_even(); --step) {
      const GridPart other{RoundUp(Parts(grid.rows, more), unit), step};
      const std::size_t share = LongestShare(grid, other, threads);
      if (20 * share < 19 * longest) part = other, longest = share;
    }
  return part;
}

}  // namespace foothold
