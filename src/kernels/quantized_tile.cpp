// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/quantized_tile.h"

#include <algorithm>
#include <cstring>

#include "kernels/pair_rows.h"
#include "kernels/quantized_rows.h"
#include "kernels/transpose_tile.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quantized_tile.cpp"
#endif
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef FOOTHOLD_KERNELS_QUANTIZED_TILE_SHARED
#define FOOTHOLD_KERNELS_QUANTIZED_TILE_SHARED
namespace foothold {
namespace {
constexpr std::size_t kQuantizedRows = 6;
}  // namespace
}  // namespace foothold
#endif

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void UnpackWordsOf(WeightBits, const std::int32_t*, std::size_t, std::int32_t*) {}
void QuantizedTileOf(const QuantizedRows&, const QuantizedPanel&, float*) {}

#else

using Wide = hn::ScalableTag<std::int32_t>;
using Narrow = hn::Repartition<std::int16_t, Wide>;
using Sums = hn::Repartition<float, Wide>;

template <int kLeft, int kRight>
HWY_INLINE void StorePair(hn::Vec<Narrow> words, std::int32_t* to) {
  const auto numbers = hn::ShiftRight<kRight>(hn::ShiftLeft<kLeft>(words));
  hn::StoreU(hn::BitCast(Wide(), numbers), Wide(), to);
}

// Each word of 32 bits has 8 or 4 weights of one column, which become 4 or 2 pairs.
void UnpackWordsOf(WeightBits bits, const std::int32_t* words, std::size_t count, std::int32_t* pairs) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d), width = 2 * lanes;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t half = 0; half < width; half += lanes) {
      const auto word = hn::BitCast(Narrow(), hn::LoadU(d, words + i * width + half));
      std::int32_t* to = pairs + i * Together(bits) * width + half;
      if (bits == WeightBits::kEight) {
        StorePair<8, 8>(word, to);
        StorePair<0, 8>(word, to + width);
        continue;
      }
      StorePair<12, 12>(word, to);
      StorePair<8, 12>(word, to + width);
      StorePair<4, 12>(word, to + 2 * width);
      StorePair<0, 12>(word, to + 3 * width);
    }
}

// Where the sums of one block go.
struct BlockPlace {
  hn::Vec<Sums> first_scale, second_scale, first_offset, second_offset;
  bool offsets;
};

HWY_INLINE void AddBlock(const BlockPlace& place, float scale, float sum, hn::Vec<Wide> first,
                         hn::Vec<Wide> second, float* out) {
  const Sums d;
  auto a = hn::ConvertTo(d, first), b = hn::ConvertTo(d, second);
  if (place.offsets) {
    a = hn::MulAdd(place.first_offset, hn::Set(d, sum), a);
    b = hn::MulAdd(place.second_offset, hn::Set(d, sum), b);
  }
  const auto factor = hn::Set(d, scale);
  const std::size_t lanes = hn::Lanes(d);
  hn::StoreU(hn::MulAdd(a, hn::Mul(factor, place.first_scale), hn::LoadU(d, out)), d, out);
  hn::StoreU(hn::MulAdd(b, hn::Mul(factor, place.second_scale), hn::LoadU(d, out + lanes)), d, out + lanes);
}

// Twelve named sums: vectors whose size only the CPU knows cannot be in an array. The second of each is for
// targets that add the products of a pair in two places.
template <std::size_t kRows>
void BlockOf(const std::int32_t* pairs, const std::int32_t* weights, const float* scales, const float* sums,
             const BlockPlace& place, float* out) {
  const Wide d;
  const Narrow narrow;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  auto a0 = zero, b0 = zero, a1 = zero, b1 = zero, a2 = zero, b2 = zero;
  auto a3 = zero, b3 = zero, a4 = zero, b4 = zero, a5 = zero, b5 = zero;
  auto c0 = zero, d0 = zero, c1 = zero, d1 = zero, c2 = zero, d2 = zero;
  auto c3 = zero, d3 = zero, c4 = zero, d4 = zero, c5 = zero, d5 = zero;
  for (std::size_t p = 0; p < kQuantizedBlock / 2; ++p, pairs += kQuantizedRows, weights += 2 * lanes) {
    const auto first = hn::BitCast(narrow, hn::LoadU(d, weights));
    const auto second = hn::BitCast(narrow, hn::LoadU(d, weights + lanes));
    const auto add = [&](std::size_t row, auto& a, auto& c, auto& b, auto& e) HWY_ATTR {
      const auto factor = hn::BitCast(narrow, hn::Set(d, pairs[row]));
      a = hn::ReorderWidenMulAccumulate(d, factor, first, a, c);
      b = hn::ReorderWidenMulAccumulate(d, factor, second, b, e);
    };
    add(0, a0, c0, b0, d0);
    if constexpr (kRows > 1) add(1, a1, c1, b1, d1);
    if constexpr (kRows > 2) add(2, a2, c2, b2, d2);
    if constexpr (kRows > 3) add(3, a3, c3, b3, d3);
    if constexpr (kRows > 4) add(4, a4, c4, b4, d4);
    if constexpr (kRows > 5) add(5, a5, c5, b5, d5);
  }
  const auto store = [&](std::size_t row, auto a, auto c, auto b, auto e) HWY_ATTR {
    AddBlock(place, scales[row], sums[row], hn::RearrangeToOddPlusEven(a, c),
             hn::RearrangeToOddPlusEven(b, e), out + row * 2 * lanes);
  };
  store(0, a0, c0, b0, d0);
  if constexpr (kRows > 1) store(1, a1, c1, b1, d1);
  if constexpr (kRows > 2) store(2, a2, c2, b2, d2);
  if constexpr (kRows > 3) store(3, a3, c3, b3, d3);
  if constexpr (kRows > 4) store(4, a4, c4, b4, d4);
  if constexpr (kRows > 5) store(5, a5, c5, b5, d5);
}

template <std::size_t kRows>
void TileOfRows(const QuantizedRows& rows, const QuantizedPanel& panel, float* out) {
  const Sums d;
  const std::size_t lanes = hn::Lanes(d), width = 2 * lanes;
  const std::size_t per_block = kQuantizedBlock / 2;
  for (std::size_t block = 0; block < panel.depth / kQuantizedBlock; ++block) {
    const float* scales = panel.scales + block * width;
    const float* offsets = panel.offsets == nullptr ? scales : panel.offsets + block * width;
    const BlockPlace place{hn::LoadU(d, scales), hn::LoadU(d, scales + lanes), hn::LoadU(d, offsets),
                           hn::LoadU(d, offsets + lanes), panel.offsets != nullptr};
    BlockOf<kRows>(rows.pairs + block * per_block * kQuantizedRows, panel.pairs + block * per_block * width,
                   rows.scales + block * kQuantizedRows, rows.sums + block * kQuantizedRows, place, out);
  }
}

void QuantizedTileOf(const QuantizedRows& rows, const QuantizedPanel& panel, float* out) {
  switch (rows.count) {
    case 6:
      return TileOfRows<6>(rows, panel, out);
    case 5:
      return TileOfRows<5>(rows, panel, out);
    case 4:
      return TileOfRows<4>(rows, panel, out);
    case 3:
      return TileOfRows<3>(rows, panel, out);
    case 2:
      return TileOfRows<2>(rows, panel, out);
    default:
      return TileOfRows<1>(rows, panel, out);
  }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(UnpackWordsOf);
HWY_EXPORT(QuantizedTileOf);

// Columns a power of two apart would drive each other out of the first cache while they are turned: they are
// brought together first, a gap between them.
constexpr std::size_t kStageWords = 80, kStageGap = 16;
constexpr std::size_t kStageColumns = 64;  // more than any tile has

// `count` is a multiple of 4: small copies of known size are a few instructions.
void CopyWords(const std::byte* from, std::size_t count, std::byte* to) {
  constexpr std::size_t kPiece = 16;
  for (std::size_t i = 0; i < count * sizeof(std::int32_t); i += kPiece)
    std::memcpy(to + i, from + i, kPiece);
}

// Rows that start at weights number `one` and `other`, which begin bytes.
void PairWholeRows(WeightBits bits, const std::byte* weights, std::size_t one, std::size_t other,
                   std::int32_t* pairs) {
  const auto* bytes = reinterpret_cast<const std::int8_t*>(weights);
  if (bits == WeightBits::kEight)
    PairByteRows(bytes + one, bytes + other, pairs);
  else
    PairNibbleRows(weights + one / 2, weights + other / 2, pairs);
}

// `count` weights from number `first` on, a byte each.
void CopyWeights(WeightBits bits, const std::byte* weights, std::size_t first, std::size_t count,
                 std::int8_t* to) {
  if (bits == WeightBits::kEight) {
    std::memcpy(to, weights + first, count);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto byte = std::to_integer<unsigned>(weights[(first + i) / 2]);
    const unsigned top = (first + i) % 2 == 0 ? byte << 4 : byte;
    to[i] = static_cast<std::int8_t>(static_cast<std::int8_t>(top & 0xF0u) >> 4);
  }
}
}  // namespace

QuantizedTile TileOfQuantized() {
  return {kQuantizedRows, PairColumns()};
}

void UnpackColumns(WeightBits bits, const std::byte* weights, std::size_t stride, std::size_t depth,
                   std::size_t columns, std::int32_t* aside, std::int32_t* panel) {
  constexpr std::size_t kWord = sizeof(std::int32_t);
  const std::size_t words = depth / 2 / Together(bits), width = TileOfQuantized().columns;
  if (columns < width) std::memset(aside, 0, words * width * kWord);
  alignas(64) std::byte stage[kStageWords * kWord * kStageColumns];
  for (std::size_t begin = 0, count; begin < words; begin += count) {
    count = std::min(kStageWords - kStageGap, words - begin);
    for (std::size_t column = 0; column < columns; ++column)
      CopyWords(weights + column * stride + begin * kWord, count, stage + column * kStageWords * kWord);
    TransposeTile(stage, static_cast<std::ptrdiff_t>(kStageWords * kWord),
                  reinterpret_cast<std::byte*>(aside + begin * width),
                  static_cast<std::ptrdiff_t>(width * kWord), count, columns, kWord);
  }
  HWY_DYNAMIC_DISPATCH(UnpackWordsOf)(bits, aside, words, panel);
}

void UnpackRows(WeightBits bits, const std::byte* weights, std::size_t first, std::size_t stride,
                std::size_t depth, std::size_t columns, std::int32_t* aside, std::int32_t* panel) {
  const std::size_t width = TileOfQuantized().columns, together = Together(bits);
  const bool whole = columns == width && (bits == WeightBits::kEight || (stride % 2 == 0 && first % 2 == 0));
  auto* const rows = reinterpret_cast<std::int8_t*>(aside);
  std::memset(rows, 0, 2 * width);
  for (std::size_t k = 0; k < depth; k += 2 * together)
    for (std::size_t j = 0; j < together; ++j, panel += width) {
      const std::size_t one = first + (k + j) * stride, other = one + together * stride;
      if (whole) {
        PairWholeRows(bits, weights, one, other, panel);
        continue;
      }
      CopyWeights(bits, weights, one, columns, rows);
      CopyWeights(bits, weights, other, columns, rows + width);
      PairByteRows(rows, rows + width, panel);
    }
}

void FetchColumns(WeightBits bits, const std::byte* weights, std::size_t stride, std::size_t depth,
                  std::size_t columns) {
  constexpr std::size_t kLine = 64;
  const std::size_t bytes = depth / 8 * static_cast<std::size_t>(bits);
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t at = 0; at < bytes; at += kLine)
      hwy::Prefetch(weights + column * stride + at);
}

void ArrangeTileRow(WeightBits bits, std::size_t depth, const std::int16_t* numbers, const float* scales,
                    std::size_t place, std::int32_t* pairs, float* tile_scales, float* tile_sums) {
  const std::size_t together = Together(bits);
  std::int32_t* to = pairs + place;
  for (std::size_t k = 0; k < depth; k += 2 * together)
    for (std::size_t j = 0; j < together; ++j, to += kQuantizedRows) {
      const std::int16_t pair[] = {numbers[k + j], numbers[k + j + together]};
      std::memcpy(to, pair, sizeof(pair));
    }
  for (std::size_t block = 0; block < depth / kQuantizedBlock; ++block) {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < kQuantizedBlock; ++k)
      sum += numbers[block * kQuantizedBlock + k];
    tile_scales[block * kQuantizedRows + place] = scales[block];
    tile_sums[block * kQuantizedRows + place] = static_cast<float>(sum);
  }
}

void RunQuantizedTile(const QuantizedRows& rows, const QuantizedPanel& panel, float* out) {
  HWY_DYNAMIC_DISPATCH(QuantizedTileOf)(rows, panel, out);
}

}  // namespace foothold
#endif
