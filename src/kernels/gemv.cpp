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
#include "kernels/panel_load-inl.h"

// Left to itself, the compiler keeps what a lambda refers to in memory.
#undef FOOTHOLD_INLINE_LAMBDA
#define FOOTHOLD_INLINE_LAMBDA HWY_ATTR __attribute__((always_inline))

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

// The steps of one panel that begin at `right`.
template <typename Weight>
HWY_INLINE void AddSteps(Floats d, FloatVec factor, FloatVec /*next*/, const Weight* right, FloatVec& a,
                         FloatVec& b) {
  a = hn::MulAdd(factor, LoadRight(d, right), a);
  b = hn::MulAdd(factor, LoadRight(d, right + hn::Lanes(d)), b);
}
HWY_INLINE void AddSteps(Floats d, FloatVec factor, FloatVec next, const std::uint32_t* right, FloatVec& a,
                         FloatVec& b) {
  const auto wide = LoadNarrow(d, right);
  a = hn::MulAdd(factor, wide.a, a);
  b = hn::MulAdd(factor, wide.b, b);
  a = hn::MulAdd(next, wide.c, a);
  b = hn::MulAdd(next, wide.d, b);
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
  const auto add = [&](FloatVec factor, FloatVec next, std::size_t at) FOOTHOLD_INLINE_LAMBDA {
    AddSteps(d, factor, next, p0 + at, a0, b0);
    AddSteps(d, factor, next, p1 + at, a1, b1);
    AddSteps(d, factor, next, p2 + at, a2, b2);
    AddSteps(d, factor, next, p3 + at, a3, b3);
  };
  constexpr std::size_t kSteps = kStepsTogether<Weight>;
  std::size_t k = 0, at = 0;
  for (; k + kSteps <= depth; k += kSteps, at += kVectorsTogether<Weight> * lanes)
    add(hn::Set(d, left[k]), hn::Set(d, left[k + kSteps - 1]), at);
  if (kSteps > 1 && k < depth) add(hn::Set(d, left[k]), zero, at);
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
HWY_INLINE void PackedGemv(const GemmBlock& block) {
  const Floats d;
  HWY_ALIGN float sums[8 * hn::MaxLanes(d)];
  const std::size_t width = 2 * hn::Lanes(d), columns = block.columns;
  const std::size_t panels = (columns + width - 1) / width, fours = (panels + 3) / 4;
  for (std::size_t i = 0; i < fours; ++i) {
    const std::size_t panel = 4 * (block.backwards ? fours - 1 - i : i);
    const Weight* four[4];
    for (std::size_t k = 0; k < 4; ++k)
      four[k] =
          reinterpret_cast<const Weight*>(block.right + std::min(panel + k, panels - 1) * block.right_panel);
    FourPanels(block.left, four, block.depth, sums);
    const std::size_t end = std::min(columns, (panel + 4) * width);
    std::size_t j = panel * width;
    for (; j + hn::Lanes(d) <= end; j += hn::Lanes(d))
      hn::StoreU(Finish(d, hn::Load(d, sums + (j - panel * width)), *block.finish, {0, j, 0}), d,
                 block.out + j);
    for (; j < end; ++j)
      block.out[j] = FinishOne(sums[j - panel * width], *block.finish, {0, j, 0});
  }
  ActivateRow(block.finish->activation, block.out, columns);
}

void PackedGemvOf(const GemmBlock& block) {
  switch (block.right_form) {
    case PanelForm::kFloats:
      return PackedGemv<float>(block);
    case PanelForm::kNarrow:
      return PackedGemv<std::uint32_t>(block);
    case PanelForm::kHalves:
      return PackedGemv<std::uint16_t>(block);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(PackedGemvOf);
}  // namespace

void RunPackedGemv(const GemmBlock& block) {
  HWY_DYNAMIC_DISPATCH(PackedGemvOf)(block);
}

}  // namespace foothold
#endif
