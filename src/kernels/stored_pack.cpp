// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/stored_pack.h"

#include <algorithm>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/stored_pack.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which it needs.
#include "kernels/widening_load-inl.h"

#ifndef FOOTHOLD_KERNELS_STORED_PACK_SHARED
#define FOOTHOLD_KERNELS_STORED_PACK_SHARED
namespace foothold {
namespace {

// Lines of 16-bit floats side by side: `count` of `width` are there. A line goes along the depth.
struct HalfLines {
  FloatKind kind;
  const std::uint16_t* from;
  std::size_t line_stride, depth_stride;
  std::size_t count, width, depth;
};

}  // namespace
}  // namespace foothold
#endif

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

constexpr std::size_t kSquare = 8;

template <FloatKind kKind>
HWY_INLINE void WidenAcross(const HalfLines& lines, float* to) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::uint16_t* from = lines.from;
  for (std::size_t k = 0; k < lines.depth; ++k, from += lines.depth_stride, to += lines.width) {
    std::size_t i = 0;
    for (; i + lanes <= lines.count; i += lanes)
      hn::StoreU(LoadWide<kKind>(d, from + i), d, to + i);
    for (; i < lines.count; ++i)
      to[i] = WideOne<kKind>(from[i]);
  }
}

template <FloatKind kKind>
HWY_INLINE void WidenOneByOne(const HalfLines& lines, std::size_t begin, float* to) {
  for (std::size_t k = begin; k < lines.depth; ++k)
    for (std::size_t line = 0; line < lines.count; ++line)
      to[k * lines.width + line] =
          WideOne<kKind>(lines.from[line * lines.line_stride + k * lines.depth_stride]);
}

#if HWY_TARGET == HWY_SCALAR
template <FloatKind kKind>
HWY_INLINE void WidenAlong(const HalfLines& lines, float* to) {
  WidenOneByOne<kKind>(lines, 0, to);
}
#else
template <FloatKind kKind>
HWY_INLINE void StoreEight(hn::Vec<hn::FixedTag<std::uint16_t, kSquare> > halves, float* to) {
  const hn::CappedTag<float, kSquare> d;
  if constexpr (hn::MaxLanes(d) == kSquare) {
    hn::StoreU(Widened<kKind>(d, halves), d, to);
  } else {
    const hn::FixedTag<std::uint16_t, kSquare> words;
    hn::StoreU(Widened<kKind>(d, hn::LowerHalf(halves)), d, to);
    hn::StoreU(Widened<kKind>(d, hn::UpperHalf(hn::Half<decltype(words)>(), halves)), d, to + kSquare / 2);
  }
}

// A square of eight lines; of those from `count` on there are zeros. Each round of interleaving doubles the
// number of elements of one depth that stand side by side.
template <FloatKind kKind>
HWY_INLINE void WidenSquare(const std::uint16_t* from, std::size_t stride, std::size_t count,
                            std::size_t width, float* to) {
  const hn::FixedTag<std::uint16_t, kSquare> d;
  hn::Vec<decltype(d)> a[kSquare];
  hn::Vec<decltype(d)> b[kSquare];
  for (std::size_t i = 0; i < kSquare; ++i)
    a[i] = i < count ? hn::LoadU(d, from + i * stride) : hn::Zero(d);
  for (std::size_t round = 1; round < kSquare; round *= 2) {
    for (std::size_t i = 0; i < kSquare / 2; ++i) {
      b[2 * i] = hn::InterleaveLower(d, a[i], a[i + kSquare / 2]);
      b[2 * i + 1] = hn::InterleaveUpper(d, a[i], a[i + kSquare / 2]);
    }
    for (std::size_t i = 0; i < kSquare; ++i)
      a[i] = b[i];
  }
  for (std::size_t i = 0; i < kSquare; ++i)
    StoreEight<kKind>(a[i], to + i * width);
}

// How far squares go along the depth. One of fewer than eight lines writes zeros past them, in its last row
// past the square: what they fall upon is written later, and such a square ends before the panel does.
HWY_INLINE std::size_t SquaresDepth(const HalfLines& lines) {
  const std::size_t past = lines.width < kSquare ? Parts(kSquare - lines.width, lines.width) : 0;
  return lines.depth < past ? 0 : (lines.depth - past) / kSquare * kSquare;
}

// A line of the cache of each line of eight at a time: their distance may leave the cache no room for more.
template <FloatKind kKind>
HWY_INLINE void WidenAlong(const HalfLines& lines, float* to) {
  constexpr std::size_t kStep = 64 / sizeof(std::uint16_t);
  const std::size_t count = std::min(lines.count, kSquare), last = lines.count - count;
  const std::size_t depth = SquaresDepth(lines);
  for (std::size_t begin = 0; begin < depth; begin += kStep)
    for (std::size_t line = 0; line < lines.count; line += kSquare) {
      const std::size_t first = std::min(line, last);  // the last square of a panel may overlap
      for (std::size_t k = begin; k < std::min(begin + kStep, depth); k += kSquare) {
        const std::uint16_t* from = lines.from + first * lines.line_stride + k;
        float* square = to + k * lines.width + first;
        if (count == kSquare)
          WidenSquare<kKind>(from, lines.line_stride, kSquare, lines.width, square);
        else
          WidenSquare<kKind>(from, lines.line_stride, count, lines.width, square);
      }
    }
  WidenOneByOne<kKind>(lines, depth, to);
}
#endif

template <FloatKind kKind>
HWY_INLINE void WidenPanelAs(const HalfLines& lines, float* to) {
  if (lines.line_stride == 1)
    WidenAcross<kKind>(lines, to);
  else if (lines.depth_stride == 1)
    WidenAlong<kKind>(lines, to);
  else
    WidenOneByOne<kKind>(lines, 0, to);
}

void WidenPanel(const HalfLines& lines, float* to) {
  if (lines.kind == FloatKind::kFloat16)
    WidenPanelAs<FloatKind::kFloat16>(lines, to);
  else
    WidenPanelAs<FloatKind::kBfloat16>(lines, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(WidenPanel);

MatrixView ViewOfFloats(const StoredMatrix& matrix) {
  return {reinterpret_cast<const float*>(matrix.data), matrix.row, matrix.column};
}

HalfLines LinesOf(const StoredMatrix& from, bool rows, std::size_t count, std::size_t width,
                  std::size_t depth) {
  const auto* halves = reinterpret_cast<const std::uint16_t*>(from.data);
  return {from.kind, halves, rows ? from.row : from.column, rows ? from.column : from.row, count,
          width,     depth};
}

// One panel, or one piece of it.
void PackLines(const HalfLines& lines, float* to) {
  if (lines.count < lines.width) std::fill_n(to, lines.width * lines.depth, 0.0f);
  HWY_DYNAMIC_DISPATCH(WidenPanel)(lines, to);
}

void PackColumns(const StoredMatrix& from, std::size_t depth, std::size_t count, std::size_t width,
                 float* to) {
  if (from.kind == FloatKind::kFloat) return PackRight(ViewOfFloats(from), depth, count, to);
  PackLines(LinesOf(from, false, count, width, depth), to);
}

}  // namespace

void PackLeft(const StoredMatrix& from, std::size_t rows, std::size_t depth, float* to, GemmRows division) {
  if (from.kind == FloatKind::kFloat) return PackLeft(ViewOfFloats(from), rows, depth, to, division);
  const std::size_t width = TileOfGemm().rows;
  for (std::size_t i = 0, count; i < rows; i += count, to += width * depth) {
    count = NextTileRows(rows - i, width, division);
    PackLines(LinesOf(from.At(i, 0), true, count, width, depth), to);
  }
}

void PackRight(const StoredMatrix& from, std::size_t depth, std::size_t columns, float* to) {
  const std::size_t width = TileOfGemm().columns;
  const std::size_t step = from.piece == 0 ? std::max<std::size_t>(1, depth) : from.piece;
  for (std::size_t j = 0; j < columns; j += width, to += width * depth)
    for (std::size_t k = 0; k < depth; k += step)
      PackColumns(from.At(k, j), step, std::min(width, columns - j), width, to + k * width);
}

void FetchRight(const StoredMatrix& from, std::size_t depth, std::size_t columns) {
  constexpr std::size_t kLine = 64;
  const std::size_t size = BytesOf(from.kind);
  const std::size_t runs = from.piece == 0 ? columns : depth / from.piece;
  const std::size_t bytes = (from.piece == 0 ? depth : columns * from.piece) * size;
  for (std::size_t run = 0; from.row == 1 && run < runs; ++run) {
    const std::byte* data = from.piece == 0 ? from.At(0, run).data : from.At(run * from.piece, 0).data;
    for (std::size_t at = 0; at < bytes; at += kLine)
      __builtin_prefetch(data + at, 0, 2);
  }
}

void WidenRows(const StoredMatrix& from, std::size_t rows, std::size_t columns, float* to) {
  if (from.kind != FloatKind::kFloat) return PackLines(LinesOf(from, false, columns, columns, rows), to);
  const MatrixView view = ViewOfFloats(from);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      *to++ = *view.At(i, j).data;
}

}  // namespace foothold
#endif
