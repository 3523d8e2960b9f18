// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/color_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "unit/media/guarded_bytes.h"

namespace foothold {
namespace {

struct Coefficients {
  double to_rgb[9], yuv_bias[3], to_yuv[9], rgb_bias[3];
};

// BT.601 wide, BT.709 narrow, BT.2020 wide.
constexpr Coefficients kMatrices[] = {
    {{1, 0, 1.402, 1, -.344, -.714, 1, 1.772, 0},
     {0, 128, 128},
     {.299, .587, .114, -.168, -.331, .5, .5, -.419, -.081},
     {-.5, 127.5, 127.5}},
    {{1.16438, 0, 1.79274, 1.16438, -.21325, -.53291, 1.16438, 2.11240, 0},
     {16, 128, 128},
     {.18259, .61423, .06201, -.10064, -.33857, .43922, .43922, -.39894, -.04027},
     {16, 128, 128}},
    {{1, 0, 1.47460, 1, -.16455, -.57135, 1, 1.88140, 0},
     {0, 128, 128},
     {.2627, .678, .0593, -.13963, -.36037, .5, .5, -.45979, -.04021},
     {-.5, 127.5, 127.5}},
};

int Clamped(double value) {
  return static_cast<int>(std::clamp(std::floor(value + 0.5), 0., 255.));
}

double ColorOf(const Coefficients& by, std::size_t color, const int yuv[3]) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    sum += by.to_rgb[3 * color + i] * (yuv[i] - by.yuv_bias[i]);
  return sum;
}

TEST(ColorRows, RgbIsWithinOneOfDoublePrecision) {
  constexpr std::size_t kCount = 256 + 37;
  for (const Coefficients& by : kMatrices) {
    YuvToRgb use;
    ASSERT_TRUE(MakeYuvToRgb(by.to_rgb, by.yuv_bias, &use));
    for (int u = 0; u < 256; u += 15)
      for (int v = 0; v < 256; v += 17) {
        std::vector<std::uint8_t> ys(kCount), us(kCount, static_cast<std::uint8_t>(u)),
            vs(kCount, static_cast<std::uint8_t>(v));
        for (std::size_t i = 0; i < kCount; ++i)
          ys[i] = static_cast<std::uint8_t>(i);
        std::vector<std::uint8_t> rgb[3];
        for (auto& row : rgb)
          row.resize(kCount);
        YuvToRgbRow(use, ys.data(), us.data(), vs.data(), kCount, rgb[0].data(), rgb[1].data(),
                    rgb[2].data());
        for (std::size_t i = 0; i < kCount; ++i)
          for (std::size_t c = 0; c < 3; ++c) {
            const int yuv[] = {ys[i], u, v};
            ASSERT_NEAR(rgb[c][i], Clamped(ColorOf(by, c, yuv)), 1) << yuv[0] << " " << u << " " << v;
          }
      }
  }
}

// The two ways to the same colours agree to the last bit, whatever the width, and stay in their rows.
TEST(ColorRows, PairedRowsGiveTheSameColors) {
  const Coefficients& by = kMatrices[1];
  YuvToRgb use;
  ASSERT_TRUE(MakeYuvToRgb(by.to_rgb, by.yuv_bias, &use));
  for (std::size_t width = 1; width < 200; width += width < 70 ? 1 : 13) {
    const std::size_t pairs = (width + 1) / 2;
    GuardedBytes y(width), uv(2 * pairs), rgb(3 * width);
    y.FillRandomly(1), uv.FillRandomly(2);
    for (const bool b_first : {false, true})
      for (const bool v_first : {false, true}) {
        PairedRowsToRgb(use, {y.data(), nullptr, uv.data(), rgb.data(), nullptr, width}, b_first, v_first);
        for (std::size_t x = 0; x < width; ++x) {
          const std::uint8_t u = uv.data()[x / 2 * 2 + (v_first ? 1 : 0)],
                             v = uv.data()[x / 2 * 2 + (v_first ? 0 : 1)];
          std::uint8_t one[3];
          YuvToRgbRow(use, y.data() + x, &u, &v, 1, &one[0], &one[1], &one[2]);
          for (std::size_t c = 0; c < 3; ++c)
            ASSERT_EQ(rgb.data()[3 * x + (b_first ? 2 - c : c)], one[c]) << width << " at " << x;
        }
      }
  }
}

TEST(ColorRows, YuvIsWithinOneOfDoublePrecisionAndKeepsWhite) {
  std::mt19937 random(3);
  constexpr std::size_t kCount = 4099;
  for (const Coefficients& by : kMatrices) {
    constexpr double kNone[3] = {};
    const ColorMix mix = MakeColorMix(by.to_yuv, kNone, by.rgb_bias);
    std::vector<std::uint8_t> in[3], out[3];
    for (int c = 0; c < 3; ++c) {
      in[c].resize(kCount), out[c].resize(kCount);
      for (auto& sample : in[c])
        sample = static_cast<std::uint8_t>(random());
      in[c][0] = 255, in[c][1] = 0;
    }
    const std::uint8_t* const from[] = {in[0].data(), in[1].data(), in[2].data()};
    std::uint8_t* const to[] = {out[0].data(), out[1].data(), out[2].data()};
    MixColorRow(mix, from, kCount, to);
    for (std::size_t i = 0; i < kCount; ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        double sum = by.rgb_bias[c];
        for (std::size_t k = 0; k < 3; ++k)
          sum += by.to_yuv[3 * c + k] * in[k][i];
        ASSERT_NEAR(out[c][i], Clamped(sum), 1);
      }
    const bool narrow = by.yuv_bias[0] == 16;
    EXPECT_EQ(out[0][0], narrow ? 235 : 255);
    EXPECT_EQ(out[0][1], narrow ? 16 : 0);
    EXPECT_NEAR(out[1][0], 128, 1);
  }
}

}  // namespace
}  // namespace foothold
