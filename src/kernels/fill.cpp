// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/fill.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/thread_pool.h"
#include "kernels/cache_size.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fill.cpp"
#endif
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// `dst` is aligned to a cache line and `count` a multiple of one.
void FillLines(std::uint8_t* dst, std::uint32_t pattern, std::size_t count, bool stream) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const auto value = hn::Set(d, pattern);
  const std::size_t step = hn::Lanes(d) * sizeof(std::uint32_t);
  if (!stream) {
    for (std::size_t i = 0; i < count; i += step)
      hn::Store(value, d, reinterpret_cast<std::uint32_t*>(dst + i));
    return;
  }
  for (std::size_t i = 0; i < count; i += step)
    hn::Stream(value, d, reinterpret_cast<std::uint32_t*>(dst + i));
  hwy::FlushStream();
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(FillLines);

constexpr std::size_t kLine = 64;
constexpr std::size_t kParallelBytes = std::size_t{4} << 20;
constexpr std::size_t kGrain = std::size_t{1} << 20;

// The bytes of `pattern` from `phase` on, `count` of them, less than a line.
void FillEdge(std::uint8_t* dst, std::uint32_t pattern, std::size_t phase, std::size_t count) {
  std::uint8_t bytes[4];
  std::memcpy(bytes, &pattern, 4);
  for (std::size_t i = 0; i < count; ++i)
    dst[i] = bytes[(phase + i) % 4];
}

void FillPiece(std::uint8_t* dst, std::uint32_t pattern, std::size_t count, bool stream) {
  const std::size_t head = std::min(count, -reinterpret_cast<std::uintptr_t>(dst) % kLine);
  FillEdge(dst, pattern, 0, head);
  const std::size_t body = (count - head) / kLine * kLine;
  const auto turned =
      std::rotr(pattern, static_cast<int>(head % 4 * 8));  // what follows starts at this phase
  if (body > 0) HWY_DYNAMIC_DISPATCH(FillLines)(dst + head, turned, body, stream);
  FillEdge(dst + head + body, pattern, head, count - head - body);
}

void FillPattern(std::uint8_t* dst, std::uint32_t pattern, std::size_t count) {
  const bool stream = count >= SharedCacheBytes() / 2;
  const std::size_t grain = count < kParallelBytes ? count : kGrain;
  ParallelFor(count, grain, [=](std::size_t begin, std::size_t end) {
    FillPiece(dst + begin, pattern, end - begin, stream);
  });
}

}  // namespace

void FillBytes(void* dst, std::uint8_t value, std::size_t count) {
  if (count < kParallelBytes) {
    std::memset(dst, value, count);
  } else {
    FillPattern(static_cast<std::uint8_t*>(dst), value * 0x01010101u, count);
  }
}

void FillWords(void* dst, std::uint32_t value, std::size_t count) {
  FillPattern(static_cast<std::uint8_t*>(dst), value, count * sizeof(value));
}

}  // namespace foothold
#endif
