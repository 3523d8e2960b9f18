// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Panels of a right operand in any form (PanelForm in gemm.h) on their way into registers of floats; included
// once per target. Weights are float, float16 as uint16_t, or narrow as uint32_t.
#if defined(FOOTHOLD_KERNELS_PANEL_LOAD) == defined(HWY_TARGET_TOGGLE)
#ifdef FOOTHOLD_KERNELS_PANEL_LOAD
#undef FOOTHOLD_KERNELS_PANEL_LOAD
#else
#define FOOTHOLD_KERNELS_PANEL_LOAD
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/narrow_words-inl.h"
#include "kernels/widening_load-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// How many steps of the depth lie together, in how many vectors of weights.
template <typename Weight>
inline constexpr std::size_t kStepsTogether = 1;
template <>
inline constexpr std::size_t kStepsTogether<std::uint32_t> = 2;
template <typename Weight>
inline constexpr std::size_t kVectorsTogether = 2;
template <>
inline constexpr std::size_t kVectorsTogether<std::uint32_t> = 3;
// Of two steps.
template <typename Weight>
inline constexpr std::size_t kVectorsOfTwo = 2 / kStepsTogether<Weight>* kVectorsTogether<Weight>;

template <class D>
HWY_INLINE hn::Vec<D> LoadRight(D d, const float* right) {
  return LoadWide<FloatKind::kFloat>(d, right);
}
template <class D>
HWY_INLINE hn::Vec<D> LoadRight(D d, const std::uint16_t* right) {
  return LoadWide<FloatKind::kFloat16>(d, right);
}

// One step of the depth, the first of those that lie together.
template <class D>
struct StepWeights {
  hn::Vec<D> a, b;
};
template <class D, typename Weight>
HWY_INLINE StepWeights<D> LoadStep(D d, const Weight* right) {
  return {LoadRight(d, right), LoadRight(d, right + hn::Lanes(d))};
}
template <class D>
HWY_INLINE StepWeights<D> LoadStep(D d, const std::uint32_t* right) {
  const auto wide = LoadNarrow(d, right);
  return {wide.a, wide.b};
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#endif
