// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/thread_pool.h"
#include "kernels/cache_size.h"
#include "kernels/stream_copy.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/copy.cpp"
#endif
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// `dst` is aligned to a cache line and `count` a multiple of four of them. Stores bypass the caches: a line
// that will not be read soon is written without being fetched first, which halves the traffic of a large
// copy.
void StreamLines(std::uint8_t* dst, const std::uint8_t* src, std::size_t count) {
  const hn::CappedTag<std::uint8_t, 64> d;
  constexpr std::size_t kStep = 256;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < count; i += kStep) {
    for (std::size_t line = 0; line < kStep; line += 4 * lanes) {
      const auto a = hn::LoadU(d, src + i + line);
      const auto b = hn::LoadU(d, src + i + line + lanes);
      const auto c = hn::LoadU(d, src + i + line + 2 * lanes);
      const auto e = hn::LoadU(d, src + i + line + 3 * lanes);
      hn::Stream(a, d, dst + i + line);
      hn::Stream(b, d, dst + i + line + lanes);
      hn::Stream(c, d, dst + i + line + 2 * lanes);
      hn::Stream(e, d, dst + i + line + 3 * lanes);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(StreamLines);

constexpr std::size_t kLine = 64;
constexpr std::size_t kStreamStep = 256;

// From here on a second thread gains more than waking it costs.
constexpr std::size_t kParallelBytes = std::size_t{4} << 20;
constexpr std::size_t kGrain = std::size_t{1} << 20;

bool Overlap(const std::uint8_t* a, const std::uint8_t* b, std::size_t count) {
  const auto distance = a < b ? static_cast<std::size_t>(b - a) : static_cast<std::size_t>(a - b);
  return distance < count;
}

}  // namespace

bool GoesPastCaches(std::size_t bytes) {
  return bytes >= SharedCacheBytes() / 2;
}

void FinishStreams() {
  hwy::FlushStream();
}

void StreamBytes(void* to, const void* from, std::size_t count) {
  auto* const dst = static_cast<std::uint8_t*>(to);
  const auto* const src = static_cast<const std::uint8_t*>(from);
  const std::size_t head = std::min(count, -reinterpret_cast<std::uintptr_t>(dst) % kLine);
  std::memcpy(dst, src, head);
  const std::size_t body = (count - head) / kStreamStep * kStreamStep;
  if (body > 0) HWY_DYNAMIC_DISPATCH(StreamLines)(dst + head, src + head, body);
  std::memcpy(dst + head + body, src + head + body, count - head - body);
}

void CopyBytes(void* dst, const void* src, std::size_t count) {
  auto* const to = static_cast<std::uint8_t*>(dst);
  const auto* const from = static_cast<const std::uint8_t*>(src);
  if (count < kParallelBytes || Overlap(to, from, count)) {
    std::memmove(to, from, count);
    return;
  }
  const bool stream = GoesPastCaches(count);
  ParallelFor(count, kGrain, [=](std::size_t begin, std::size_t end) {
    if (stream) {
      StreamBytes(to + begin, from + begin, end - begin);
      FinishStreams();
    } else {
      std::memcpy(to + begin, from + begin, end - begin);
    }
  });
}

void CopyRows(void* dst, std::size_t dst_pitch, const void* src, std::size_t src_pitch, Plane plane) {
  auto* const to = static_cast<std::uint8_t*>(dst);
  const auto* const from = static_cast<const std::uint8_t*>(src);
  if (plane.width == dst_pitch && plane.width == src_pitch) {
    CopyBytes(to, from, plane.width * plane.height);
    return;
  }
  if (plane.width >= kParallelBytes) {
    for (std::size_t row = 0; row < plane.height; ++row) {
      CopyBytes(to + row * dst_pitch, from + row * src_pitch, plane.width);
    }
    return;
  }
  const std::size_t bytes = plane.width * plane.height;
  const std::size_t grain =
      bytes < kParallelBytes ? plane.height : std::max<std::size_t>(kGrain / plane.width, 1);
  ParallelFor(plane.height, grain, [=](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      std::memcpy(to + row * dst_pitch, from + row * src_pitch, plane.width);
    }
  });
}

}  // namespace foothold
#endif
