// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/picture_rows.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "unit/media/guarded_bytes.h"

namespace foothold {
namespace {

std::vector<std::size_t> Widths() {
  std::vector<std::size_t> widths;
  for (std::size_t width = 1; width < 300; width += width < 70 ? 1 : 17)
    widths.push_back(width);
  return widths;
}

TEST(PictureRows, PixelsAreTakenApartAndPutTogether) {
  for (const std::size_t width : Widths())
    for (std::size_t channels = 2; channels <= 4; ++channels) {
      GuardedBytes pixels(width * channels), again(width * channels);
      pixels.FillRandomly(static_cast<std::uint32_t>(width));
      std::unique_ptr<GuardedBytes> rows[4];
      std::uint8_t* to[4] = {};
      const std::uint8_t* from[4] = {};
      for (std::size_t c = 0; c < channels; ++c) {
        rows[c] = std::make_unique<GuardedBytes>(width);
        from[c] = to[c] = rows[c]->data();
      }
      SplitPixels(pixels.data(), channels, width, to);
      for (std::size_t i = 0; i < width * channels; ++i)
        ASSERT_EQ(to[i % channels][i / channels], pixels.data()[i]);
      MergePixels(from, channels, width, again.data());
      ASSERT_TRUE(std::equal(again.data(), again.data() + again.size(), pixels.data()));
    }
}

TEST(PictureRows, PairsAreSwapped) {
  for (const std::size_t width : Widths()) {
    GuardedBytes in(2 * width), out(2 * width);
    in.FillRandomly(7);
    SwapPairs(in.data(), width, out.data());
    for (std::size_t i = 0; i < 2 * width; ++i)
      ASSERT_EQ(out.data()[i], in.data()[i ^ 1]);
  }
}

TEST(PictureRows, SamplesAreSpreadAndAveraged) {
  for (const std::size_t width : Widths()) {
    const std::size_t half = (width + 1) / 2;
    GuardedBytes top(width), bottom(width), spread(width), fewer(half);
    top.FillRandomly(1), bottom.FillRandomly(2);
    const std::uint8_t *a = top.data(), *b = bottom.data();
    AveragePairs(a, width, fewer.data());
    for (std::size_t i = 0; i < half; ++i)
      ASSERT_EQ(fewer.data()[i], 2 * i + 1 < width ? (a[2 * i] + a[2 * i + 1] + 1) / 2 : a[2 * i]);
    AverageSquares(a, b, width, fewer.data());
    for (std::size_t i = 0; i < half; ++i)
      ASSERT_EQ(fewer.data()[i], 2 * i + 1 < width
                                     ? (a[2 * i] + a[2 * i + 1] + b[2 * i] + b[2 * i + 1] + 2) / 4
                                     : (a[2 * i] + b[2 * i] + 1) / 2);
    SpreadSamples(fewer.data(), width, spread.data());
    for (std::size_t i = 0; i < width; ++i)
      ASSERT_EQ(spread.data()[i], fewer.data()[i / 2]);
    AverageRows(a, b, width, spread.data());
    for (std::size_t i = 0; i < width; ++i)
      ASSERT_EQ(spread.data()[i], (a[i] + b[i] + 1) / 2);
  }
}

}  // namespace
}  // namespace foothold
