// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Fills a dense tensor from places given axis by axis: dst[i, j, k] = src[table0[i] + table1[j] + table2[k]].
// For mirrored padding and nearest-neighbour scaling. Planned once, run often. Any thread.
#pragma once

#include <cstddef>
#include <vector>

namespace foothold {

class IndexedCopy {
 public:
  // Tables hold bytes, outermost axis first; `block` bytes are copied at each place.
  IndexedCopy(std::size_t block, std::vector<std::vector<std::ptrdiff_t>> tables);

  void Run(const std::byte* src, std::byte* dst) const;

 private:
  // Places of the last axis that follow each other in the source.
  struct Stretch {
    std::ptrdiff_t from;
    std::size_t bytes;
  };

  void RunRow(const std::byte* src, std::byte* dst) const;

  std::size_t block_;
  std::vector<std::vector<std::ptrdiff_t>> outer_;
  std::vector<std::ptrdiff_t> last_;
  std::vector<Stretch> stretches_;  // instead of last_, where they are long
  std::size_t rows_ = 1;
};

}  // namespace foothold
