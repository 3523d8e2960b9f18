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
  std::size_t PackedHalves() const { return tiles_.PackedRightBytes() / sizeof(std::uint16_t); }
  void Pack(const float* right, std::uint16_t* to) const;

  std::size_t WorkspaceBytes() const {
    return InTiles() ? tiles_.WorkspaceBytes() : panels_.WorkspaceBytes();
  }
  void Run(const float* left, const std::uint16_t* right, float* out, const GemmEpilogue& finish,
           std::byte* workspace) const;

 private:
  bool InTiles() const;

  MatMulSize size_;
  MatMulPlan tiles_;         // widens weights in registers, for every tile again
  PanelProductPlan panels_;  // widens them once for many tiles
};

}  // namespace foothold
