// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/png.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/media/coded_files.h"
#include "unit/media/plain_pixels.h"

namespace foothold::media {
namespace {

struct DecodedPng {
  DecodedPng(const std::string& file, PixelFormat format)
      : in(file.data(), file.size()),
        bytes(PredictPngDecodeBytes(ReadPngInfo(in.data(), in.size()), format)),
        picture(DecodePng(in.data(), in.size(), {format, 0, 0, 0, 0, bytes.data(), bytes.size()})) {}
  GuardedBytes in, bytes;
  Picture picture;
};

Code CodeOfPng(const std::string& file) {
  const GuardedBytes in(file.data(), file.size());
  GuardedBytes out(40 * 4 * 32);
  try {
    DecodePng(in.data(), in.size(), {PixelFormat::kRgba, 0, 0, 0, 0, out.data(), out.size()});
  } catch (const Error& error) {
    EXPECT_FALSE(error.message().empty());
    return error.code();
  }
  return kSuccess;
}

TEST(Png, TellsWhatAFileHolds) {
  const std::pair<const char*, int> expected[] = {{"rgb", 3},        {"rgba", 4},      {"gray", 1},
                                                  {"gray_alpha", 2}, {"gray1", 1},     {"palette4", 3},
                                                  {"rgb16", 3},      {"interlaced", 3}};
  for (const auto& [name, components] : expected) {
    const std::string file = PngFile(name);
    const PngInfo info = ReadPngInfo(BytesOf(file), file.size());
    EXPECT_EQ(info.width, kFileWidth);
    EXPECT_EQ(info.height, kFileHeight);
    EXPECT_EQ(info.components, components) << name;
    EXPECT_EQ(PngOutputFormat(info, PixelFormat::kUnknown),
              components % 2 == 0 ? PixelFormat::kRgba : PixelFormat::kRgb);
    EXPECT_EQ(PredictPngDecodeBytes(info, PixelFormat::kRgb), 128u * 3 * 32);
    EXPECT_THROW(PngOutputFormat(info, PixelFormat::kNv12), Error);
  }
}

TEST(Png, DecodesToTheLastBit) {
  struct Kind {
    const char* name;
    std::uint32_t step;        // bytes of a pixel in the file
    std::uint32_t channel[4];  // which of them R, G, B and alpha are
    bool alpha;
  };
  const Kind kinds[] = {{"rgb", 3, {0, 1, 2, 9}, false},
                        {"rgba", 4, {0, 1, 2, 3}, true},
                        {"gray", 1, {0, 0, 0, 9}, false},
                        {"gray_alpha", 2, {0, 0, 0, 1}, true},
                        {"rgb16", 6, {0, 2, 4, 9}, false},
                        {"interlaced", 3, {0, 1, 2, 9}, false},
                        {"rgba16_interlaced", 8, {0, 2, 4, 6}, true}};
  for (const Kind& kind : kinds)
    for (const PixelFormat format : {PixelFormat::kRgb, PixelFormat::kRgba}) {
      const DecodedPng decoded(PngFile(kind.name), format);
      for (std::uint32_t y = 0; y < kFileHeight; ++y)
        for (std::uint32_t x = 0; x < kFileWidth; ++x)
          for (int c = 0; c < (format == PixelFormat::kRgba ? 4 : 3); ++c) {
            const int expected = c == 3 && !kind.alpha ? 255 : DrawnSample(x, y, kind.channel[c]);
            ASSERT_EQ(*SampleAt(decoded.picture, c, x, y), expected)
                << kind.name << " " << x << " " << y << " " << c;
          }
    }
}

TEST(Png, ExpandsPalettesAndBits) {
  const DecodedPng palette(PngFile("palette4"), PixelFormat::kUnknown);
  EXPECT_EQ(palette.picture.format, PixelFormat::kRgb);
  const unsigned index = DrawnSample(0, 0, 0) >> 4;
  EXPECT_EQ(*SampleAt(palette.picture, 0, 0, 0), index * 16);
  EXPECT_EQ(*SampleAt(palette.picture, 1, 0, 0), 255 - index * 9);
  EXPECT_EQ(*SampleAt(DecodedPng(PngFile("palette4"), PixelFormat::kRgba).picture, 3, 0, 0), 0);
  const DecodedPng bits(PngFile("gray1"), PixelFormat::kRgb);
  for (std::uint32_t x = 0; x < kFileWidth; ++x)
    EXPECT_EQ(*SampleAt(bits.picture, 2, x, 0), DrawnSample(x / 8, 0, 0) >> (7 - x % 8) & 1 ? 255 : 0);
}

TEST(Png, RefusesBadFilesBeforeMemoryIsSpent) {
  for (const char* const name : {"rgb", "interlaced", "palette4"}) {
    const std::string file = PngFile(name);
    EXPECT_EQ(CodeOfPng(file), kInvalidParam) << "rows of 128 pixels do not fit";
    GuardedBytes out(128 * 4 * 32);
    // What follows the samples is not needed.
    for (std::size_t length = 0; length + 16 < file.size(); ++length) {
      const GuardedBytes in(file.data(), length);
      EXPECT_THROW(DecodePng(in.data(), length, {PixelFormat::kRgba, 0, 0, 0, 0, out.data(), out.size()}),
                   Error)
          << length;
    }
    for (std::size_t i = 8; i + 16 < file.size(); ++i) {
      std::string damaged = file;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
      const GuardedBytes in(damaged.data(), damaged.size());
      try {
        DecodePng(in.data(), in.size(), {PixelFormat::kRgba, 0, 0, 0, 0, out.data(), out.size()});
      } catch (const Error&) {
      }
    }
  }
  std::string huge = PngFile("rgb");
  huge.replace(16, 8, std::string("\0\0\xEA\x60\0\0\xEA\x60", 8));
  EXPECT_EQ(CodeOfPng(huge), kInvalidParam);
  EXPECT_THROW(DecodePng(nullptr, 100, {}), Error);
}

}  // namespace
}  // namespace foothold::media
