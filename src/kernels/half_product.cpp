// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/half_product.h"

#include <algorithm>
#include <cmath>

#include "kernels/half_convert.h"

namespace foothold {
namespace {

constexpr float kLargestHalf = 65504.0f;
constexpr std::size_t kMostRowsInTiles = 36;  // more are faster if they share what is widened

}  // namespace

HalfProductPlan::HalfProductPlan(MatMulSize size, MatMulStrides left, MatMulStrides right)
    : size_(size), tiles_(size, left, right, {0}, {0}, 1, RightForm::kHalf), panels_(size, left) {}

bool HalfProductPlan::InTiles() const {
  return size_.rows <= kMostRowsInTiles;
}

bool HalfProductPlan::Fits(const float* right) const {
  return std::all_of(right, right + size_.depth * size_.columns,
                     [](float weight) { return std::fabs(weight) <= kLargestHalf; });
}

void HalfProductPlan::Pack(const float* right, std::uint16_t* to) const {
  tiles_.PackRightMatrices(right, reinterpret_cast<float*>(to));
}

void HalfProductPlan::Run(const float* left, const std::uint16_t* right, float* out,
                          const GemmEpilogue& finish, std::byte* workspace) const {
  if (InTiles()) return tiles_.Run(left, reinterpret_cast<const float*>(right), out, finish, workspace);
  const std::size_t width = TileOfGemm().columns, depth = size_.depth;
  const auto widen = [=](const PanelPlace& place, float* to) {
    FloatsFromHalves(HalfKind::kFloat16, right + place.column * depth + place.begin * width, to,
                     place.depth * width);
  };
  panels_.Run(left, widen, out, finish, workspace);
}

}  // namespace foothold
