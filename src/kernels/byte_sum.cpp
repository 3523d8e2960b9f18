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

std::uint32_t SumOf(const std::uint8_t* at, std::size_t count, std::size_t every, std::size_t phase) {
  std::uint64_t sum = count;
  for (std::size_t i = phase * sizeof sum; i < count; i += every * sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, at + i, std::min(sizeof word, count - i));
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u + (sum >> 47);
  }
  return static_cast<std::uint32_t>(sum ^ sum >> 32);
}

#else

namespace hn = hwy::HWY_NAMESPACE;

// Four sums that need not wait for one another. A word that changes changes its sum. Words are mixed with
// their place, and sums turn between two additions, so that equal changes of many words do not add up to
// none.
struct TurningSums {
  using D = hn::CappedTag<std::uint64_t, 8>;
  using V = hn::Vec<D>;

  V a, b, c, e, place;

  static TurningSums Begin() {
    const D d;
    const V lanes = hn::Mul(hn::Iota(d, 1), hn::Set(d, 0xC2B2AE3D27D4EB4Fu));
    return {lanes, lanes, lanes, lanes, lanes};
  }
  V Turn(V sum, V words) const { return hn::RotateRight<41>(hn::Add(sum, hn::Xor(words, place))); }
  void Add(const std::uint8_t* at) {
    const D d;
    const hn::Repartition<std::uint8_t, D> bytes;
    const std::size_t step = hn::Lanes(bytes);
    const auto words = [&](std::size_t i) { return hn::BitCast(d, hn::LoadU(bytes, at + i * step)); };
    a = Turn(a, words(0));
    b = Turn(b, words(1));
    c = Turn(c, words(2));
    e = Turn(e, words(3));
    place = hn::Add(place, hn::Set(d, 0x9E3779B97F4A7C15u));
  }
  // Each lane counts by its place as well. Products turn, for the highest bits of a word reach no others of
  // its product, and equal changes of several words would add up to none.
  std::uint32_t All(std::uint64_t start) const {
    const D d;
    const hn::Repartition<std::uint32_t, D> halves;
    const auto join = [&](V x, V y) {
      return hn::Add(hn::RotateRight<43>(hn::Mul(x, hn::Set(d, 0x9E3779B97F4A7C15u))), y);
    };
    const V all = join(join(join(a, b), c), e);
    const V half = hn::Xor(all, hn::ShiftRight<32>(all));
    const auto times = [&](V x, V y) { return hn::MulEven(hn::BitCast(halves, x), hn::BitCast(halves, y)); };
    const V factors = hn::Or(times(hn::Iota(d, 1), hn::Set(d, 0x9E3779B1u)), hn::Set(d, 1));
    const V products = times(half, factors);
    const std::uint64_t sum = hn::GetLane(hn::SumOfLanes(d, products)) + start * 0x9E3779B97F4A7C15u;
    return static_cast<std::uint32_t>(sum ^ sum >> 32);
  }
};

std::uint32_t SumOf(const std::uint8_t* at, std::size_t count, std::size_t every, std::size_t phase) {
  const TurningSums::D d;
  const std::size_t step = 4 * hn::Lanes(d) * sizeof(std::uint64_t);
  TurningSums sums = TurningSums::Begin();
  const std::size_t whole = count / step * step;
  for (std::size_t i = phase * step; i < whole; i += every * step)
    sums.Add(at + i);
  if (whole < count) {
    std::uint8_t rest[4 * 64] = {};
    std::memcpy(rest, at + whole, count - whole);
    sums.Add(rest);
  }
  return sums.All(count);
}

#endif

void SumPieces(const std::uint8_t* bytes, std::size_t count, std::size_t piece, std::size_t every,
               std::size_t phase, std::uint32_t* sums) {
  for (std::size_t at = 0; at < count; at += piece)
    *sums++ = SumOf(bytes + at, std::min(piece, count - at), every, phase);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(SumPieces);

}  // namespace

void SumBytes(const void* bytes, std::size_t count, std::size_t piece, std::size_t every, std::size_t phase,
              std::uint32_t* sums) {
  HWY_DYNAMIC_DISPATCH(SumPieces)(static_cast<const std::uint8_t*>(bytes), count, piece, every, phase, sums);
}

}  // namespace foothold
#endif
