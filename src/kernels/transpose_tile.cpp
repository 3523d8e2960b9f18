// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/transpose_tile.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/transpose_tile.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kVectorBytes = 16;

#if HWY_TARGET == HWY_SCALAR
constexpr bool kHasVectors = false;
template <typename T>
void TransposeSquare(const std::byte*, std::ptrdiff_t, std::byte*, std::ptrdiff_t) {}
#else
constexpr bool kHasVectors = true;
// A square of as many elements as 16 bytes hold. Each round of interleaving doubles the number of elements
// of one column that stand side by side.
template <typename T>
HWY_INLINE void TransposeSquare(const std::byte* src, std::ptrdiff_t src_stride, std::byte* dst,
                                std::ptrdiff_t dst_stride) {
  constexpr std::size_t kSide = kVectorBytes / sizeof(T);
  const hn::FixedTag<T, kSide> d;
  hn::Vec<decltype(d)> a[kSide];
  hn::Vec<decltype(d)> b[kSide];
  for (std::size_t i = 0; i < kSide; ++i)
    a[i] = hn::LoadU(d, reinterpret_cast<const T*>(src + static_cast<std::ptrdiff_t>(i) * src_stride));
  for (std::size_t round = 1; round < kSide; round *= 2) {
    for (std::size_t i = 0; i < kSide / 2; ++i) {
      b[2 * i] = hn::InterleaveLower(d, a[i], a[i + kSide / 2]);
      b[2 * i + 1] = hn::InterleaveUpper(d, a[i], a[i + kSide / 2]);
    }
    for (std::size_t i = 0; i < kSide; ++i)
      a[i] = b[i];
  }
  for (std::size_t i = 0; i < kSide; ++i)
    hn::StoreU(a[i], d, reinterpret_cast<T*>(dst + static_cast<std::ptrdiff_t>(i) * dst_stride));
}
#endif

template <std::size_t kSize>
void TransposeElements(const std::byte* src, std::ptrdiff_t src_stride, std::byte* dst,
                       std::ptrdiff_t dst_stride, std::size_t rows, std::size_t cols) {
  for (std::size_t r = 0; r < rows; ++r) {
    const std::byte* from = src + r * kSize;
    std::byte* to = dst + static_cast<std::ptrdiff_t>(r) * dst_stride;
    for (std::size_t c = 0; c < cols; ++c, from += src_stride, to += kSize)
      std::memcpy(to, from, kSize);
  }
}

template <typename T>
void TransposeSized(const std::byte* src, std::ptrdiff_t src_stride, std::byte* dst,
                    std::ptrdiff_t dst_stride, std::size_t rows, std::size_t cols) {
  constexpr std::size_t kSide = kVectorBytes / sizeof(T);
  const std::size_t square_rows = kHasVectors ? rows / kSide * kSide : 0;
  const std::size_t square_cols = cols / kSide * kSide;
  for (std::size_t r = 0; r < square_rows; r += kSide) {
    std::byte* to = dst + static_cast<std::ptrdiff_t>(r) * dst_stride;
    for (std::size_t c = 0; c < square_cols; c += kSide)
      TransposeSquare<T>(src + static_cast<std::ptrdiff_t>(c) * src_stride + r * sizeof(T), src_stride,
                         to + c * sizeof(T), dst_stride);
  }
  TransposeElements<sizeof(T)>(src + static_cast<std::ptrdiff_t>(square_cols) * src_stride, src_stride,
                               dst + square_cols * sizeof(T), dst_stride, square_rows, cols - square_cols);
  TransposeElements<sizeof(T)>(src + square_rows * sizeof(T), src_stride,
                               dst + static_cast<std::ptrdiff_t>(square_rows) * dst_stride, dst_stride,
                               rows - square_rows, cols);
}

void TransposeAny(const std::byte* src, std::ptrdiff_t src_stride, std::byte* dst, std::ptrdiff_t dst_stride,
                  std::size_t rows, std::size_t cols, std::size_t size) {
  switch (size) {
    case 1:
      return TransposeSized<std::uint8_t>(src, src_stride, dst, dst_stride, rows, cols);
    case 2:
      return TransposeSized<std::uint16_t>(src, src_stride, dst, dst_stride, rows, cols);
    case 4:
      return TransposeSized<std::uint32_t>(src, src_stride, dst, dst_stride, rows, cols);
    case 8:
      return TransposeSized<std::uint64_t>(src, src_stride, dst, dst_stride, rows, cols);
    default:
      return TransposeElements<16>(src, src_stride, dst, dst_stride, rows, cols);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(TransposeAny);

constexpr std::size_t kStageColumns = 64;
constexpr std::size_t kStageBytes = 256;
constexpr std::size_t kStagePitch = kStageBytes + 64;

// Columns this far apart all fall into the same few lines of the first cache and would drive each other out.
bool Collides(std::ptrdiff_t src_stride, std::size_t rows, std::size_t cols, std::size_t size) {
  return src_stride % 1024 == 0 && rows * size >= 64 && cols >= 16;
}

void TransposeStaged(const std::byte* src, std::ptrdiff_t src_stride, std::byte* dst,
                     std::ptrdiff_t dst_stride, std::size_t rows, std::size_t cols, std::size_t size) {
  alignas(64) std::byte stage[kStageColumns * kStagePitch];
  const std::size_t step = kStageBytes / size;
  for (std::size_t r = 0; r < rows; r += step) {
    const std::size_t count = std::min(step, rows - r);
    for (std::size_t c = 0; c < cols; ++c)
      std::memcpy(stage + c * kStagePitch, src + static_cast<std::ptrdiff_t>(c) * src_stride + r * size,
                  count * size);
    HWY_DYNAMIC_DISPATCH(TransposeAny)
    (stage, static_cast<std::ptrdiff_t>(kStagePitch), dst + static_cast<std::ptrdiff_t>(r) * dst_stride,
     dst_stride, count, cols, size);
  }
}

}  // namespace

void TransposeTile(const std::byte* src, std::ptrdiff_t src_stride, std::byte* dst, std::ptrdiff_t dst_stride,
                   std::size_t rows, std::size_t cols, std::size_t size) {
  if (!Collides(src_stride, rows, cols, size)) {
    HWY_DYNAMIC_DISPATCH(TransposeAny)(src, src_stride, dst, dst_stride, rows, cols, size);
    return;
  }
  for (std::size_t c = 0; c < cols; c += kStageColumns)
    TransposeStaged(src + static_cast<std::ptrdiff_t>(c) * src_stride, src_stride, dst + c * size, dst_stride,
                    rows, std::min(kStageColumns, cols - c), size);
}

}  // namespace foothold
#endif
