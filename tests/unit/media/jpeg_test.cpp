// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/jpeg.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"
#include "media/turbo_jpeg.h"
#include "unit/media/coded_files.h"
#include "unit/media/plain_pixels.h"

namespace foothold::media {
namespace {

JpegInfo InfoOf(const std::string& file) {
  const GuardedBytes bytes(file.data(), file.size());
  return ReadJpegInfo(bytes.data(), bytes.size());
}

// Decoded into memory of just the size that is predicted.
struct Decoded {
  Decoded(const std::string& file, PixelFormat format, JpegRounding rounding = JpegRounding::kDownCompat,
          std::uint32_t width = 0, std::uint32_t height = 0)
      : in(file.data(), file.size()), bytes(PredictJpegDecodeBytes(InfoOf(file), format)) {
    picture =
        DecodeJpeg(in.data(), in.size(), {format, width, height, 0, 0, bytes.data(), bytes.size()}, rounding);
  }
  GuardedBytes in, bytes;
  Picture picture;
};

Code CodeOf(const std::string& file, PixelFormat format = PixelFormat::kNv12) {
  const GuardedBytes in(file.data(), file.size());
  GuardedBytes out(40 * 32 * 3);
  try {
    DecodeJpeg(in.data(), in.size(), {format, 0, 0, 40, 32, out.data(), out.size()});
  } catch (const Error& error) {
    return error.code();
  }
  return kSuccess;
}

TEST(Jpeg, TellsWhatAFileHolds) {
  const std::pair<const char*, JpegSampling> expected[] = {
      {"420", JpegSampling::k420},         {"422", JpegSampling::k422},
      {"444", JpegSampling::k444},         {"440", JpegSampling::k440},
      {"411", JpegSampling::k411},         {"gray", JpegSampling::kGray},
      {"progressive", JpegSampling::k420}, {"unnamed_sampling", JpegSampling::kOther}};
  for (const auto& [name, sampling] : expected) {
    const JpegInfo info = InfoOf(JpegFile(name));
    EXPECT_EQ(info.width, kFileWidth) << name;
    EXPECT_EQ(info.height, kFileHeight) << name;
    EXPECT_EQ(info.components, sampling == JpegSampling::kGray ? 1 : 3) << name;
    EXPECT_EQ(info.sampling, sampling) << name;
  }
  EXPECT_TRUE(InfoOf(JpegFile("rgb")).needs_conversion);
  EXPECT_EQ(InfoOf(JpegFile("cmyk")).components, 4);
  const JpegInfo turned = InfoOf(JpegFile("turned"));
  EXPECT_EQ(turned.orientation, 6);
  EXPECT_EQ(turned.width, kFileHeight);
  EXPECT_EQ(turned.height, kFileWidth);
}

TEST(Jpeg, PredictsRowsOf128And16) {
  const JpegInfo info = InfoOf(JpegFile("422"));
  EXPECT_EQ(PredictJpegDecodeBytes(info, PixelFormat::kNv12), 128u * 32 * 3 / 2);
  EXPECT_EQ(PredictJpegDecodeBytes(info, PixelFormat::kUnknown), 128u * 32 * 2);
  EXPECT_EQ(PredictJpegDecodeBytes(InfoOf(JpegFile("444")), PixelFormat::kUnknown), 128u * 32 * 3);
  EXPECT_EQ(PredictJpegDecodeBytes(info, PixelFormat::kRgb), 128u * 3 * 32);
  EXPECT_THROW(PredictJpegDecodeBytes(info, static_cast<PixelFormat>(52)), Error);
  EXPECT_EQ(PredictJpegEncodeBytes(PixelFormat::kNv12, 17, 33), 32u * 48 * 3 + 2048);
  EXPECT_EQ(PredictJpegEncodeBytes(PixelFormat::kYuyv, 16, 16), 16u * 16 * 4 + 2048);
}

// The planes that the library gives by itself.
TEST(Jpeg, PlanesAreThoseOfTheLibrary) {
  for (const char* const name : {"420", "progressive", "restart", "arithmetic"}) {
    const std::string file = JpegFile(name);
    const Decoded decoded(file, PixelFormat::kNv12);
    ASSERT_EQ(decoded.picture.width, 34u);
    ASSERT_EQ(decoded.picture.height, 26u);
    const turbo::Codec codec(turbo::Codec::kDecompress);
    std::vector<unsigned char> planes[3] = {std::vector<unsigned char>(64 * 32),
                                            std::vector<unsigned char>(64 * 32),
                                            std::vector<unsigned char>(64 * 32)};
    unsigned char* data[] = {planes[0].data(), planes[1].data(), planes[2].data()};
    int strides[] = {64, 64, 64};
    ASSERT_EQ(codec.functions().decompress_to_planes(codec.get(), BytesOf(file), file.size(), data, 35,
                                                     strides, 26, turbo::kAccurateDct),
              0);
    for (std::uint32_t y = 0; y < 26; ++y)
      for (std::uint32_t x = 0; x < 34; ++x) {
        ASSERT_EQ(*SampleAt(decoded.picture, 0, x, y), planes[0][y * 64 + x]) << name;
        ASSERT_EQ(*SampleAt(decoded.picture, 1, x, y), planes[1][y / 2 * 64 + x / 2]) << name;
        ASSERT_EQ(*SampleAt(decoded.picture, 2, x, y), planes[2][y / 2 * 64 + x / 2]) << name;
      }
  }
}

// Every kind of file in every format looks like what was drawn: luma of R, G, B at some distance.
TEST(Jpeg, DecodesEveryKindToEveryFormat) {
  for (const auto& entry : std::filesystem::directory_iterator(CodedFolder("jpeg"))) {
    const std::string name = entry.path().stem(), file = ReadCodedFile(entry.path());
    for (const PixelFormat format : AllFormats())
      for (const JpegRounding rounding :
           {JpegRounding::kDown, JpegRounding::kUp, JpegRounding::kDownCompat}) {
        const Decoded decoded(file, format, rounding);
        const FormatLayout& layout = *FindLayout(format);
        double off = 0;
        for (std::uint32_t y = 0; y < decoded.picture.height; ++y)
          for (std::uint32_t x = 0; x < decoded.picture.width; ++x) {
            double luma = *SampleAt(decoded.picture, 0, x, y);
            if (layout.model == ColorModel::kRgb)
              luma = .299 * luma + .587 * *SampleAt(decoded.picture, 1, x, y) +
                     .114 * *SampleAt(decoded.picture, 2, x, y);
            std::uint32_t from_x = std::min(x, kFileWidth - 1), from_y = std::min(y, kFileHeight - 1);
            if (name == "turned")
              from_x = std::min(y, kFileWidth - 1), from_y = kFileHeight - 1 - std::min(x, kFileHeight - 1);
            double rgb[3];
            for (std::uint32_t c = 0; c < 3; ++c) {
              rgb[c] = DrawnSample(from_x, from_y, name == "gray" ? 0 : c);
              if (name == "cmyk") rgb[c] = rgb[c] * DrawnSample(from_x, from_y, 3) / 255;
            }
            off += std::abs(luma - (.299 * rgb[0] + .587 * rgb[1] + .114 * rgb[2]));
          }
        EXPECT_LT(off / decoded.picture.width / decoded.picture.height, 14) << name << " to " << layout.name;
      }
  }
}

TEST(Jpeg, RoundsOddSidesAsAsked) {
  const std::string file = JpegFile("422");
  const auto size = [&](PixelFormat format, JpegRounding rounding) {
    const JpegSize found = JpegOutputSize(InfoOf(JpegFile("422")), format, rounding);
    return std::pair(found.width, found.height);
  };
  using enum PixelFormat;
  EXPECT_EQ(size(kNv12, JpegRounding::kDown), std::pair(34u, 26u));
  EXPECT_EQ(size(kNv12, JpegRounding::kUp), std::pair(36u, 26u));
  EXPECT_EQ(size(kYuv440Sp, JpegRounding::kDown), std::pair(35u, 26u));
  EXPECT_EQ(size(kYuv440Sp, JpegRounding::kDownCompat), std::pair(34u, 26u));
  EXPECT_EQ(size(kYuv444Sp, JpegRounding::kDownCompat), std::pair(35u, 26u));
  const Decoded up(file, kNv12, JpegRounding::kUp);
  EXPECT_EQ(up.picture.width, 36u);
  for (std::uint32_t y = 0; y < 26; ++y)
    EXPECT_EQ(*SampleAt(up.picture, 0, 35, y), *SampleAt(up.picture, 0, 34, y));
}

TEST(Jpeg, TurnsUnlessTheOutputSaysOtherwise) {
  const std::string file = JpegFile("turned");
  EXPECT_EQ(Decoded(file, PixelFormat::kNv12).picture.width, 26u);
  EXPECT_EQ(Decoded(file, PixelFormat::kNv12, JpegRounding::kDownCompat, 26, 35).picture.width, 26u);
  const Decoded plain(file, PixelFormat::kNv12, JpegRounding::kDownCompat, 35, 26);
  EXPECT_EQ(plain.picture.width, 34u);
  const Decoded same(JpegFile("420"), PixelFormat::kNv12);
  for (std::uint32_t x = 0; x < 34; ++x)
    EXPECT_EQ(*SampleAt(plain.picture, 0, x, 11), *SampleAt(same.picture, 0, x, 11));
  // Every orientation, by where the corners go.
  const std::size_t at = file.find("Exif") + 6 + 8 + 2 + 8;
  const std::pair<int, int> first[] = {{0, 0}, {34, 0}, {34, 25}, {0, 25},
                                       {0, 0}, {0, 25}, {34, 25}, {34, 0}};
  const Decoded upright(JpegFile("420"), PixelFormat::kYuv444Sp);
  for (int orientation = 1; orientation <= 8; ++orientation) {
    std::string other = file;
    other[at] = static_cast<char>(orientation);
    const Decoded turned(other, PixelFormat::kYuv444Sp);
    const auto [x, y] = first[orientation - 1];
    EXPECT_EQ(*SampleAt(turned.picture, 0, 0, 0),
              *SampleAt(upright.picture, 0, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)))
        << orientation;
    EXPECT_EQ(turned.picture.width, orientation >= 5 ? 26u : 35u);
  }
}

TEST(Jpeg, HonoursStridesThatAreLargeEnough) {
  const std::string file = JpegFile("420");
  GuardedBytes out(34 * 26 * 3 / 2);
  const Picture tight =
      DecodeJpeg(BytesOf(file), file.size(), {PixelFormat::kNv21, 35, 26, 34, 26, out.data(), out.size()},
                 JpegRounding::kDown);
  EXPECT_EQ(tight.width_stride, 34u);
  EXPECT_EQ(tight.height_stride, 26u);
  const Decoded roomy(file, PixelFormat::kNv21);
  EXPECT_EQ(roomy.picture.width_stride, 128u);
  EXPECT_EQ(roomy.picture.height_stride, 32u);
  for (std::uint32_t y = 0; y < 26; ++y)
    for (int c = 0; c < 3; ++c)
      ASSERT_EQ(*SampleAt(tight, c, 33, y), *SampleAt(roomy.picture, c, 33, y));
}

TEST(Jpeg, RefusesBadFilesBeforeMemoryIsSpent) {
  EXPECT_EQ(CodeOf(""), kUnsupportedJpeg);
  EXPECT_EQ(CodeOf("no picture at all"), kUnsupportedJpeg);
  const std::string file = JpegFile("420");
  for (std::size_t length = 0; length < file.size() - 2; ++length)
    EXPECT_EQ(CodeOf(file.substr(0, length)), kUnsupportedJpeg) << length;
  const std::size_t frame = file.find("\xFF\xC0");
  const auto with = [&](std::size_t at, std::initializer_list<int> bytes) {
    std::string changed = file;
    for (const int byte : bytes)
      changed[frame + at++] = static_cast<char>(byte);
    return changed;
  };
  EXPECT_EQ(CodeOf(with(1, {0xC3})), kUnsupportedJpeg) << "lossless";
  EXPECT_EQ(CodeOf(with(4, {12})), kUnsupportedJpeg) << "12 bits";
  EXPECT_EQ(CodeOf(with(5, {0, 0})), kUnsupportedJpeg) << "no rows";
  EXPECT_EQ(CodeOf(with(9, {2})), kUnsupportedJpeg) << "two components";
  EXPECT_EQ(CodeOf(with(11, {0})), kUnsupportedJpeg) << "no samples";
  // 60,000 x 60,000 pixels in a thousand bytes: too large for the output, which is seen first.
  EXPECT_EQ(CodeOf(with(5, {0xEA, 0x60, 0xEA, 0x60})), kInvalidParam);
  EXPECT_THROW(InfoOf(with(9, {9})), Error);
}

// Damage anywhere: a picture or a failure, and nothing outside of the memory.
TEST(Jpeg, SurvivesDamage) {
  for (const char* const name : {"progressive", "411", "unnamed_sampling", "turned", "cmyk"}) {
    const std::string file = JpegFile(name);
    for (std::size_t i = 2; i < file.size(); i += 3) {
      std::string damaged = file;
      damaged[i] = static_cast<char>(damaged[i] ^ (0x11 << i % 4));
      CodeOf(damaged);
    }
  }
}

TEST(Jpeg, EncodesWhatItDecodes) {
  for (const PixelFormat format : AllFormats()) {
    const Decoded drawn(JpegFile("444"), format, JpegRounding::kDown);
    const auto room = PredictJpegEncodeBytes(format, drawn.picture.width, drawn.picture.height);
    GuardedBytes coded(room);
    const std::size_t bytes = EncodeJpeg(drawn.picture, 100, coded.data(), room);
    const JpegInfo info = ReadJpegInfo(coded.data(), bytes);
    EXPECT_EQ(info.width, drawn.picture.width);
    EXPECT_EQ(info.height, drawn.picture.height);
    const FormatLayout& layout = *FindLayout(format);
    const bool wide = layout.shift_x == 1 && layout.shift_y == 0;
    EXPECT_EQ(info.sampling, layout.components == 1 ? JpegSampling::kGray
                             : wide                 ? JpegSampling::k422
                                                    : JpegSampling::k420);
    const Decoded again(std::string(reinterpret_cast<char*>(coded.data()), bytes), format,
                        JpegRounding::kDown);
    double off = 0;
    for (std::uint32_t y = 0; y < again.picture.height; ++y)
      for (std::uint32_t x = 0; x < again.picture.width; ++x)
        off += std::abs(*SampleAt(again.picture, 0, x, y) - *SampleAt(drawn.picture, 0, x, y));
    EXPECT_LT(off / again.picture.width / again.picture.height, layout.model == ColorModel::kRgb ? 16 : 1)
        << layout.name;
    // With memory for just the file it is made elsewhere first.
    GuardedBytes exact(bytes);
    EXPECT_EQ(EncodeJpeg(drawn.picture, 100, exact.data(), bytes), bytes);
    EXPECT_THROW(EncodeJpeg(drawn.picture, 100, exact.data(), bytes - 1), Error);
  }
}

TEST(Jpeg, LevelZeroIsTheBest) {
  const Decoded drawn(JpegFile("420"), PixelFormat::kNv12);
  GuardedBytes coded(20000);
  const auto size = [&](unsigned level) {
    return EncodeJpeg(drawn.picture, level, coded.data(), coded.size());
  };
  EXPECT_EQ(size(0), size(100));
  EXPECT_LT(size(10), size(90));
  EXPECT_THROW(size(101), Error);
}

}  // namespace
}  // namespace foothold::media
