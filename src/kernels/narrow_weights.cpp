// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/narrow_weights.h"

#include "kernels/gemm.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/narrow_weights.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using PanelFloats = hn::ScalableTag<float>;
using PanelBits = hn::RebindToUnsigned<PanelFloats>;
using PanelWords = hn::Vec<PanelBits>;

// The upper 24 bits, to the nearest. Where that would carry a number to infinity, or a NaN to a number, the
// rest is cut off; a NaN is marked as one in the bits that stay.
HWY_INLINE PanelWords RoundedWeights(const float* weights) {
  const PanelBits bits;
  const hn::RebindToSigned<PanelBits> compared;
  const auto exact = hn::BitCast(bits, hn::LoadU(PanelFloats(), weights));
  const auto last_byte = hn::Set(bits, 0xff);
  const auto magnitude = hn::BitCast(compared, hn::And(exact, hn::Set(bits, 0x7fffffff)));
  const auto largest = hn::Set(compared, 0x7f7fff7f), infinity = hn::Set(compared, 0x7f800000);
  const auto near = hn::AndNot(last_byte, hn::Add(exact, hn::Set(bits, 0x80)));
  const auto rounded =
      hn::IfThenElse(hn::RebindMask(bits, hn::Gt(magnitude, largest)), hn::AndNot(last_byte, exact), near);
  const auto quiet = hn::Set(bits, 0x00400000);
  return hn::Or(rounded, hn::IfThenElseZero(hn::RebindMask(bits, hn::Gt(magnitude, infinity)), quiet));
}

HWY_INLINE void StoreNarrow(PanelWords a, PanelWords b, PanelWords c, PanelWords d, std::uint32_t* to) {
  const PanelBits bits;
  const std::size_t lanes = hn::Lanes(bits);
  const auto last_byte = hn::Set(bits, 0xff);
  hn::StoreU(hn::Or(a, hn::ShiftRight<24>(d)), bits, to);
  hn::StoreU(hn::OrAnd(b, hn::ShiftRight<16>(d), last_byte), bits, to + lanes);
  hn::StoreU(hn::OrAnd(c, hn::ShiftRight<8>(d), last_byte), bits, to + 2 * lanes);
}

void NarrowPanelOf(const float* panel, std::size_t depth, std::uint32_t* to) {
  const std::size_t lanes = hn::Lanes(PanelFloats());
  std::size_t k = 0;
  for (; k + 2 <= depth; k += 2, panel += 4 * lanes, to += 3 * lanes)
    StoreNarrow(RoundedWeights(panel), RoundedWeights(panel + lanes), RoundedWeights(panel + 2 * lanes),
                RoundedWeights(panel + 3 * lanes), to);
  if (k == depth) return;
  const auto zero = hn::Zero(PanelBits());
  StoreNarrow(RoundedWeights(panel), RoundedWeights(panel + lanes), zero, zero, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(NarrowPanelOf);
}  // namespace

std::size_t NarrowPanelWords(std::size_t depth) {
  return (depth + 1) / 2 * 3 * (TileOfGemm().columns / 2);
}

void NarrowPanel(const float* panel, std::size_t depth, std::uint32_t* to) {
  HWY_DYNAMIC_DISPATCH(NarrowPanelOf)(panel, depth, to);
}

}  // namespace foothold
#endif
