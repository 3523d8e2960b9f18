// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/scale_rows.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/scale_rows.cpp"
#endif
#include <algorithm>
#include <cstring>

#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
void MixWindows(const std::uint8_t* row, const RowScalePlan::Windows& windows, std::int16_t* mixed) {
  for (std::size_t value = 0; value < windows.weight.size(); ++value) {
    const std::uint8_t* const window = row + windows.base[value / 8];
    const auto pick = [&](const std::vector<std::uint8_t>* places) {
      const std::uint8_t low = places[0][2 * value], high = places[1][2 * value];
      return window[low < 16 ? low : 16 + high] * 128;
    };
    const int major = pick(windows.major), minor = pick(windows.minor);
    mixed[value] = static_cast<std::int16_t>(major + (((major - minor) * windows.weight[value]) >> 16));
  }
}

void MixTwoRows(const std::int16_t* top, const std::int16_t* bottom, std::int16_t top_weight,
                std::int16_t bottom_weight, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i)
    out[i] = static_cast<std::uint8_t>(
        (((top[i] * top_weight) >> 16) + ((bottom[i] * bottom_weight) >> 16) + 2) >> 2);
}
#else
// The windows of as many groups as a vector has blocks of 16 bytes.
template <class D8>
HWY_INLINE hn::Vec<D8> LoadWindows(D8, const std::uint8_t* row, const std::uint32_t* base) {
  const hn::CappedTag<std::uint8_t, 16> block;
  if constexpr (hn::MaxLanes(D8()) == 16) {
    return hn::LoadU(block, row + base[0]);
  } else {
    const hn::Half<D8> half;
    constexpr std::size_t kBlocks = hn::MaxLanes(half) / 16;
    return hn::Combine(D8(), LoadWindows(half, row, base + kBlocks), LoadWindows(half, row, base));
  }
}

// Bytes as numbers of 16 bits, times 128.
template <class D8>
HWY_INLINE auto PickBytes(D8 d8, hn::Vec<D8> low, hn::Vec<D8> high, bool two_halves,
                          const std::vector<std::uint8_t>* places, std::size_t at) {
  const hn::Repartition<std::int16_t, D8> d16;
  auto bytes = hn::TableLookupBytesOr0(low, hn::LoadU(d8, places[0].data() + at));
  if (two_halves) bytes = hn::Or(bytes, hn::TableLookupBytesOr0(high, hn::LoadU(d8, places[1].data() + at)));
  return hn::ShiftLeft<7>(hn::BitCast(d16, bytes));
}

template <bool kTwoHalves, class D8>
HWY_INLINE void MixGroups(D8 d8, const std::uint8_t* row, const RowScalePlan::Windows& windows,
                          std::size_t group, std::int16_t* mixed) {
  const hn::Repartition<std::int16_t, D8> d16;
  const auto low = LoadWindows(d8, row, windows.base.data() + group);
  const auto high = kTwoHalves ? LoadWindows(d8, row + 16, windows.base.data() + group) : low;
  const auto major = PickBytes(d8, low, high, kTwoHalves, windows.major, group * 16);
  const auto minor = PickBytes(d8, low, high, kTwoHalves, windows.minor, group * 16);
  const auto weight = hn::LoadU(d16, windows.weight.data() + group * 8);
  hn::StoreU(hn::Add(major, hn::MulHigh(hn::Sub(major, minor), weight)), d16, mixed + group * 8);
}

template <bool kTwoHalves>
HWY_INLINE void MixAllGroups(const std::uint8_t* row, const RowScalePlan::Windows& windows,
                             std::int16_t* mixed) {
  const hn::CappedTag<std::uint8_t, 64> d8;
  const hn::CappedTag<std::uint8_t, 16> block;
  const std::size_t groups = windows.base.size(), step = hn::Lanes(d8) / 16;
  std::size_t group = 0;
  for (; group + step <= groups; group += step)
    MixGroups<kTwoHalves>(d8, row, windows, group, mixed);
  for (; group < groups; ++group)
    MixGroups<kTwoHalves>(block, row, windows, group, mixed);
}

void MixWindows(const std::uint8_t* row, const RowScalePlan::Windows& windows, std::int16_t* mixed) {
  if (windows.two_halves) {
    MixAllGroups<true>(row, windows, mixed);
  } else {
    MixAllGroups<false>(row, windows, mixed);
  }
}

template <class D16>
HWY_INLINE void MixRowsStep(D16 d16, const std::int16_t* top, const std::int16_t* bottom,
                            hn::Vec<D16> top_weight, hn::Vec<D16> bottom_weight, std::uint8_t* out) {
  const hn::Rebind<std::uint8_t, D16> d8;
  const auto above = hn::MulHigh(hn::LoadU(d16, top), top_weight);
  const auto below = hn::MulHigh(hn::LoadU(d16, bottom), bottom_weight);
  const auto sum = hn::Add(hn::Add(above, below), hn::Set(d16, 2));
  hn::StoreU(hn::DemoteTo(d8, hn::ShiftRight<2>(sum)), d8, out);
}

void MixTwoRows(const std::int16_t* top, const std::int16_t* bottom, std::int16_t top_weight,
                std::int16_t bottom_weight, std::size_t count, std::uint8_t* out) {
  const hn::ScalableTag<std::int16_t> d16;
  const hn::CappedTag<std::int16_t, 1> one;
  const auto top_weights = hn::Set(d16, top_weight), bottom_weights = hn::Set(d16, bottom_weight);
  std::size_t i = 0;
  for (; i + hn::Lanes(d16) <= count; i += hn::Lanes(d16))
    MixRowsStep(d16, top + i, bottom + i, top_weights, bottom_weights, out + i);
  for (; i < count; ++i)
    MixRowsStep(one, top + i, bottom + i, hn::Set(one, top_weight), hn::Set(one, bottom_weight), out + i);
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(MixWindows);
HWY_EXPORT(MixTwoRows);
constexpr std::uint8_t kNoByte = 0x80;

}  // namespace

RowScalePlan::RowScalePlan(std::size_t from, std::size_t to, std::size_t channels)
    : channels_(channels),
      row_bytes_(from * channels),
      values_(to * channels),
      groups_((values_ + kGroup - 1) / kGroup),
      taps_(LinearTaps(from, to, true)) {
  by_windows_ = PlaceWindows(16) || PlaceWindows(32);
}

bool RowScalePlan::PlaceWindows(std::size_t window) {
  if (row_bytes_ < window) return false;
  windows_.two_halves = window > 16;
  odd_.clear();
  windows_.base.resize(groups_);
  windows_.weight.resize(groups_ * kGroup);
  for (auto* places : {windows_.major, windows_.minor})
    for (int half = 0; half < 2; ++half)
      places[half].assign(groups_ * 2 * kGroup, kNoByte);
  for (std::size_t group = 0; group < groups_; ++group)
    if (!PlaceGroup(group, window)) return false;
  return true;
}

bool RowScalePlan::PlaceGroup(std::size_t group, std::size_t window) {
  const std::size_t begin = group * kGroup, end = std::min(begin + kGroup, values_);
  const auto start = static_cast<std::size_t>(taps_[begin / channels_].first) * channels_;
  const std::size_t base = std::min(start, row_bytes_ - window);
  windows_.base[group] = static_cast<std::uint32_t>(base);
  const auto put = [&](std::vector<std::uint8_t>* places, std::size_t value, std::size_t at) {
    places[at / 16][2 * value] = static_cast<std::uint8_t>(at % 16);
  };
  for (std::size_t value = begin; value < end; ++value) {
    const LinearTap& tap = taps_[value / channels_];
    const std::size_t channel = value % channels_;
    const std::size_t first = static_cast<std::size_t>(tap.first) * channels_ + channel - base;
    const std::size_t second = static_cast<std::size_t>(tap.second) * channels_ + channel - base;
    if (first >= window || second >= window) return false;
    const bool first_is_major = tap.first_weight >= tap.second_weight;
    put(windows_.major, value, first_is_major ? first : second);
    put(windows_.minor, value, first_is_major ? second : first);
    windows_.weight[value] = static_cast<std::int16_t>(-32 * std::min(tap.first_weight, tap.second_weight));
    if (tap.first_weight + tap.second_weight != kScaleOne) odd_.push_back(static_cast<std::uint32_t>(value));
  }
  return true;
}

void RowScalePlan::MixOne(const std::uint8_t* row, std::size_t value, std::int16_t* mixed) const {
  const LinearTap& tap = taps_[value / channels_];
  const std::size_t channel = value % channels_;
  const int first = row[static_cast<std::size_t>(tap.first) * channels_ + channel];
  const int second = row[static_cast<std::size_t>(tap.second) * channels_ + channel];
  mixed[value] = static_cast<std::int16_t>((first * tap.first_weight + second * tap.second_weight) >> 4);
}

void RowScalePlan::MixEach(const std::uint8_t* row, std::int16_t* mixed) const {
  for (const LinearTap& tap : taps_) {
    const std::uint8_t* const first = row + static_cast<std::size_t>(tap.first) * channels_;
    const std::uint8_t* const second = row + static_cast<std::size_t>(tap.second) * channels_;
    for (std::size_t channel = 0; channel < channels_; ++channel)
      *mixed++ = static_cast<std::int16_t>(
          (first[channel] * tap.first_weight + second[channel] * tap.second_weight) >> 4);
  }
}

void RowScalePlan::Mix(const std::uint8_t* row, std::int16_t* mixed) const {
  if (!by_windows_) {
    MixEach(row, mixed);
    return;
  }
  HWY_DYNAMIC_DISPATCH(MixWindows)(row, windows_, mixed);
  for (const std::uint32_t value : odd_)
    MixOne(row, value, mixed);
}

void MixRows(const std::int16_t* top, const std::int16_t* bottom, std::int16_t top_weight,
             std::int16_t bottom_weight, std::size_t count, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(MixTwoRows)(top, bottom, top_weight, bottom_weight, count, out);
}

}  // namespace foothold
#endif
