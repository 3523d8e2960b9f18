// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/thread_pool.h"
#include "media/border_index.h"
#include "media/transform.h"

namespace foothold::media {
namespace {

// Five samples around each second one of a line.
std::vector<std::array<std::int64_t, 5>> TapsOf(std::uint32_t from, std::uint32_t to, BorderKind kind) {
  std::vector<std::array<std::int64_t, 5>> taps(to);
  for (std::uint32_t at = 0; at < to; ++at)
    for (std::int64_t k = 0; k < 5; ++k)
      taps[at][static_cast<std::size_t>(k)] = BorderIndex(2 * std::int64_t{at} + k - 2, from, kind);
  return taps;
}

bool IsHalf(std::uint32_t half, std::uint32_t whole) {
  return half == whole / 2 || half == (whole + 1) / 2;
}

void CheckPyramid(const Picture& in, const Picture& out, const PyramidKernel& kernel) {
  Check(in, "input");
  Check(out, "output");
  if (in.format != PixelFormat::kYuv400 || out.format != PixelFormat::kYuv400)
    Fail(kInvalidParam, "pyramids are made of YUV400 (0); the input is {}, the output {}", NameOf(in.format),
         NameOf(out.format));
  if (!IsHalf(out.width, in.width) || !IsHalf(out.height, in.height))
    Fail(kInvalidParam, "the next level of {} x {} pixels has half of them, not {} x {}", in.width, in.height,
         out.width, out.height);
  if (kernel.divisor == 0) Fail(kInvalidParam, "the divisor of a pyramid must not be 0");
}

std::uint8_t Divided(std::int64_t sum, std::int64_t divisor) {
  const double value = std::floor(static_cast<double>(sum) / static_cast<double>(divisor) + 0.5);
  return static_cast<std::uint8_t>(std::clamp(value, 0., 255.));
}

}  // namespace

void PyrDown(const Picture& in, const Picture& out, const PyramidKernel& kernel) {
  CheckPyramid(in, out, kernel);
  const auto columns = TapsOf(in.width, out.width, kernel.border);
  const auto rows = TapsOf(in.height, out.height, kernel.border);
  const auto beyond = static_cast<std::int64_t>(std::clamp(std::nearbyint(kernel.border_value), 0., 255.));
  const auto sum_at = [&](const std::array<std::int64_t, 5>& down,
                          const std::array<std::int64_t, 5>& across) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 5; ++j) {
        const bool inside = down[i] >= 0 && across[j] >= 0;
        const std::int64_t sample = inside ? in.data[down[i] * in.width_stride + across[j]] : beyond;
        sum += sample * kernel.weights[5 * i + j];
      }
    return sum;
  };
  ParallelFor(out.height, 10000 / out.width + 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t y = begin; y < end; ++y)
      for (std::size_t x = 0; x < out.width; ++x)
        out.data[y * out.width_stride + x] = Divided(sum_at(rows[y], columns[x]), kernel.divisor);
  });
}

}  // namespace foothold::media
