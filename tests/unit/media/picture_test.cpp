// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/media/plain_pixels.h"

namespace foothold::media {
namespace {

std::string ProblemOf(const Picture& picture) {
  try {
    Check(picture, "input");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kInvalidParam);
    return error.message();
  }
  return "";
}

TEST(Picture, HasTheBytesOfItsFormat) {
  using enum PixelFormat;
  EXPECT_EQ(RequiredBytes(kYuv400, 64, 32), 64u * 32);
  for (const PixelFormat format : {kNv12, kNv21, kYuv420Planar, kYvu420Planar})
    EXPECT_EQ(RequiredBytes(format, 64, 32), 64u * 32 * 3 / 2);
  for (const PixelFormat format : {kYuv422Sp, kYvu422Sp, kYuv440Sp, kYvu440Sp, kYuv422Planar})
    EXPECT_EQ(RequiredBytes(format, 64, 32), 64u * 32 * 2);
  for (const PixelFormat format : {kYuv444Sp, kYvu444Sp, kYuv444Planar, kRgbPlanar})
    EXPECT_EQ(RequiredBytes(format, 64, 32), 64u * 32 * 3);
  for (const PixelFormat format : {kYuyv, kRgb, kBgra, kYuv444Packed})
    EXPECT_EQ(RequiredBytes(format, 256, 32), 256u * 32);
  EXPECT_EQ(RowBytes(kRgb, 10), 30u);
  EXPECT_EQ(RowBytes(kUyvy, 11), 24u);
  EXPECT_EQ(RowBytes(kNv12, 11), 12u);
  EXPECT_EQ(PlaneRows(kNv12, 7), 8u);
  EXPECT_EQ(PlaneRows(kYuv422Sp, 7), 7u);
}

TEST(Picture, IsCheckedBeforeItIsTouched) {
  std::uint8_t byte = 0;
  const Picture good{PixelFormat::kNv12, 64, 32, 64, 32, &byte, 64 * 32 * 3 / 2};
  EXPECT_EQ(ProblemOf(good), "");
  Picture bad = good;
  bad.format = static_cast<PixelFormat>(50);
  EXPECT_THAT(ProblemOf(bad), testing::HasSubstr("pixel format 50"));
  bad = good, bad.width = 0;
  EXPECT_THAT(ProblemOf(bad), testing::HasSubstr("0 x 32"));
  bad = good, bad.width = 70000;
  EXPECT_THAT(ProblemOf(bad), testing::HasSubstr("70000 x 32"));
  bad = good, bad.width_stride = 63;
  EXPECT_THAT(ProblemOf(bad), testing::HasSubstr("width stride is 63"));
  bad = good, bad.height_stride = 31;
  EXPECT_THAT(ProblemOf(bad), testing::HasSubstr("height stride is 31"));
  bad = good, bad.width_stride = bad.height_stride = UINT32_MAX;
  EXPECT_THAT(ProblemOf(bad), testing::HasSubstr("absurd"));
  bad = good, bad.bytes -= 1;
  EXPECT_THAT(ProblemOf(bad), testing::HasSubstr("needs 3072"));
  bad = good, bad.data = nullptr;
  EXPECT_THAT(ProblemOf(bad), testing::HasSubstr("null"));
}

TEST(Picture, RegionsLieInIt) {
  const Picture picture{PixelFormat::kRgb, 20, 10, 60, 10, nullptr, 600};
  EXPECT_NO_THROW(CheckInside({0, 0, 20, 10}, picture, "crop"));
  EXPECT_NO_THROW(CheckInside({19, 9, 1, 1}, picture, "crop"));
  for (const Region& region : {Region{1, 0, 20, 10}, Region{0, 1, 20, 10}, Region{20, 0, 1, 1},
                               Region{0, 0, 0, 1}, Region{UINT32_MAX, 0, 2, 1}})
    EXPECT_THROW(CheckInside(region, picture, "crop"), Error);
}

TEST(Picture, PlanesBeginWhereSamplesLie) {
  for (const PixelFormat format : AllFormats()) {
    const TestPicture test(format, 26, 14, 1, 6, 4);
    const FormatLayout& layout = *FindLayout(format);
    for (int c = 0; c < layout.components; ++c) {
      const ComponentPlace& place = layout.component[c];
      const PlaneView plane = PlaneOf(test.picture, place.plane, {4, 6, 22, 8});
      EXPECT_EQ(plane.data + place.first, SampleAt(test.picture, c, 4, 6)) << layout.name << " " << c;
      EXPECT_EQ(plane.data + plane.row_step + place.first,
                SampleAt(test.picture, c, 4, 6 + (1u << layout.plane[place.plane].shift_y)));
    }
  }
}

}  // namespace
}  // namespace foothold::media
