// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of rows with the matrix of their group, where only the run tells how many rows a group has. Made
// while lowering, for all groups with matrices of one size; runs on any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/thread_pool.h"
#include "kernels/stored_product.h"

namespace foothold {

// Rows of floats [.., depth] times [depth, columns], or [columns, depth] if it is transposed; both of any
// kind.
class GroupProduct {
 public:
  // As many rows are multiplied at a time: callers cut longer groups into such pieces.
  static constexpr std::size_t kMostRows = 192;

  GroupProduct(std::size_t most_rows, std::size_t depth, std::size_t columns, bool transposed, FloatKind left,
               FloatKind right);

  std::size_t WorkspaceBytes() const { return bytes_; }
  void Run(const std::byte* left, std::size_t rows, const std::byte* right, float* out,
           const GemmEpilogue& finish, std::byte* workspace) const {
    plans_[rows - 1].Run(left, right, out, finish, workspace);
  }

 private:
  std::vector<StoredProductPlan> plans_;  // by rows - 1
  std::size_t bytes_ = 0;
};

// The same of int8, with sums in int32.
class GroupIntegerProduct {
 public:
  GroupIntegerProduct(std::size_t most_rows, std::size_t depth, std::size_t columns, bool transposed);

  std::size_t WorkspaceBytes() const;

  // Calls finish(row, sums) for each row, several at a time.
  template <typename Finish>
  void Run(const std::int8_t* left, std::size_t rows, const std::int8_t* right, std::byte* workspace,
           Finish&& finish) const {
    const bool packed = transposed_ || rows > kFewRows;
    if (packed) PackRight(right, workspace);
    for (std::size_t begin = 0; begin < rows; begin += most_rows_) {
      const std::size_t count = std::min(most_rows_, rows - begin);
      const std::int32_t* sums = Multiply(left + begin * depth_, count, packed, right, workspace);
      ParallelFor(count, 1 + 8192 / (1 + columns_), [&](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row)
          finish(begin + row, sums + row * columns_);
      });
    }
  }

 private:
  static constexpr std::size_t kFewRows = 3;  // that are multiplied with rows of the matrix as they are

  void PackRight(const std::int8_t* right, std::byte* workspace) const;
  const std::int32_t* Multiply(const std::int8_t* left, std::size_t rows, bool packed,
                               const std::int8_t* right, std::byte* workspace) const;
  void MultiplyFew(const std::int8_t* left, std::size_t rows, const std::int8_t* right,
                   std::int32_t* out) const;

  std::size_t most_rows_, depth_, columns_;
  bool transposed_;
};

}  // namespace foothold
