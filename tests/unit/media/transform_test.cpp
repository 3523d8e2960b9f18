// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/transform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.h"
#include "kernels/picture_scale.h"
#include "unit/media/plain_pixels.h"

namespace foothold::media {
namespace {

using Pixel = std::array<double, 4>;

Pixel PixelAt(const Picture& picture, std::uint32_t x, std::uint32_t y) {
  const FormatLayout& layout = *FindLayout(picture.format);
  Pixel pixel{0, 128, 128, 255};
  for (int c = 0; c < layout.components; ++c)
    pixel[static_cast<std::size_t>(c)] = *SampleAt(picture, c, x, y);
  return pixel;
}

double Rounded(double value) {
  return std::clamp(std::floor(value + 0.5), 0., 255.);
}

Pixel Converted(const Pixel& pixel, const FormatLayout& from, const FormatLayout& to,
                const ColorCoefficients& by) {
  const bool from_rgb = from.model == ColorModel::kRgb, to_rgb = to.model == ColorModel::kRgb;
  if (from_rgb == to_rgb) return pixel;
  Pixel out = pixel;
  for (std::size_t row = 0; row < 3; ++row) {
    double sum = to_rgb ? 0 : by.rgb_bias[row];
    for (std::size_t k = 0; k < 3; ++k)
      sum +=
          to_rgb ? by.to_rgb[3 * row + k] * (pixel[k] - by.yuv_bias[k]) : by.to_yuv[3 * row + k] * pixel[k];
    out[row] = Rounded(sum);
  }
  return out;
}

// The average of the pixels of `to` that share the chroma of (x, y), or that pixel.
double Expected(const Picture& in, const Region& from, const Picture& out, const Region& to,
                const ColorCoefficients& by, int component, std::uint32_t x, std::uint32_t y) {
  const FormatLayout &source = *FindLayout(in.format), &target = *FindLayout(out.format);
  const bool shared = target.model == ColorModel::kYuv && component > 0 && component < 3;
  const std::uint32_t sx = shared ? target.shift_x : 0, sy = shared ? target.shift_y : 0;
  double sum = 0;
  int count = 0;
  for (std::uint32_t v = y >> sy << sy; v < ((y >> sy) + 1) << sy; ++v)
    for (std::uint32_t u = x >> sx << sx; u < ((x >> sx) + 1) << sx; ++u) {
      const bool inside = u >= to.left && v >= to.top && u < to.left + to.width && v < to.top + to.height;
      if (!inside) continue;
      const Pixel pixel = PixelAt(in, from.left + u - to.left, from.top + v - to.top);
      sum += Converted(pixel, source, target, by)[static_cast<std::size_t>(component)];
      ++count;
    }
  return sum / count;
}

// All of `to` is what is expected, and all other samples are what they were.
void ExpectConverted(const Picture& in, const Region& from, const TestPicture& out,
                     const std::vector<std::uint8_t>& before, const Region& to, ColorMatrix matrix) {
  const FormatLayout& target = *FindLayout(out.picture.format);
  const FormatLayout& source = *FindLayout(in.format);
  const bool copies = in.format == out.picture.format ||
                      (source.planes == 2 && target.planes == 2 && source.shift_x == target.shift_x &&
                       source.shift_y == target.shift_y);
  std::vector<std::uint8_t> touched(before.size());
  for (std::uint32_t y = to.top; y < to.top + to.height; ++y)
    for (std::uint32_t x = to.left; x < to.left + to.width; ++x)
      for (int c = 0; c < target.components; ++c) {
        const std::uint8_t* const sample = SampleAt(out.picture, c, x, y);
        touched[static_cast<std::size_t>(sample - out.bytes.data())] = 1;
        // Copies of planes keep the pairs of the input, whose begin an odd region rounds down.
        if (copies && ((from.left ^ to.left) & 1 || (from.top ^ to.top) & 1)) continue;
        const double expected = Expected(in, from, out.picture, to, CoefficientsOf(matrix), c, x, y);
        ASSERT_NEAR(*sample, expected, 1.01)
            << NameOf(in.format) << " to " << target.name << " component " << c << " at " << x << ", " << y;
      }
  for (std::size_t i = 0; i < before.size(); ++i)
    if (touched[i] == 0) {
      ASSERT_EQ(out.bytes.data()[i], before[i]) << NameOf(in.format) << " to " << target.name;
    }
}

TEST(Transform, ConvertsAnyFormatToAnyOther) {
  std::uint32_t seed = 0;
  for (const PixelFormat from : AllFormats())
    for (const PixelFormat to : AllFormats()) {
      ++seed;
      const std::uint32_t width = 1 + seed % 67, height = 1 + seed % 9;
      const TestPicture in(from, width, height, seed, seed % 3, seed % 2),
          out(to, width, height, seed + 1, seed % 5, 2);
      const std::vector<std::uint8_t> before(out.bytes.span().begin(), out.bytes.span().end());
      const auto matrix = static_cast<ColorMatrix>(seed % 6);
      ConvertColor(in.picture, out.picture, {Interpolation::kBilinear, matrix, nullptr});
      ExpectConverted(in.picture, WholeOf(in.picture), out, before, WholeOf(out.picture), matrix);
      if (HasFatalFailure()) return;
    }
}

TEST(Transform, PutsAnyPartAnywhere) {
  std::mt19937 random(9);
  const std::vector<PixelFormat> formats = AllFormats();
  for (int round = 0; round < 1500; ++round) {
    const PixelFormat from = formats[random() % formats.size()], to = formats[random() % formats.size()];
    const TestPicture in(from, 20 + random() % 30, 10 + random() % 8, random(), random() % 4, random() % 3);
    const TestPicture out(to, 20 + random() % 30, 10 + random() % 8, random(), random() % 4, random() % 3);
    const std::vector<std::uint8_t> before(out.bytes.span().begin(), out.bytes.span().end());
    const std::uint32_t width = 1 + random() % 12, height = 1 + random() % 6;
    const Region crop{static_cast<std::uint32_t>(random() % 8), static_cast<std::uint32_t>(random() % 4),
                      width, height};
    const Region paste{static_cast<std::uint32_t>(random() % 8), static_cast<std::uint32_t>(random() % 4),
                       width, height};
    CropResizePaste(in.picture, crop, out.picture, paste);
    ExpectConverted(in.picture, crop, out, before, paste, ColorMatrix::kBt601Wide);
    if (HasFatalFailure()) return;
  }
}

// Whatever the formats and sizes: nothing is touched that does not belong to the pictures (their memory ends
// at a page that cannot be), and what is outside of the place stays.
TEST(Transform, ScalesPartsWithinTheirMemory) {
  std::mt19937 random(10);
  const std::vector<PixelFormat> formats = AllFormats();
  for (int round = 0; round < 600; ++round) {
    const PixelFormat from = formats[random() % formats.size()], to = formats[random() % formats.size()];
    const TestPicture in(from, 1 + random() % 90, 1 + random() % 40, random(), random() % 4, random() % 3);
    const TestPicture out(to, 1 + random() % 90, 1 + random() % 40, random(), random() % 4, random() % 3);
    const auto part = [&](const Picture& picture) {
      const std::uint32_t left = random() % picture.width, top = random() % picture.height;
      return Region{left, top, static_cast<std::uint32_t>(1 + random() % (picture.width - left)),
                    static_cast<std::uint32_t>(1 + random() % (picture.height - top))};
    };
    const auto how = static_cast<Interpolation>(random() % 3);
    ASSERT_NO_THROW(CropResizePaste(in.picture, part(in.picture), out.picture, part(out.picture), {how}));
    ASSERT_NO_THROW(Resize(in.picture, out.picture, {how}));
  }
}

TEST(Transform, ScalesEachPlaneOnItsOwn) {
  const TestPicture in(PixelFormat::kNv12, 62, 34, 3), out(PixelFormat::kNv12, 40, 50, 4);
  Resize(in.picture, out.picture);
  std::vector<std::uint8_t> luma(40 * 50), chroma(40 * 25);
  const PlaneView y = PlaneOf(in.picture, 0), uv = PlaneOf(in.picture, 1);
  ScaleBilinear({y.data, y.row_step, 62, 34}, {luma.data(), 40, 40, 50}, 1);
  ScaleBilinear({uv.data, uv.row_step, 31, 17}, {chroma.data(), 40, 20, 25}, 2);
  EXPECT_TRUE(std::equal(luma.begin(), luma.end(), out.bytes.data()));
  EXPECT_TRUE(std::equal(chroma.begin(), chroma.end(), out.bytes.data() + 40 * 50));
}

TEST(Transform, FillsBordersByTheirKind) {
  const TestPicture in(PixelFormat::kYuv400, 4, 3, 1);
  const auto index = [](int at, int count, BorderKind kind) {
    const int reflected[] = {at, kind == BorderKind::kReflect ? -1 - at : -at,
                             kind == BorderKind::kReflect ? 2 * count - 1 - at : 2 * count - 2 - at};
    if (kind == BorderKind::kReplicate) return std::clamp(at, 0, count - 1);
    if (kind == BorderKind::kWrap) return (at + count) % count;
    return at < 0 ? reflected[1] : at >= count ? reflected[2] : at;
  };
  for (const BorderKind kind : {BorderKind::kConstant, BorderKind::kReplicate, BorderKind::kReflect,
                                BorderKind::kReflect101, BorderKind::kWrap}) {
    const TestPicture out(PixelFormat::kYuv400, 4 + 2 + 3, 3 + 1 + 2, 2);
    MakeBorder(in.picture, out.picture, {kind, 1, 2, 2, 3, {77, 0, 0, 0}});
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 9; ++x) {
        const bool inside = x >= 2 && x < 6 && y >= 1 && y < 4;
        const int expected = kind == BorderKind::kConstant && !inside
                                 ? 77
                                 : in.bytes.data()[index(y - 1, 3, kind) * 4 + index(x - 2, 4, kind)];
        EXPECT_EQ(out.bytes.data()[y * 9 + x], expected) << static_cast<int>(kind) << " " << x << " " << y;
      }
  }
}

TEST(Transform, BordersOfAnyFormatStayInTheirMemory) {
  std::mt19937 random(11);
  for (const PixelFormat from : AllFormats())
    for (const PixelFormat to : AllFormats()) {
      const Border border{static_cast<BorderKind>(random() % 5),    static_cast<std::uint32_t>(random() % 5),
                          static_cast<std::uint32_t>(random() % 5), static_cast<std::uint32_t>(random() % 5),
                          static_cast<std::uint32_t>(random() % 5), {255, 0, 0, 1}};
      const TestPicture in(from, 3 + random() % 9, 3 + random() % 9, 1);
      const TestPicture out(to, in.picture.width + border.left + border.right,
                            in.picture.height + border.top + border.bottom, 2);
      ASSERT_NO_THROW(MakeBorder(in.picture, out.picture, border));
    }
  // Red around a picture in RGB that becomes YUV: the values are R, G, B.
  const TestPicture in(PixelFormat::kBgr, 4, 4, 1), out(PixelFormat::kYuv444Sp, 8, 8, 2);
  MakeBorder(in.picture, out.picture, {BorderKind::kConstant, 2, 2, 2, 2, {255, 0, 0, 0}});
  EXPECT_NEAR(*SampleAt(out.picture, 0, 0, 0), 76, 1);
  EXPECT_NEAR(*SampleAt(out.picture, 2, 0, 0), 255, 1);
}

TEST(Transform, HalvesAPyramid) {
  const TestPicture in(PixelFormat::kYuv400, 21, 13, 5, 3), out(PixelFormat::kYuv400, 11, 7, 6, 2);
  PyrDown(in.picture, out.picture);
  const int weights[] = {1, 4, 6, 4, 1};
  const auto at = [](int place, int count) {
    return place < 0 ? -place : place >= count ? 2 * count - 2 - place : place;
  };
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 11; ++x) {
      int sum = 128;
      for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i)
          sum +=
              weights[i] * weights[j] * in.bytes.data()[at(2 * y + j - 2, 13) * 24 + at(2 * x + i - 2, 21)];
      EXPECT_EQ(out.bytes.data()[y * 13 + x], sum / 256);
    }
  EXPECT_THROW(PyrDown(in.picture, in.picture), Error);
  const TestPicture color(PixelFormat::kNv12, 20, 12, 5);
  EXPECT_THROW(PyrDown(color.picture, out.picture), Error);
}

TEST(Transform, CountsAndMapsSamplesByComponent) {
  LookupTable table;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < 256; ++i)
      table[c][i] = static_cast<std::uint8_t>(i * (2 * c + 3) + c);
  for (const PixelFormat format : AllFormats()) {
    const FormatLayout& layout = *FindLayout(format);
    const TestPicture in(format, 13, 8, 1, 4, 2), out(format, 13, 8, 2, 2, 4);
    Histogram counts;
    CalcHist(in.picture, counts);
    ApplyLut(in.picture, out.picture, table);
    Histogram expected{};
    for (int c = 0; c < layout.components && c < 3; ++c) {
      const bool chroma = layout.model == ColorModel::kYuv && c > 0;
      for (std::uint32_t y = 0; y < 8; y += chroma ? 1u << layout.shift_y : 1)
        for (std::uint32_t x = 0; x < 13; x += chroma ? 1u << layout.shift_x : 1) {
          const std::uint8_t sample = *SampleAt(in.picture, c, x, y);
          ++expected[static_cast<std::size_t>(c)][sample];
          EXPECT_EQ(*SampleAt(out.picture, c, x, y), table[static_cast<std::size_t>(c)][sample])
              << layout.name;
        }
    }
    EXPECT_EQ(counts, expected) << layout.name;
    if (layout.components == 4) {
      EXPECT_EQ(*SampleAt(out.picture, 3, 5, 5), *SampleAt(in.picture, 3, 5, 5));
    }
  }
}

TEST(Transform, RefusesWhatDoesNotFit) {
  const TestPicture in(PixelFormat::kNv12, 32, 32, 1), out(PixelFormat::kRgb, 16, 16, 2);
  EXPECT_THROW(ConvertColor(in.picture, out.picture), Error);
  EXPECT_THROW(CropResizePaste(in.picture, {0, 0, 33, 1}, out.picture, {0, 0, 1, 1}), Error);
  EXPECT_THROW(CropResizePaste(in.picture, {0, 0, 1, 1}, out.picture, {16, 0, 1, 1}), Error);
  EXPECT_THROW(MakeBorder(in.picture, out.picture, {}), Error);
  EXPECT_THROW(
      CropResizeMakeBorder(in.picture, {0, 0, 8, 8}, out.picture, {BorderKind::kWrap, 8, 8, 0, 0, {}}),
      Error);
  EXPECT_THROW(CoefficientsOf(static_cast<ColorMatrix>(6)), Error);
  EXPECT_THROW(ApplyLut(in.picture, out.picture, {}), Error);
}

}  // namespace
}  // namespace foothold::media
