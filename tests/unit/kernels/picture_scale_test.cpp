// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/picture_scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "unit/media/guarded_bytes.h"

namespace foothold {
namespace {

struct Sizes {
  std::size_t from_x, from_y, to_x, to_y, channels;
};

std::vector<Sizes> SizesToTry() {
  std::vector<Sizes> sizes = {{1, 1, 5, 7, 1},     {5, 7, 1, 1, 2},     {2, 2, 3, 3, 3},
                              {16, 2, 33, 1, 1},   {31, 9, 64, 20, 2},  {200, 40, 20, 10, 1},
                              {64, 64, 32, 32, 4}, {33, 17, 32, 16, 3}, {100, 8, 23, 5, 3},
                              {1000, 3, 64, 3, 1}, {40, 30, 40, 15, 2}, {500, 6, 180, 4, 2}};
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i)
    sizes.push_back(
        {1 + random() % 150, 1 + random() % 40, 1 + random() % 150, 1 + random() % 40, 1 + random() % 4});
  return sizes;
}

// Both planes end at a page that cannot be touched; rows have a few bytes between them.
class Scaled {
 public:
  explicit Scaled(const Sizes& sizes)
      : sizes_(sizes),
        in_step_(sizes.from_x * sizes.channels + 3),
        out_step_(sizes.to_x * sizes.channels + 5),
        in_bytes_(in_step_ * (sizes.from_y - 1) + sizes.from_x * sizes.channels),
        out_bytes_(out_step_ * (sizes.to_y - 1) + sizes.to_x * sizes.channels) {
    in_bytes_.FillRandomly(static_cast<std::uint32_t>(sizes.from_x * 31 + sizes.to_x));
  }
  ConstBytePlane in() const { return {in_bytes_.data(), in_step_, sizes_.from_x, sizes_.from_y}; }
  BytePlane out() const { return {out_bytes_.data(), out_step_, sizes_.to_x, sizes_.to_y}; }

  int In(std::ptrdiff_t x, std::ptrdiff_t y, std::size_t channel) const {
    x = std::clamp<std::ptrdiff_t>(x, 0, static_cast<std::ptrdiff_t>(sizes_.from_x) - 1);
    y = std::clamp<std::ptrdiff_t>(y, 0, static_cast<std::ptrdiff_t>(sizes_.from_y) - 1);
    return in_bytes_.data()[static_cast<std::size_t>(y) * in_step_ +
                            static_cast<std::size_t>(x) * sizes_.channels + channel];
  }
  int Out(std::size_t x, std::size_t y, std::size_t channel) const {
    return out_bytes_.data()[y * out_step_ + x * sizes_.channels + channel];
  }
  template <typename Reference>
  int WorstDistance(Reference&& reference) const {
    int worst = 0;
    for (std::size_t y = 0; y < sizes_.to_y; ++y)
      for (std::size_t x = 0; x < sizes_.to_x; ++x)
        for (std::size_t c = 0; c < sizes_.channels; ++c)
          worst = std::max(worst, std::abs(reference(x, y, c) - Out(x, y, c)));
    return worst;
  }

 private:
  const Sizes sizes_;
  std::size_t in_step_, out_step_;
  GuardedBytes in_bytes_, out_bytes_;
};

double CentreOf(std::size_t at, std::size_t from, std::size_t to) {
  return (static_cast<double>(at) + 0.5) * static_cast<double>(from) / static_cast<double>(to) - 0.5;
}

TEST(PictureScale, BilinearIsWithinOneOfDoublePrecision) {
  for (const Sizes& sizes : SizesToTry()) {
    const Scaled scaled(sizes);
    ScaleBilinear(scaled.in(), scaled.out(), sizes.channels);
    const int worst = scaled.WorstDistance([&](std::size_t x, std::size_t y, std::size_t c) {
      const double across = CentreOf(x, sizes.from_x, sizes.to_x),
                   down = CentreOf(y, sizes.from_y, sizes.to_y);
      const auto left = static_cast<std::ptrdiff_t>(std::floor(across));
      const auto top = static_cast<std::ptrdiff_t>(std::floor(down));
      const double fx = across - std::floor(across), fy = down - std::floor(down);
      const double above = scaled.In(left, top, c) * (1 - fx) + scaled.In(left + 1, top, c) * fx;
      const double below = scaled.In(left, top + 1, c) * (1 - fx) + scaled.In(left + 1, top + 1, c) * fx;
      return static_cast<int>(std::lround(above * (1 - fy) + below * fy));
    });
    EXPECT_LE(worst, 1) << sizes.from_x << "x" << sizes.from_y << " to " << sizes.to_x << "x" << sizes.to_y;
  }
}

// The arithmetic that decides the last bit, as a loop over single samples.
TEST(PictureScale, BilinearIsExactInElevenBits) {
  const auto weights = [](double centre, std::ptrdiff_t last, bool ends) {
    const auto position = static_cast<float>(centre);
    auto place = static_cast<std::ptrdiff_t>(std::floor(position));
    float share = position - static_cast<float>(place);
    if (ends && (place < 0 || place >= last)) place = place < 0 ? 0 : last, share = 0;
    return std::tuple(place, std::lrintf((1.f - share) * 2048), std::lrintf(share * 2048));
  };
  for (const Sizes& sizes : SizesToTry()) {
    const Scaled scaled(sizes);
    ScaleBilinear(scaled.in(), scaled.out(), sizes.channels);
    if (sizes.from_x == sizes.to_x && sizes.from_y == sizes.to_y) continue;
    const double step_x = 1. / (static_cast<double>(sizes.to_x) / static_cast<double>(sizes.from_x));
    const double step_y = 1. / (static_cast<double>(sizes.to_y) / static_cast<double>(sizes.from_y));
    const int worst = scaled.WorstDistance([&](std::size_t x, std::size_t y, std::size_t c) {
      const auto [left, a0, a1] = weights((static_cast<double>(x) + 0.5) * step_x - 0.5,
                                          static_cast<std::ptrdiff_t>(sizes.from_x) - 1, true);
      const auto [top, b0, b1] = weights((static_cast<double>(y) + 0.5) * step_y - 0.5,
                                         static_cast<std::ptrdiff_t>(sizes.from_y) - 1, false);
      const auto row = [&, left = left, a0 = a0, a1 = a1](std::ptrdiff_t at) {
        return (scaled.In(left, at, c) * a0 + scaled.In(left + 1, at, c) * a1) >> 4;
      };
      return static_cast<int>((((b0 * row(top)) >> 16) + ((b1 * row(top + 1)) >> 16) + 2) >> 2);
    });
    EXPECT_EQ(worst, 0) << sizes.from_x << "x" << sizes.from_y << " to " << sizes.to_x << "x" << sizes.to_y;
  }
}

TEST(PictureScale, NearestTakesTheSampleBefore) {
  for (const Sizes& sizes : SizesToTry()) {
    const Scaled scaled(sizes);
    ScaleNearest(scaled.in(), scaled.out(), sizes.channels);
    const int worst = scaled.WorstDistance([&](std::size_t x, std::size_t y, std::size_t c) {
      const double step_x = 1. / (static_cast<double>(sizes.to_x) / static_cast<double>(sizes.from_x));
      const double step_y = 1. / (static_cast<double>(sizes.to_y) / static_cast<double>(sizes.from_y));
      return scaled.In(static_cast<std::ptrdiff_t>(std::floor(static_cast<double>(x) * step_x)),
                       static_cast<std::ptrdiff_t>(std::floor(static_cast<double>(y) * step_y)), c);
    });
    EXPECT_EQ(worst, 0);
  }
}

TEST(PictureScale, BicubicIsWithinOneOfDoublePrecision) {
  const auto cubic = [](double distance) {
    const double x = std::abs(distance), a = -0.75;
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
  };
  for (const Sizes& sizes : SizesToTry()) {
    const Scaled scaled(sizes);
    ScaleBicubic(scaled.in(), scaled.out(), sizes.channels);
    const int worst = scaled.WorstDistance([&](std::size_t x, std::size_t y, std::size_t c) {
      const double across = CentreOf(x, sizes.from_x, sizes.to_x),
                   down = CentreOf(y, sizes.from_y, sizes.to_y);
      double sum = 0;
      for (int j = -1; j < 3; ++j)
        for (int i = -1; i < 3; ++i) {
          const double u = std::floor(across) + i, v = std::floor(down) + j;
          sum += cubic(across - u) * cubic(down - v) *
                 scaled.In(static_cast<std::ptrdiff_t>(u), static_cast<std::ptrdiff_t>(v), c);
        }
      return static_cast<int>(std::clamp<long>(std::lround(sum), 0, 255));
    });
    EXPECT_LE(worst, 1);
  }
}

}  // namespace
}  // namespace foothold
