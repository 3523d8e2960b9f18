// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/quantized_dot.h"

#include <algorithm>
#include <cstring>

#include "kernels/gemm_pack.h"
#include "kernels/half_float.h"
#include "kernels/quantized_rows.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quantized_dot.cpp"
#endif
#include "hwy/cache_control.h"
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
  std::size_t scales, bytes;  // the offset of what comes after the numbers, and the end
};

inline DotRowParts DotRowPartsOf(std::size_t chunk, std::size_t depth) {
  DotRowParts parts{chunk, Parts(depth, chunk), 0, 0};
  const std::size_t padded = parts.chunks * chunk;
  parts.scales = RoundUp(padded * sizeof(std::int16_t), 64);
  parts.bytes = parts.scales + RoundUp(Parts(padded, kQuantizedBlock) * sizeof(float), 64);
  return parts;
}

// What weights of 4 bits are too large by where they are multiplied.
constexpr float kTooLarge = 4096.0f;
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
void DotsOf(const DotColumns&, const DotRowParts&, const std::byte*, float*) {}

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

// The sums of one chunk. Weights of 4 bits are moved to the top of a number, where they keep their sign and
// are 4096 times too large; eight products of them with numbers of 14 bits still fit into 32.
struct FourBits {
  static constexpr std::size_t kPerNumber = 4;
  // The numbers of the row, loaded once for all columns.
  hn::Vec<Narrow> first, second, third, fourth;

  explicit HWY_INLINE FourBits(const std::int16_t* x)
      : first(hn::Load(Narrow(), x)),
        second(hn::Load(Narrow(), x + hn::Lanes(Narrow()))),
        third(hn::Load(Narrow(), x + 2 * hn::Lanes(Narrow()))),
        fourth(hn::Load(Narrow(), x + 3 * hn::Lanes(Narrow()))) {}
  HWY_INLINE hn::Vec<Wide> Sum(hn::Vec<Narrow> weights) const {
    const auto top = hn::Set(Narrow(), static_cast<std::int16_t>(0xF000));
    return hn::Add(
        PairSums(hn::ShiftLeft<12>(weights), first, hn::And(hn::ShiftLeft<8>(weights), top), second),
        PairSums(hn::And(hn::ShiftLeft<4>(weights), top), third, hn::And(weights, top), fourth));
  }
};

struct EightBits {
  static constexpr std::size_t kPerNumber = 2;
  hn::Vec<Narrow> first, second;

  explicit HWY_INLINE EightBits(const std::int16_t* x)
      : first(hn::Load(Narrow(), x)), second(hn::Load(Narrow(), x + hn::Lanes(Narrow()))) {}
  HWY_INLINE hn::Vec<Wide> Sum(hn::Vec<Narrow> weights) const {
    return PairSums(hn::ShiftRight<8>(hn::ShiftLeft<8>(weights)), first, hn::ShiftRight<8>(weights), second);
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
    return hn::TableLookupLanes(hn::LoadDup128(Sums(), scales), indices);
  }
};

// Two columns at a time share the loads of the row.
struct DotPair {
  const std::int16_t* first;
  const std::int16_t* second;
  const float* first_scales;
  const float* second_scales;
  std::size_t ahead;  // numbers to what is fetched ahead
};

// The sums of chunks begin ... end of `row`; the columns and scales begin with them.
template <typename Kind>
HWY_INLINE void DotChunks(const DotPair& pair, const std::int16_t* row, std::size_t begin, std::size_t end,
                          const DotScales<Kind>& scaling, float* out) {
  const Narrow d;
  const Sums floats;
  const std::size_t lanes = hn::Lanes(d), chunk = lanes * Kind::kPerNumber;
  auto a = hn::Zero(floats), b = a;
  for (std::size_t i = 0; i < end - begin; ++i) {
    const Kind numbers(row + (begin + i) * chunk);
    hwy::Prefetch(pair.first + i * lanes + pair.ahead);
    hwy::Prefetch(pair.second + i * lanes + pair.ahead);
    const auto one = numbers.Sum(hn::LoadU(d, pair.first + i * lanes));
    const auto two = numbers.Sum(hn::LoadU(d, pair.second + i * lanes));
    const std::size_t block = i * chunk / kQuantizedBlock;
    a = hn::MulAdd(hn::ConvertTo(floats, one), scaling.At(pair.first_scales + block), a);
    b = hn::MulAdd(hn::ConvertTo(floats, two), scaling.At(pair.second_scales + block), b);
  }
  out[0] += hn::GetLane(hn::SumOfLanes(floats, a));
  out[1] += hn::GetLane(hn::SumOfLanes(floats, b));
}

HWY_INLINE hn::Vec<Sums> LoadScales(const float* scales) {
  return hn::LoadU(Sums(), scales);
}
HWY_INLINE hn::Vec<Sums> LoadScales(const std::uint16_t* scales) {
  const hn::Rebind<hwy::float16_t, Sums> half;
  return hn::PromoteTo(Sums(), hn::LoadU(half, reinterpret_cast<const hwy::float16_t*>(scales)));
}
float OneScale(float scale) {
  return scale;
}
float OneScale(std::uint16_t scale) {
  return FloatFromFloat16(scale);
}

// Of `blocks` blocks from the row's and the column's; what is past them is zero.
template <typename Scale>
void MultiplyScales(const float* row, const Scale* column, std::size_t blocks, float* to) {
  const Sums d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= blocks; i += hn::Lanes(d))
    hn::StoreU(hn::Mul(hn::LoadU(d, row + i), LoadScales(column + i)), d, to + i);
  for (; i < blocks; ++i)
    to[i] = row[i] * OneScale(column[i]);
  for (const std::size_t end = i + hn::Lanes(d); i < end; ++i)
    to[i] = 0;
}

// One or two columns.
template <typename Kind, typename Scale>
struct ColumnPair {
  const DotColumns& columns;
  const DotRowParts& parts;
  const std::byte* row;
  const Scale* scales;
  const DotScales<Kind>& scaling;
  std::size_t first, second;  // the same, if there is one

  std::size_t Bytes() const { return columns.depth * 2 / Kind::kPerNumber; }
  const std::byte* WeightsOf(std::size_t column) const { return columns.weights + column * Bytes(); }

  // Parts of the depth whose scales stay in the first cache.
  void Run(float* sums) const {
    const std::size_t step = kMostScales * kQuantizedBlock / parts.chunk;
    for (std::size_t begin = 0; begin < parts.chunks; begin += step)
      RunPart(begin, std::min(begin + step, parts.chunks), sums);
  }

  void RunPart(std::size_t begin, std::size_t end, float* sums) const {
    HWY_ALIGN float factors[2][kMostScales + hn::MaxLanes(Sums())];
    const std::size_t blocks = columns.depth / kQuantizedBlock, block = begin * parts.chunk / kQuantizedBlock;
    const std::size_t count = std::min(kMostScales, blocks - block), lanes = hn::Lanes(Narrow());
    const auto* row_scales = reinterpret_cast<const float*>(row + parts.scales) + block;
    MultiplyScales(row_scales, scales + first * blocks + block, count, factors[0]);
    MultiplyScales(row_scales, scales + second * blocks + block, count, factors[1]);
    const auto at = [&](std::size_t column) {
      return reinterpret_cast<const std::int16_t*>(WeightsOf(column)) + begin * lanes;
    };
    const std::size_t whole = columns.depth / parts.chunk;
    DotChunks<Kind>({at(first), at(second), factors[0], factors[1], Bytes()},
                    reinterpret_cast<const std::int16_t*>(row), begin, std::min(end, whole), scaling, sums);
    if (end > whole)
      RunRest(whole, factors[0] + (whole * parts.chunk / kQuantizedBlock - block),
              factors[1] + (whole * parts.chunk / kQuantizedBlock - block), sums);
  }

  // The chunk that reaches past the ends of the columns.
  void RunRest(std::size_t whole, const float* first_scales, const float* second_scales, float* sums) const {
    HWY_ALIGN std::int16_t rest[2][hn::MaxLanes(Narrow())] = {};
    const std::size_t done = whole * hn::Lanes(Narrow()) * sizeof(std::int16_t);
    std::memcpy(rest[0], WeightsOf(first) + done, Bytes() - done);
    std::memcpy(rest[1], WeightsOf(second) + done, Bytes() - done);
    DotChunks<Kind>({rest[0], rest[1], first_scales, second_scales, 0},
                    reinterpret_cast<const std::int16_t*>(row), whole, whole + 1, scaling, sums);
  }
};

template <typename Kind, typename Scale>
void DotsOfKind(const DotColumns& columns, const DotRowParts& parts, const Scale* scales,
                const std::byte* row, float* out) {
  const DotScales<Kind> scaling;
  for (std::size_t j = 0; j < columns.count; j += 2) {
    const std::size_t count = std::min<std::size_t>(2, columns.count - j);
    float sums[2] = {0, 0};
    ColumnPair<Kind, Scale>{columns, parts, row, scales, scaling, j, j + count - 1}.Run(sums);
    std::copy_n(sums, count, out + j);
  }
}

template <typename Scale>
void DotsWith(const DotColumns& columns, const DotRowParts& parts, const Scale* scales, const std::byte* row,
              float* out) {
  if (columns.bits == WeightBits::kFour)
    DotsOfKind<FourBits>(columns, parts, scales, row, out);
  else
    DotsOfKind<EightBits>(columns, parts, scales, row, out);
}

void DotsOf(const DotColumns& columns, const DotRowParts& parts, const std::byte* row, float* out) {
  if (columns.scales != nullptr)
    DotsWith(columns, parts, columns.scales, row, out);
  else
    DotsWith(columns, parts, columns.half_scales, row, out);
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

}  // namespace

std::size_t DotRowBytes(WeightBits bits, std::size_t depth) {
  return HWY_DYNAMIC_DISPATCH(ChunkOf)(bits) == 0 ? 0 : PartsOf(bits, depth).bytes;
}

int MostOfDots(WeightBits bits) {
  return bits == WeightBits::kFour ? kFourteenBits : kSixteenBits;
}

void ArrangeDotRow(WeightBits bits, std::size_t depth, const std::int16_t* numbers, const float* scales,
                   std::byte* to) {
  const DotRowParts parts = PartsOf(bits, depth);
  auto* arranged = reinterpret_cast<std::int16_t*>(to);
  std::memset(to, 0, parts.bytes);
  const std::size_t together = bits == WeightBits::kFour ? 4 : 2, lanes = parts.chunk / together;
  for (std::size_t begin = 0; begin < depth; begin += parts.chunk)
    for (std::size_t lane = 0, end = std::min(parts.chunk, depth - begin) / together; lane < end; ++lane)
      for (std::size_t j = 0; j < together; ++j)
        arranged[begin + j * lanes + lane] = numbers[begin + lane * together + j];
  const float factor = bits == WeightBits::kFour ? 1.0f / kTooLarge : 1.0f;
  std::transform(scales, scales + depth / kQuantizedBlock, reinterpret_cast<float*>(to + parts.scales),
                 [=](float scale) { return scale * factor; });
}

void RunDots(const DotColumns& columns, const std::byte* row, float* out) {
  HWY_DYNAMIC_DISPATCH(DotsOf)(columns, PartsOf(columns.bits, columns.depth), row, out);
}

}  // namespace foothold
#endif
