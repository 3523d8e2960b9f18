// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/quantize_bytes.h"

#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quantize_bytes.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

FloatRange RangeOf(const float* from, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  FloatRange range{from[0], from[0]};
  std::size_t i = 0;
  if (count >= lanes) {
    auto low = hn::LoadU(d, from), high = low;
    for (; i + lanes <= count; i += lanes) {
      const auto x = hn::LoadU(d, from + i);
      low = hn::Min(low, x);
      high = hn::Max(high, x);
    }
    range = {hn::GetLane(hn::MinOfLanes(d, low)), hn::GetLane(hn::MaxOfLanes(d, high))};
  }
  for (; i < count; ++i)
    range = {std::min(range.low, from[i]), std::max(range.high, from[i])};
  return range;
}

void BytesOf(const float* from, std::size_t count, float scale, float zero, std::uint8_t* to) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> wide;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const std::size_t lanes = hn::Lanes(d);
  const auto divisor = hn::Set(d, scale), least = hn::Set(d, -zero), most = hn::Set(d, 255.0f - zero);
  const auto shift = hn::Set(wide, static_cast<std::int32_t>(zero));
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto x = hn::Div(hn::LoadU(d, from + i), divisor);
    const auto number = hn::NearestInt(hn::Min(hn::Max(x, least), most));
    hn::StoreU(hn::DemoteTo(bytes, hn::Add(number, shift)), bytes, to + i);
  }
  for (; i < count; ++i)
    to[i] = static_cast<std::uint8_t>(
        std::nearbyint(std::min(std::max(-zero, from[i] / scale), 255.0f - zero)) + zero);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(RangeOf);
HWY_EXPORT(BytesOf);

constexpr std::size_t kPiece = 32768;

std::size_t Pieces(std::size_t count) {
  return (count + kPiece - 1) / kPiece;
}
}  // namespace

std::size_t RangeWorkspace(std::size_t count) {
  return Pieces(count) * sizeof(FloatRange);
}

FloatRange RangeOfFloats(const float* from, std::size_t count, std::byte* workspace) {
  auto* found = reinterpret_cast<FloatRange*>(workspace);
  ParallelFor(Pieces(count), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      found[i] = HWY_DYNAMIC_DISPATCH(RangeOf)(from + i * kPiece, std::min(kPiece, count - i * kPiece));
  });
  FloatRange all = count == 0 ? FloatRange{0, 0} : found[0];
  for (std::size_t i = 1; i < Pieces(count); ++i)
    all = {std::min(all.low, found[i].low), std::max(all.high, found[i].high)};
  return all;
}

void QuantizeToBytes(const float* from, std::size_t count, float scale, float zero, std::uint8_t* to) {
  ParallelFor(Pieces(count), 1, [&](std::size_t begin, std::size_t end) {
    const std::size_t first = begin * kPiece, last = std::min(count, end * kPiece);
    HWY_DYNAMIC_DISPATCH(BytesOf)(from + first, last - first, scale, zero, to + first);
  });
}

}  // namespace foothold
#endif
