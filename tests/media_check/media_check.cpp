// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pictures beside OpenCV's, at many sizes: scaled by bilinear and nearest to the last bit, everything else
// within
// 1. Not a part of the tests, for OpenCV is large: make media-check.
#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>
#include <random>

#include "kernels/picture_scale.h"
#include "media/transform.h"

namespace foothold::media {
namespace {

struct Case {
  int channels, from_x, from_y, to_x, to_y;
};

std::vector<Case> Cases() {
  std::vector<Case> cases = {{1, 1920, 1080, 640, 640}, {2, 960, 540, 320, 320}, {3, 1920, 1080, 224, 224},
                             {3, 640, 480, 1280, 960},  {1, 64, 64, 32, 32},     {4, 333, 222, 111, 74}};
  std::mt19937 random(17);
  const auto side = [&](int most) { return 1 + static_cast<int>(random() % static_cast<unsigned>(most)); };
  for (int i = 0; i < 2000; ++i)
    cases.push_back(
        {side(4), side(i % 5 == 0 ? 2000 : 120), side(90), side(i % 7 == 0 ? 900 : 150), side(90)});
  return cases;
}

cv::Mat RandomPicture(const Case& one) {
  cv::Mat picture(one.from_y, one.from_x, CV_8UC(one.channels));
  cv::randu(picture, 0, 256);
  return picture;
}

double Distance(const cv::Mat& a, const cv::Mat& b) {
  return cv::norm(a.reshape(1), b.reshape(1), cv::NORM_INF);
}

template <typename Scale>
void CompareScaled(Scale scale, int interpolation, double most) {
  for (const Case& one : Cases()) {
    const cv::Mat in = RandomPicture(one);
    cv::Mat expected, found(one.to_y, one.to_x, in.type());
    cv::resize(in, expected, found.size(), 0, 0, interpolation);
    scale({in.data, in.step, static_cast<std::size_t>(one.from_x), static_cast<std::size_t>(one.from_y)},
          {found.data, found.step, static_cast<std::size_t>(one.to_x), static_cast<std::size_t>(one.to_y)},
          static_cast<std::size_t>(one.channels));
    ASSERT_LE(Distance(expected, found), most) << one.channels << " channels, " << one.from_x << "x"
                                               << one.from_y << " to " << one.to_x << "x" << one.to_y;
  }
}

TEST(BesideOpenCv, BilinearIsTheSame) {
  CompareScaled(ScaleBilinear, cv::INTER_LINEAR, 0);
}
TEST(BesideOpenCv, NearestIsTheSame) {
  CompareScaled(ScaleNearest, cv::INTER_NEAREST, 0);
}
TEST(BesideOpenCv, BicubicIsWithinOne) {
  CompareScaled(ScaleBicubic, cv::INTER_CUBIC, 1);
}

Picture PictureOf(const cv::Mat& mat, PixelFormat format, int rows) {
  return {format,
          static_cast<std::uint32_t>(mat.cols),
          static_cast<std::uint32_t>(rows),
          static_cast<std::uint32_t>(mat.step),
          static_cast<std::uint32_t>(rows),
          mat.data,
          mat.step * static_cast<std::size_t>(mat.rows)};
}

// OpenCV's conversion of NV12 is that of BT.601 with a narrow range.
TEST(BesideOpenCv, Nv12BecomesTheSameColorsWithinOne) {
  cv::Mat in(96 * 3 / 2, 130, CV_8UC1), expected, found(96, 130, CV_8UC3);
  cv::randu(in, 0, 256);
  cv::cvtColor(in, expected, cv::COLOR_YUV2RGB_NV12);
  ConvertColor(PictureOf(in, PixelFormat::kNv12, 96), PictureOf(found, PixelFormat::kRgb, 96),
               {Interpolation::kBilinear, ColorMatrix::kBt601Narrow, nullptr});
  // Its samples below black are cut off before they are multiplied.
  for (int y = 0; y < 96; ++y)
    for (int x = 0; x < 130; ++x)
      for (int c = 0; c < 3 && in.at<std::uint8_t>(y, x) >= 16; ++c)
        ASSERT_NEAR(found.at<cv::Vec3b>(y, x)[c], expected.at<cv::Vec3b>(y, x)[c], 1) << x << " " << y;
}

TEST(BesideOpenCv, PyramidsAreTheSame) {
  for (const auto& [width, height] : std::vector<std::pair<int, int>>{
           {4, 7}, {11, 14}, {18, 21}, {25, 5}, {60, 63}, {641, 479}, {1920, 1080}}) {
    cv::Mat in(height, width, CV_8UC1), expected;
    cv::randu(in, 0, 256);
    cv::pyrDown(in, expected);
    cv::Mat found(expected.size(), CV_8UC1);
    PyrDown(PictureOf(in, PixelFormat::kYuv400, in.rows), PictureOf(found, PixelFormat::kYuv400, found.rows));
    ASSERT_EQ(Distance(expected, found), 0) << width << "x" << height;
  }
}

constexpr std::pair<BorderKind, int> kBorders[] = {{BorderKind::kConstant, cv::BORDER_CONSTANT},
                                                   {BorderKind::kReplicate, cv::BORDER_REPLICATE},
                                                   {BorderKind::kReflect, cv::BORDER_REFLECT},
                                                   {BorderKind::kReflect101, cv::BORDER_REFLECT_101},
                                                   {BorderKind::kWrap, cv::BORDER_WRAP}};

void CompareBorders(int width, int channels, PixelFormat format) {
  cv::Mat in(width + 3, width, CV_8UC(channels)), expected;
  cv::randu(in, 0, 256);
  for (const auto& [kind, theirs] : kBorders) {
    cv::copyMakeBorder(in, expected, 2, 3, 1, 4, theirs, cv::Scalar(99, 98, 97));
    cv::Mat bordered(expected.size(), in.type());
    MakeBorder(PictureOf(in, format, in.rows), PictureOf(bordered, format, bordered.rows),
               {kind, 2, 3, 1, 4, {99, 98, 97, 0}});
    ASSERT_EQ(Distance(expected, bordered), 0) << theirs << " around " << width << " of " << channels;
  }
}

TEST(BesideOpenCv, BordersAreTheSame) {
  for (int width = 4; width < 60; width += 7) {
    CompareBorders(width, 1, PixelFormat::kYuv400);
    CompareBorders(width, 3, PixelFormat::kRgb);
  }
}

// A part of a picture is scaled as if it were all there is.
TEST(BesideOpenCv, CroppedAndScaledIsTheSame) {
  std::mt19937 random(5);
  const auto below = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  cv::Mat in(240, 320, CV_8UC3), expected;
  cv::randu(in, 0, 256);
  for (int i = 0; i < 200; ++i) {
    const int x = below(300), y = below(220);
    const cv::Rect part(x, y, 1 + below(320 - x), 1 + below(240 - y));
    cv::Mat found(1 + below(150), 1 + below(150), CV_8UC3);
    cv::resize(in(part), expected, found.size(), 0, 0, cv::INTER_LINEAR);
    const auto number = [](int value) { return static_cast<std::uint32_t>(value); };
    CropResizePaste(PictureOf(in, PixelFormat::kRgb, in.rows),
                    {number(part.x), number(part.y), number(part.width), number(part.height)},
                    PictureOf(found, PixelFormat::kRgb, found.rows),
                    {0, 0, number(found.cols), number(found.rows)});
    ASSERT_EQ(Distance(expected, found), 0) << part << " to " << found.size();
  }
}

}  // namespace
}  // namespace foothold::media
