// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The product of a float matrix with weights that are kept in float16, packed as gemm_pack.h packs floats:
// half the bytes to read, and the sums are float. Any thread; a plan is constant after its construction.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gemm.h"
#include "kernels/matmul.h"

namespace foothold {

class HalfProductPlan {
 public:
  HalfProductPlan(MatMulSize size, MatMulStrides left, MatMulStrides right);

  // False if a weight is too large for a float16.
  bool Fits(const float* right) const;
  std::size_t PackedHalves() const { return PackedRightFloats(size_.depth, size_.columns); }
  void Pack(const float* right, std::uint16_t* to) const;

  std::size_t WorkspaceBytes() const { return slots_ * ScratchFloats() * sizeof(float); }
  void Run(const float* left, const std::uint16_t* right, float* out, const GemmEpilogue& finish,
           std::byte* workspace) const;

 private:
  struct Part {
    std::size_t row, rows, column, columns;
  };
  std::size_t ScratchFloats() const;
  Part PartOf(std::size_t item) const;
  void RunPart(const Part& part, const float* left, const std::uint16_t* right, float* out,
               const GemmEpilogue& finish, float* scratch) const;
  void RunPanels(const Part& part, std::size_t begin, const float* left, const std::uint16_t* right,
                 float* out, const GemmEpilogue& finish, float* scratch) const;

  MatMulSize size_;
  MatMulStrides left_, right_;
  bool vector_;  // one row: bound by reading the weights
  std::size_t row_step_ = 1, row_parts_ = 1, column_step_ = 0, column_parts_ = 1;
  std::size_t slots_ = 1;
};

}  // namespace foothold
