// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The product of a float matrix with weights that are kept in float16, packed as gemm_pack.h packs floats:
// half the bytes to read, and the sums are float. Any thread; a plan is constant after its construction.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/panel_product.h"

namespace foothold {

class HalfProductPlan {
 public:
  HalfProductPlan(MatMulSize size, MatMulStrides left, MatMulStrides right);

  // False if a weight is too large for a float16.
  bool Fits(const float* right) const;
  std::size_t PackedHalves() const { return PackedRightFloats(size_.depth, size_.columns); }
  void Pack(const float* right, std::uint16_t* to) const;

  std::size_t WorkspaceBytes() const { return vector_ ? 0 : panels_.WorkspaceBytes(); }
  void Run(const float* left, const std::uint16_t* right, float* out, const GemmEpilogue& finish,
           std::byte* workspace) const;

 private:
  void RunVector(const float* left, const std::uint16_t* right, float* out, const GemmEpilogue& finish) const;

  MatMulSize size_;
  MatMulStrides right_;
  bool vector_;  // one row: bound by reading the weights
  PanelProductPlan panels_;
  std::size_t column_step_ = 0;  // of a vector
};

}  // namespace foothold
