// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows of a view, brought together a few at a time right before a kernel works on them, so that they are
// still in the cache. Rows are what is left of the dimensions from one on. Made when a node is lowered; any
// thread.
#pragma once

#include <cstddef>
#include <vector>

#include "ir/strided_view.h"
#include "ops/strided_view.h"

namespace foothold {

class RowGather {
 public:
  RowGather(const StridedView& view, std::size_t axis, std::size_t element_size);

  std::size_t rows() const { return rows_.count(); }
  std::size_t length() const { return length_; }
  // So many rows are worth gathering at once: those that share cache lines, if all threads get some.
  std::size_t together() const { return together_; }
  // Rows [first, first + rows) one behind the other. `from` is where the view begins.
  void Gather(const std::byte* from, std::size_t first, std::size_t rows, std::byte* to) const;

 private:
  ViewParts rows_;      // where rows begin
  ViewParts pieces_;    // where pieces of a row that lie evenly begin
  std::size_t length_;  // elements of a row
  std::size_t piece_ = 1, piece_stride_ = 1;
  std::size_t run_ = 1, row_stride_ = 1;  // rows that lie evenly
  std::size_t size_;
  std::size_t together_ = 1;
};

}  // namespace foothold
