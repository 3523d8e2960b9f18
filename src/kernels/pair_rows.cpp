// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/pair_rows.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pair_rows.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

std::size_t PairColumnsOf() {
  return 0;
}
void PairBytesOf(const std::int8_t*, const std::int8_t*, std::int32_t*) {}
void PairNibblesOf(const std::byte*, const std::byte*, std::int32_t*) {}

#else

using Wide = hn::ScalableTag<std::int32_t>;

std::size_t PairColumnsOf() {
  return 2 * hn::Lanes(Wide());
}

HWY_INLINE hn::Vec<Wide> WideBytes(const void* from) {
  const hn::Rebind<std::int8_t, Wide> bytes;
  return hn::PromoteTo(Wide(), hn::LoadU(bytes, static_cast<const std::int8_t*>(from)));
}

HWY_INLINE hn::Vec<Wide> Paired(hn::Vec<Wide> low, hn::Vec<Wide> high) {
  return hn::Or(hn::And(low, hn::Set(Wide(), 0xFFFF)), hn::ShiftLeft<16>(high));
}

void PairBytesOf(const std::int8_t* first, const std::int8_t* second, std::int32_t* pairs) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  hn::StoreU(Paired(WideBytes(first), WideBytes(second)), d, pairs);
  hn::StoreU(Paired(WideBytes(first + lanes), WideBytes(second + lanes)), d, pairs + lanes);
}

// A vector of bytes holds every other column in the low halves.
void PairNibblesOf(const std::byte* first, const std::byte* second, std::int32_t* pairs) {
  const auto a = WideBytes(first), b = WideBytes(second);
  const auto low = [](hn::Vec<Wide> bytes) HWY_ATTR { return hn::ShiftRight<28>(hn::ShiftLeft<28>(bytes)); };
  const auto even = Paired(low(a), low(b));
  const auto odd = Paired(hn::ShiftRight<4>(a), hn::ShiftRight<4>(b));
  hn::StoreInterleaved2(even, odd, Wide(), pairs);
}

#endif

void WidenBytesOf(const std::int8_t* from, std::size_t count, std::int16_t* to) {
  const hn::ScalableTag<std::int16_t> d;
  const hn::Rebind<std::int8_t, decltype(d)> bytes;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(bytes, from + i)), d, to + i);
  for (; i < count; ++i)
    to[i] = from[i];
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(PairColumnsOf);
HWY_EXPORT(PairBytesOf);
HWY_EXPORT(PairNibblesOf);
HWY_EXPORT(WidenBytesOf);
}  // namespace

std::size_t PairColumns() {
  static const std::size_t columns = HWY_DYNAMIC_DISPATCH(PairColumnsOf)();
  return columns;
}

void PairByteRows(const std::int8_t* first, const std::int8_t* second, std::int32_t* pairs) {
  HWY_DYNAMIC_DISPATCH(PairBytesOf)(first, second, pairs);
}

void PairNibbleRows(const std::byte* first, const std::byte* second, std::int32_t* pairs) {
  HWY_DYNAMIC_DISPATCH(PairNibblesOf)(first, second, pairs);
}

void WidenBytes(const std::int8_t* from, std::size_t count, std::int16_t* to) {
  HWY_DYNAMIC_DISPATCH(WidenBytesOf)(from, count, to);
}

}  // namespace foothold
#endif
