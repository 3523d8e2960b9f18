// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of matrices as they are stored: 16-bit floats are widened in registers or on their way into
// panels, so that no large operand is converted, or gathered, as a whole first. Sums are in float. For
// operands that come with a run; matmul.h and half_product.h are for weights packed ahead. Any thread; a plan
// is constant after its construction.
#pragma once

#include <vector>

#include "kernels/gemm.h"
#include "kernels/matmul.h"
#include "kernels/stored_matrix.h"
#include "kernels/stored_tiles.h"

namespace foothold {

// Many matrices of one size.
struct StoredOperand {
  StoredMatrix matrix;          // without data; only right operands have pieces
  std::vector<std::size_t> at;  // where each begins, in elements, by matrix of the output
};

class StoredProductPlan {
 public:
  // Output matrices are dense and one after the other.
  StoredProductPlan(MatMulSize size, StoredOperand left, StoredOperand right);

  std::size_t WorkspaceBytes() const;
  // The biases of `finish` are for one matrix, its residual is for all.
  void Run(const std::byte* left, const std::byte* right, float* out, const GemmEpilogue& finish,
           std::byte* workspace) const;

 private:
  // One row is multiplied as it reads the right operand, a few in tiles of dot products, many in panels.
  enum class Way : std::uint8_t { kVectors, kTiles, kPanels };
  struct Part {
    std::size_t matrix, row, rows, column, columns;
  };
  Way ChooseWay() const;
  void Divide();
  Part PartOf(std::size_t item) const;
  std::size_t WidenedFloats() const;  // of one matrix on the left
  std::size_t ScratchFloats() const;  // of one slot
  void WidenLeft(const std::byte* left, float* to) const;
  FloatRows RowsOf(std::size_t matrix, const std::byte* left, const float* widened) const;
  void RunTiles(const FloatRows& left, const StoredMatrix& right, std::size_t columns, float* out,
                const GemmEpilogue& finish, float* scratch) const;
  void RunPanels(const Part& part, const StoredMatrix& left, const StoredMatrix& right, float* out,
                 const GemmEpilogue& finish, float* scratch) const;

  MatMulSize size_;
  StoredOperand left_, right_;
  Way way_;
  bool widened_;  // the left operand becomes dense rows of floats ahead
  std::size_t row_step_ = 1, row_parts_ = 1, column_step_ = 0, column_parts_ = 1;
  std::size_t slots_ = 1;
};

}  // namespace foothold
