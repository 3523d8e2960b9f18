// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The product of a float matrix with weights that are kept in another form: a panel of them becomes floats in
// the first cache just before it is used. Any thread; a plan is constant after its construction.
#pragma once

#include <cstddef>
#include <functional>

#include "kernels/matmul.h"

namespace foothold {

// Part of the right operand.
struct PanelPlace {
  std::size_t column, columns;  // no more than TileOfGemm().columns
  std::size_t begin, depth;
};
// Writes a panel as gemm_pack.h has them; what is past the last column is never seen.
using PanelSource = std::function<void(const PanelPlace& place, float* to)>;

class PanelProductPlan {
 public:
  PanelProductPlan(MatMulSize size, MatMulStrides left);

  std::size_t WorkspaceBytes() const { return slots_ * ScratchFloats() * sizeof(float); }
  void Run(const float* left, const PanelSource& source, float* out, const GemmEpilogue& finish,
           std::byte* workspace) const;

 private:
  struct Part {
    std::size_t row, rows, column, columns;
  };
  std::size_t ScratchFloats() const;
  Part PartOf(std::size_t item) const;
  void RunPart(const Part& part, const float* left, const PanelSource& source, float* out,
               const GemmEpilogue& finish, float* scratch) const;
  void RunPanels(const Part& part, std::size_t begin, const float* left, const PanelSource& source,
                 float* out, const GemmEpilogue& finish, float* scratch) const;

  MatMulSize size_;
  MatMulStrides left_;
  std::size_t row_step_ = 1, row_parts_ = 1, column_step_ = 0, column_parts_ = 1;
  std::size_t slots_ = 1;
};

// The part of an epilogue for what begins at `row` and `column` of an output with `columns` columns.
GemmEpilogue ShiftedEpilogue(GemmEpilogue finish, std::size_t row, std::size_t column, std::size_t columns);

}  // namespace foothold
