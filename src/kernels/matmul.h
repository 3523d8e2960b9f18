// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Whole products of float matrices, many of one size at a time, on several threads. The right operand may
// have been packed once ahead, as floats (gemm_pack.h), narrow (narrow_weights.h) or in float16. Any thread;
// a plan is constant after its construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/gemm.h"
#include "kernels/gemm_pack.h"

namespace foothold {

struct MatMulSize {
  std::size_t rows = 0, columns = 0, depth = 0;
  double Work() const { return double(rows) * double(columns) * double(depth); }
};

// Strides of one matrix; a transposed operand has them exchanged.
struct MatMulStrides {
  std::size_t row = 0, column = 0;
};

// How a plan finds the right operand.
enum class RightForm : std::uint8_t { kAsGiven, kPacked, kNarrow, kHalf };
// How often a network reads a weight while it runs; between two reads of kOnce all the others pass by.
enum class WeightReads : std::uint8_t { kOnce, kInEveryStep };
// For one that is packed ahead: narrow where a product is bound by reading it and sums so many terms that
// their own rounding may be as large. FOOTHOLD_NARROW_WEIGHTS may be 0: never.
RightForm FormOfWeights(const MatMulSize& size, WeightReads reads = WeightReads::kOnce);

// For the part of the output that begins at `row` and `column` of a matrix, `offset` elements from the first.
inline GemmEpilogue EpilogueAt(GemmEpilogue finish, std::size_t row, std::size_t column, std::size_t offset) {
  if (finish.row_bias != nullptr) finish.row_bias += row;
  if (finish.column_bias != nullptr) finish.column_bias += column;
  if (finish.residual != nullptr) finish.residual += offset;
  return finish;
}

// Of the right operand. For products in a row that read the same one: what the last of them read last is in
// the caches and comes first if they go backwards by turns. The sums are the same.
enum class PanelOrder : std::uint8_t { kAny, kForwards, kBackwards };

class MatMulPlan {
 public:
  // Output matrix i, dense and one after the other, is left matrix left_of[i] times right matrix right_of[i];
  // matrices of an operand lie one after the other.
  MatMulPlan(MatMulSize size, MatMulStrides left, MatMulStrides right, std::vector<std::size_t> left_of,
             std::vector<std::size_t> right_of, std::size_t right_matrices, RightForm right_form);

  std::size_t WorkspaceBytes() const;
  // `right` is in the form of the plan, matrix after matrix. The biases of `finish` are for one
  // matrix, its residual is for all.
  void Run(const float* left, const float* right, float* out, const GemmEpilogue& finish,
           std::byte* workspace, PanelOrder order = PanelOrder::kAny) const;

  // Bytes of all right matrices packed, and the packing itself.
  std::size_t PackedRightBytes() const { return right_matrices_ * packed_floats_ * sizeof(float); }
  void PackRightMatrices(const float* right, float* to) const;

 private:
  struct Block {
    std::size_t matrix, row, rows, column, columns;
    bool backwards;
  };
  Block BlockOf(std::size_t item, PanelOrder order) const;
  void RunBlock(const Block& block, const float* left, const float* packed, float* out,
                const GemmEpilogue& finish, float* scratch) const;
  void RunVector(const Block& block, const float* left, const float* right, float* out,
                 const GemmEpilogue& finish) const;
  const float* PanelsOf(const float* right, std::size_t matrix, std::size_t column) const;
  void PackPanel(const float* right, std::size_t matrix, std::size_t column, float* to) const;
  void PackColumns(const MatrixView& from, std::size_t columns, float* to) const;
  std::size_t ScratchFloats() const;

  MatMulSize size_;
  MatMulStrides left_, right_;
  std::vector<std::size_t> left_of_, right_of_;
  std::size_t right_matrices_;
  RightForm right_form_;
  bool vectors_ = false;       // one row on the left: no panels unless they are there
  std::size_t panel_floats_;   // of the right operand
  std::size_t packed_floats_;  // of one right matrix
  std::size_t depth_step_;
  std::size_t row_parts_ = 1, row_step_ = 0, column_parts_ = 1, column_step_ = 0;
  std::size_t slots_ = 1;
};

}  // namespace foothold
