// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/byte_sum.h"

#include <algorithm>
#include <cstring>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/byte_sum.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

std::uint64_t MixedSum(const std::uint8_t* at, std::size_t count, std::size_t every, std::size_t phase) {
  std::uint64_t sum = count;
  for (std::size_t i = phase * sizeof sum; i < count; i += every * sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, at + i, std::min(sizeof word, count - i));
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u + (sum >> 47);
  }
  return sum;
}

#else

namespace hn = hwy::HWY_NAMESPACE;

// Four sums that need not wait for one another. Each word is mixed with its place, then its halves are
// multiplied; the word itself is added as well, for a half may be zero.
struct MixedSums {
  using D = hn::CappedTag<std::uint64_t, 8>;
  using V = hn::Vec<D>;

  V a, b, c, e, place;

  static V Mix(V sum, V words, V place) {
    const hn::Repartition<std::uint32_t, D> halves;
    const V mixed = hn::Xor(words, place);
    const V product = hn::MulEven(hn::BitCast(halves, mixed), hn::BitCast(halves, hn::ShiftRight<32>(mixed)));
    return hn::Add(hn::Add(sum, words), product);
  }
  void Add(const std::uint8_t* at) {
    const D d;
    const hn::Repartition<std::uint8_t, D> bytes;
    const std::size_t step = hn::Lanes(bytes);
    const auto words = [&](std::size_t i) { return hn::BitCast(d, hn::LoadU(bytes, at + i * step)); };
    a = Mix(a, words(0), place);
    b = Mix(b, words(1), place);
    c = Mix(c, words(2), place);
    e = Mix(e, words(3), place);
    place = hn::Add(place, hn::Set(d, 0x9E3779B97F4A7C15u));
  }
};

std::uint64_t MixedSum(const std::uint8_t* at, std::size_t count, std::size_t every, std::size_t phase) {
  const MixedSums::D d;
  const std::size_t step = 4 * hn::Lanes(d) * sizeof(std::uint64_t);
  const auto begin = hn::Iota(d, 0xC2B2AE3D27D4EB4Fu);
  MixedSums sums{begin, begin, begin, begin, hn::Iota(d, 0x165667B19E3779F9u)};
  const std::size_t whole = count / step * step;
  for (std::size_t i = phase * step; i < whole; i += every * step)
    sums.Add(at + i);
  if (whole < count) {
    std::uint8_t rest[4 * 64] = {};
    std::memcpy(rest, at + whole, count - whole);
    sums.Add(rest);
  }
  const auto pair = [&](MixedSums::V x, MixedSums::V y) { return hn::Xor(x, hn::RotateRight<23>(y)); };
  const MixedSums::V all = hn::Add(pair(sums.a, sums.b), hn::RotateRight<11>(pair(sums.c, sums.e)));
  std::uint64_t lanes[8], sum = count;
  hn::StoreU(all, d, lanes);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i)
    sum = (sum ^ lanes[i]) * 0x9E3779B97F4A7C15u + (sum >> 47);
  return sum;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(MixedSum);

}  // namespace

std::uint64_t SumOfBytes(const void* bytes, std::size_t count, std::size_t every, std::size_t phase) {
  return HWY_DYNAMIC_DISPATCH(MixedSum)(static_cast<const std::uint8_t*>(bytes), count, every, phase);
}

}  // namespace foothold
#endif
