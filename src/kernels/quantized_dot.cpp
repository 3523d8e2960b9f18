// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/quantized_dot.h"

#include <algorithm>
#include <cstring>

#include "kernels/gemm_pack.h"
#include "kernels/quantized_rows.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quantized_dot.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef FOOTHOLD_KERNELS_QUANTIZED_DOT_SHARED
#define FOOTHOLD_KERNELS_QUANTIZED_DOT_SHARED
namespace foothold {
namespace {

// Where the parts of an arranged row are. A vector of weights, taken as numbers of 16 bits, holds 2 or 4
// weights in each; a chunk is the weights of such a vector.
struct DotRowParts {
  std::size_t chunk, chunks;
  std::size_t starts, scales, bytes;  // offsets of what comes after the numbers
};

inline DotRowParts DotRowPartsOf(std::size_t chunk, std::size_t depth) {
  DotRowParts parts{chunk, Parts(depth, chunk), 0, 0, 0};
  const std::size_t padded = parts.chunks * chunk;
  parts.starts = RoundUp(padded * sizeof(std::int16_t), 64);
  parts.scales = parts.starts + RoundUp(padded / 4 * sizeof(std::int32_t), 64);
  // The last load of scales begins inside and takes a whole vector.
  parts.bytes = parts.scales + RoundUp((padded / kQuantizedBlock + 33) * sizeof(float), 64);
  return parts;
}

constexpr std::size_t kMostScales = 256;  // of a part of a column whose scales are multiplied ahead

}  // namespace
}  // namespace foothold
#endif

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

std::size_t ChunkOf(WeightBits) {
  return 0;
}
void DotsOf(WeightBits, const DotRowParts&, std::size_t, const std::byte*, const std::byte*, const float*,
            std::size_t, float*) {}

#else

using Wide = hn::ScalableTag<std::int32_t>;
using Narrow = hn::Repartition<std::int16_t, Wide>;
using Sums = hn::Repartition<float, Wide>;

std::size_t ChunkOf(WeightBits bits) {
  return hn::Lanes(Narrow()) * (bits == WeightBits::kFour ? 4 : 2);
}

HWY_INLINE hn::Vec<Wide> PairSums(hn::Vec<Narrow> a, hn::Vec<Narrow> x, hn::Vec<Narrow> b,
                                  hn::Vec<Narrow> y) {
  const Wide d;
  auto more = hn::Zero(d);
  auto sums = hn::ReorderWidenMulAccumulate(d, a, x, hn::Zero(d), more);
  sums = hn::ReorderWidenMulAccumulate(d, b, y, sums, more);
  return hn::RearrangeToOddPlusEven(sums, more);
}

// The sums of one chunk. Weights of 4 bits are made 0 ... 15 by turning their signs; the row's `starts` take
// the eights away again. Two of the four are left where they are, 256 times too large.
struct FourBits {
  static constexpr std::size_t kPerNumber = 4;
  static HWY_INLINE hn::Vec<Wide> Sum(hn::Vec<Narrow> weights, const std::int16_t* x,
                                      const std::int32_t* starts) {
    const Narrow d;
    const Wide wide;
    const std::size_t lanes = hn::Lanes(d);
    const auto low = hn::Set(d, 0x000F), high = hn::Set(d, 0x0F00);
    weights = hn::Xor(weights, hn::Set(d, static_cast<std::int16_t>(0x8888)));
    const auto shifted = hn::ShiftRight<4>(weights);
    const auto small =
        PairSums(hn::And(weights, low), hn::Load(d, x), hn::And(shifted, low), hn::Load(d, x + lanes));
    const auto large = PairSums(hn::And(weights, high), hn::Load(d, x + 2 * lanes), hn::And(shifted, high),
                                hn::Load(d, x + 3 * lanes));
    return hn::Add(hn::Add(small, hn::Load(wide, starts)), hn::ShiftRight<8>(large));
  }
};

struct EightBits {
  static constexpr std::size_t kPerNumber = 2;
  static HWY_INLINE hn::Vec<Wide> Sum(hn::Vec<Narrow> weights, const std::int16_t* x, const std::int32_t*) {
    const Narrow d;
    return PairSums(hn::ShiftRight<8>(hn::ShiftLeft<8>(weights)), hn::Load(d, x), hn::ShiftRight<8>(weights),
                    hn::Load(d, x + hn::Lanes(d)));
  }
};

// Each lane of sums gets the scale of its block.
template <typename Kind>
struct DotScales {
  decltype(hn::IndicesFromVec(Sums(), hn::Zero(Wide()))) indices;

  DotScales() : indices(hn::IndicesFromVec(Sums(), Indices())) {}
  static hn::Vec<Wide> Indices() {
    const Wide d;
    HWY_ALIGN std::int32_t places[hn::MaxLanes(Wide())];
    for (std::size_t i = 0; i < hn::Lanes(d); ++i)
      places[i] = static_cast<std::int32_t>(i * 2 * Kind::kPerNumber / kQuantizedBlock);
    return hn::Load(d, places);
  }
  HWY_INLINE hn::Vec<Sums> At(const float* scales) const {
    return hn::TableLookupLanes(hn::LoadU(Sums(), scales), indices);
  }
};

// Two columns at a time share the loads of the row.
struct DotPair {
  const std::int16_t* first;
  const std::int16_t* second;
  const float* first_scales;
  const float* second_scales;
};

// Chunks begin ... end of `row`; the columns and scales begin with them.
template <typename Kind>
HWY_INLINE void DotChunks(const DotPair& pair, const std::byte* row, const DotRowParts& parts,
                          std::size_t begin, std::size_t end, const DotScales<Kind>& scaling, float* out) {
  const Narrow d;
  const Sums floats;
  const std::size_t lanes = hn::Lanes(d);
  const auto* x = reinterpret_cast<const std::int16_t*>(row);
  const auto* starts = reinterpret_cast<const std::int32_t*>(row + parts.starts);
  auto a = hn::Zero(floats), b = a;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t block = (i * parts.chunk - begin * parts.chunk) / kQuantizedBlock;
    const std::int16_t* numbers = x + i * parts.chunk;
    const std::int32_t* start = starts + i * lanes / 2;
    const auto one = Kind::Sum(hn::LoadU(d, pair.first + (i - begin) * lanes), numbers, start);
    const auto two = Kind::Sum(hn::LoadU(d, pair.second + (i - begin) * lanes), numbers, start);
    a = hn::MulAdd(hn::ConvertTo(floats, one), scaling.At(pair.first_scales + block), a);
    b = hn::MulAdd(hn::ConvertTo(floats, two), scaling.At(pair.second_scales + block), b);
  }
  out[0] += hn::GetLane(hn::SumOfLanes(floats, a));
  out[1] += hn::GetLane(hn::SumOfLanes(floats, b));
}

// Of `blocks` blocks from the row's and the column's; what is past them is zero.
void MultiplyScales(const float* row, const float* column, std::size_t blocks, float* to) {
  const Sums d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= blocks; i += hn::Lanes(d))
    hn::StoreU(hn::Mul(hn::LoadU(d, row + i), hn::LoadU(d, column + i)), d, to + i);
  for (; i < blocks; ++i)
    to[i] = row[i] * column[i];
  for (const std::size_t end = i + hn::Lanes(d); i < end; ++i)
    to[i] = 0;
}

// One or two columns, in parts whose scales stay in the first cache. The chunk that reaches past the end of a
// column is copied first.
template <typename Kind>
void DotColumns(const DotRowParts& parts, std::size_t depth, const std::byte* row, const std::byte* weights,
                const float* scales, std::size_t columns, const DotScales<Kind>& scaling, float* out) {
  const std::size_t lanes = hn::Lanes(Narrow()), blocks = depth / kQuantizedBlock;
  const std::size_t bytes = depth * 2 / Kind::kPerNumber, second = columns > 1 ? 1 : 0;
  const auto* row_scales = reinterpret_cast<const float*>(row + parts.scales);
  HWY_ALIGN float factors[2][kMostScales + hn::MaxLanes(Sums())];
  float sums[2] = {0, 0};
  const std::size_t whole = depth / parts.chunk, step = kMostScales * kQuantizedBlock / parts.chunk;
  for (std::size_t begin = 0; begin < parts.chunks; begin += step) {
    const std::size_t end = std::min(begin + step, parts.chunks),
                      block = begin * parts.chunk / kQuantizedBlock;
    const std::size_t count = std::min(kMostScales, blocks - block);
    for (std::size_t i = 0; i <= second; ++i)
      MultiplyScales(row_scales + block, scales + i * blocks + block, count, factors[i]);
    const auto at = [&](std::size_t column) {
      return reinterpret_cast<const std::int16_t*>(weights + column * bytes) + begin * lanes;
    };
    DotChunks<Kind>({at(0), at(second), factors[0], factors[second]}, row, parts, begin, std::min(end, whole),
                    scaling, sums);
    if (end <= whole) continue;
    HWY_ALIGN std::int16_t rest[2][hn::MaxLanes(Narrow())] = {};
    const std::size_t done = whole * lanes * sizeof(std::int16_t);
    for (std::size_t i = 0; i <= second; ++i)
      std::memcpy(rest[i], weights + i * bytes + done, bytes - done);
    const std::size_t last = whole * parts.chunk / kQuantizedBlock - block;
    DotChunks<Kind>({rest[0], rest[second], factors[0] + last, factors[second] + last}, row, parts, whole,
                    end, scaling, sums);
  }
  std::copy_n(sums, columns, out);
}

template <typename Kind>
void DotsOfKind(const DotRowParts& parts, std::size_t depth, const std::byte* row, const std::byte* weights,
                const float* scales, std::size_t columns, float* out) {
  const std::size_t bytes = depth * 2 / Kind::kPerNumber, blocks = depth / kQuantizedBlock;
  const DotScales<Kind> scaling;
  for (std::size_t j = 0; j < columns; j += 2)
    DotColumns<Kind>(parts, depth, row, weights + j * bytes, scales + j * blocks,
                     std::min<std::size_t>(2, columns - j), scaling, out + j);
}

void DotsOf(WeightBits bits, const DotRowParts& parts, std::size_t depth, const std::byte* row,
            const std::byte* weights, const float* scales, std::size_t columns, float* out) {
  if (bits == WeightBits::kFour)
    DotsOfKind<FourBits>(parts, depth, row, weights, scales, columns, out);
  else
    DotsOfKind<EightBits>(parts, depth, row, weights, scales, columns, out);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(ChunkOf);
HWY_EXPORT(DotsOf);

DotRowParts PartsOf(WeightBits bits, std::size_t depth) {
  return DotRowPartsOf(HWY_DYNAMIC_DISPATCH(ChunkOf)(bits), depth);
}

// What makes up for weights of 4 bits that are eight too large, in each sum.
void WriteStarts(const std::int16_t* numbers, std::size_t depth, std::int32_t* to) {
  constexpr std::size_t kPerSum = 8;
  for (std::size_t i = 0; i < depth; i += kPerSum) {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < kPerSum; ++k)
      sum += numbers[i + k];
    *to++ = -8 * sum;
  }
}

}  // namespace

std::size_t DotRowBytes(WeightBits bits, std::size_t depth) {
  return HWY_DYNAMIC_DISPATCH(ChunkOf)(bits) == 0 ? 0 : PartsOf(bits, depth).bytes;
}

void ArrangeDotRow(WeightBits bits, std::size_t depth, const std::int16_t* numbers, const float* scales,
                   std::byte* to) {
  const DotRowParts parts = PartsOf(bits, depth);
  std::memset(to, 0, parts.bytes);
  auto* arranged = reinterpret_cast<std::int16_t*>(to);
  const std::size_t together = bits == WeightBits::kFour ? 4 : 2, lanes = parts.chunk / together;
  for (std::size_t begin = 0; begin < depth; begin += parts.chunk)
    for (std::size_t k = 0, left = std::min(parts.chunk, depth - begin); k < left; ++k)
      arranged[begin + k % together * lanes + k / together] = numbers[begin + k];
  if (bits == WeightBits::kFour)
    WriteStarts(numbers, depth, reinterpret_cast<std::int32_t*>(to + parts.starts));
  std::copy_n(scales, depth / kQuantizedBlock, reinterpret_cast<float*>(to + parts.scales));
}

void RunDots(WeightBits bits, std::size_t depth, const std::byte* row, const std::byte* weights,
             const float* scales, std::size_t columns, float* out) {
  HWY_DYNAMIC_DISPATCH(DotsOf)(bits, PartsOf(bits, depth), depth, row, weights, scales, columns, out);
}

}  // namespace foothold
#endif
