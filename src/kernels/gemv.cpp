// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "kernels/gemm.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemv.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which they need.
#include "kernels/gemm_finish-inl.h"
#include "kernels/widening_load-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

HWY_INLINE FloatVec LoadRight(Floats d, const float* right) {
  return LoadWide<FloatKind::kFloat>(d, right);
}
HWY_INLINE FloatVec LoadRight(Floats d, const std::uint16_t* right) {
  return LoadWide<FloatKind::kFloat16>(d, right);
}

// Four panels from `right` on; the panels past the last column repeat the last one.
template <typename Weight>
HWY_INLINE void FourPanels(const float* left, const Weight* const* panels, std::size_t depth, float* out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  auto a0 = zero, b0 = zero, a1 = zero, b1 = zero, a2 = zero, b2 = zero, a3 = zero, b3 = zero;
  const Weight* p0 = panels[0];
  const Weight* p1 = panels[1];
  const Weight* p2 = panels[2];
  const Weight* p3 = panels[3];
  for (std::size_t k = 0; k < depth; ++k) {
    const auto factor = hn::Set(d, left[k]);
    const std::size_t at = k * 2 * lanes;
    a0 = hn::MulAdd(factor, LoadRight(d, p0 + at), a0);
    b0 = hn::MulAdd(factor, LoadRight(d, p0 + at + lanes), b0);
    a1 = hn::MulAdd(factor, LoadRight(d, p1 + at), a1);
    b1 = hn::MulAdd(factor, LoadRight(d, p1 + at + lanes), b1);
    a2 = hn::MulAdd(factor, LoadRight(d, p2 + at), a2);
    b2 = hn::MulAdd(factor, LoadRight(d, p2 + at + lanes), b2);
    a3 = hn::MulAdd(factor, LoadRight(d, p3 + at), a3);
    b3 = hn::MulAdd(factor, LoadRight(d, p3 + at + lanes), b3);
  }
  hn::Store(a0, d, out);
  hn::Store(b0, d, out + lanes);
  hn::Store(a1, d, out + 2 * lanes);
  hn::Store(b1, d, out + 3 * lanes);
  hn::Store(a2, d, out + 4 * lanes);
  hn::Store(b2, d, out + 5 * lanes);
  hn::Store(a3, d, out + 6 * lanes);
  hn::Store(b3, d, out + 7 * lanes);
}

template <typename Weight>
HWY_INLINE void PackedGemv(const float* left, const Weight* right, std::size_t depth, std::size_t columns,
                           float* out, const GemmEpilogue& finish) {
  const Floats d;
  HWY_ALIGN float sums[8 * hn::MaxLanes(d)];
  const std::size_t width = 2 * hn::Lanes(Floats());
  const std::size_t panels = (columns + width - 1) / width;
  for (std::size_t panel = 0; panel < panels; panel += 4) {
    const Weight* four[4];
    for (std::size_t i = 0; i < 4; ++i)
      four[i] = right + std::min(panel + i, panels - 1) * depth * width;
    FourPanels(left, four, depth, sums);
    const std::size_t end = std::min(columns, (panel + 4) * width);
    std::size_t j = panel * width;
    for (; j + hn::Lanes(d) <= end; j += hn::Lanes(d))
      hn::StoreU(Finish(d, hn::Load(d, sums + (j - panel * width)), finish, {0, j, 0}), d, out + j);
    for (; j < end; ++j)
      out[j] = FinishOne(sums[j - panel * width], finish, {0, j, 0});
  }
  ActivateRow(finish.activation, out, columns);
}

void PackedGemvOf(const float* left, const float* right, std::size_t depth, std::size_t columns, float* out,
                  const GemmEpilogue& finish) {
  PackedGemv(left, right, depth, columns, out, finish);
}
void HalfGemvOf(const float* left, const std::uint16_t* right, std::size_t depth, std::size_t columns,
                float* out, const GemmEpilogue& finish) {
  PackedGemv(left, right, depth, columns, out, finish);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(PackedGemvOf);
HWY_EXPORT(HalfGemvOf);
}  // namespace

void RunPackedGemv(const float* left, const float* right, std::size_t depth, std::size_t columns, float* out,
                   const GemmEpilogue& finish) {
  HWY_DYNAMIC_DISPATCH(PackedGemvOf)(left, right, depth, columns, out, finish);
}

void RunPackedGemv(const float* left, const std::uint16_t* right, std::size_t depth, std::size_t columns,
                   float* out, const GemmEpilogue& finish) {
  HWY_DYNAMIC_DISPATCH(HalfGemvOf)(left, right, depth, columns, out, finish);
}

}  // namespace foothold
#endif
