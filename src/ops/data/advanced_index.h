// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Indexing as numpy has it: tensors of integers, or masks, instead of some axes of x, repeated to one shape.
// That shape stands where the axes stood if they are neighbours, else in front. For AclnnIndex and
// AclnnIndexPut, whose ports 'indices' stand for the axes of the attribute 'axes', in rising order; a mask
// stands for as many axes as it has. Any thread.
#pragma once

#include <string>
#include <vector>

#include "ops/op.h"
#include "ops/strided_view.h"

namespace foothold {

class AdvancedIndex {
 public:
  // Refuses what does not fit. The values of masks are needed: they decide the shape.
  explicit AdvancedIndex(const OpContext& context);

  // Of x[indices].
  const Dims& dims() const { return dims_; }
  // Elements that lie side by side in x and in the result.
  std::size_t block() const { return block_; }
  // The dimension of x they begin with.
  std::size_t block_axis() const { return lists_.back().axis + 1; }
  // Pieces of work, each of Rows() blocks.
  std::size_t items() const { return outer_ * shared_; }
  std::size_t rows() const { return rows_; }

  // Lower only: masks become indices, which runs find among the constants.
  void Prepare(OpContext& context);

  // Calls visit(place in the result, place in x), in elements, for every block of the items [begin, end).
  template <typename Visit>
  void ForBlocks(const RunArgs& args, std::size_t begin, std::size_t end, Visit&& visit) const {
    for (std::size_t item = begin; item < end; ++item) {
      const std::size_t first = outer_parts_.Offset(item / shared_) + Named(args, item % shared_);
      for (std::size_t row = 0; row < rows_; ++row)
        visit((item * rows_ + row) * block_, first + RowPlace(row));
    }
  }

 private:
  struct List {
    int port;
    std::size_t axis;
    Dims dims;
    bool wide = true;
    int mask_axis = -1;  // of the mask whose places these are; -1: integers
    bool whole = false;  // as many as the shared shape has
    std::vector<std::int64_t> steps;
  };
  struct Axis {
    std::size_t dim, stride;
  };

  void AddLists(const OpContext& context, int port, std::size_t axis);
  void Share(const OpContext& context);
  void Arrange();
  std::size_t Named(const RunArgs& args, std::size_t position) const;
  std::size_t Position(const List& list, std::size_t position) const;
  std::size_t RowPlace(std::size_t row) const;

  std::string name_;
  Dims x_;
  StridedView view_;  // of x
  std::vector<List> lists_;
  Dims shared_dims_;
  Dims dims_;
  std::size_t outer_ = 1, shared_ = 1, rows_ = 1, block_ = 1;
  ViewParts outer_parts_{{}, 0};
  std::vector<Axis> row_axes_;
};

}  // namespace foothold
