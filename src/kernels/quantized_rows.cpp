// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/quantized_rows.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quantized_rows.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Below, the largest number divided by it is no float any more; such blocks are zero.
constexpr float kLeastScaled = 1e-33f;

using Elements = hn::CappedTag<float, kQuantizedBlock>;

float LargestOf(const float* from) {
  const Elements d;
  auto largest = hn::Zero(d);
  for (std::size_t i = 0; i < kQuantizedBlock; i += hn::Lanes(d))
    largest = hn::Max(largest, hn::Abs(hn::LoadU(d, from + i)));
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

void QuantizeBlock(const float* from, float inverse, std::int16_t* to) {
  const Elements d;
  const hn::Rebind<std::int16_t, Elements> narrow;
  const auto factor = hn::Set(d, inverse);
  for (std::size_t i = 0; i < kQuantizedBlock; i += hn::Lanes(d))
    hn::StoreU(hn::DemoteTo(narrow, hn::NearestInt(hn::Mul(hn::LoadU(d, from + i), factor))), narrow, to + i);
}

bool IsFinite(const float* from, std::size_t count) {
  const Elements d;
  auto nothing = hn::Zero(d);
  for (std::size_t i = 0; i < count; i += hn::Lanes(d))
    nothing = hn::MulAdd(hn::LoadU(d, from + i), hn::Zero(d), nothing);
  return hn::GetLane(hn::SumOfLanes(d, nothing)) == 0.0f;
}

bool QuantizeRowOf(const float* from, std::size_t count, float most, std::int16_t* to, float* scales) {
  if (!IsFinite(from, count)) return false;
  for (std::size_t i = 0; i < count; i += kQuantizedBlock) {
    const float largest = LargestOf(from + i);
    const bool some = largest >= kLeastScaled;
    *scales++ = some ? largest / most : 0.0f;
    QuantizeBlock(from + i, some ? most / largest : 0.0f, to + i);
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(QuantizeRowOf);
}  // namespace

bool QuantizeRow(const float* from, std::size_t count, int most, std::int16_t* to, float* scales) {
  return HWY_DYNAMIC_DISPATCH(QuantizeRowOf)(from, count, static_cast<float>(most), to, scales);
}

}  // namespace foothold
#endif
