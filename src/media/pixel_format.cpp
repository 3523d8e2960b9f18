// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/pixel_format.h"

#include "base/error.h"

namespace foothold::media {
namespace {

using enum PixelFormat;
constexpr ColorModel kYuvModel = ColorModel::kYuv, kRgbModel = ColorModel::kRgb;

// Planes of full resolution.
constexpr PlaneLayout kFull1{1, 0, 0}, kFull3{3, 0, 0}, kFull4{4, 0, 0};

constexpr FormatLayout kGrayLayout{kYuv400, "YUV400 (0)", ColorModel::kGray, 1, 1, {kFull1}, {{0, 0, 1}}, 0,
                                   0};

constexpr FormatLayout SemiPlanar(PixelFormat format, const char* name, std::uint8_t x, std::uint8_t y,
                                  bool v_first) {
  const std::uint8_t u = v_first ? 1 : 0, v = v_first ? 0 : 1;
  return {format, name, kYuvModel, 2, 3, {kFull1, {2, x, y}}, {{0, 0, 1}, {1, u, 2}, {1, v, 2}}, x, y};
}

constexpr FormatLayout Planar(PixelFormat format, const char* name, ColorModel model, std::uint8_t x,
                              std::uint8_t y, std::uint8_t first, std::uint8_t second, std::uint8_t third) {
  return {format,
          name,
          model,
          3,
          3,
          {kFull1, {1, x, y}, {1, x, y}},
          {{first, 0, 1}, {second, 0, 1}, {third, 0, 1}},
          x,
          y};
}

constexpr FormatLayout Packed422(PixelFormat format, const char* name, std::uint8_t y, std::uint8_t u,
                                 std::uint8_t v) {
  return {format, name, kYuvModel, 1, 3, {{4, 1, 0}}, {{0, y, 2}, {0, u, 4}, {0, v, 4}}, 1, 0};
}

constexpr FormatLayout Packed3(PixelFormat format, const char* name, ColorModel model, std::uint8_t first,
                               std::uint8_t second, std::uint8_t third) {
  return {format, name, model, 1, 3, {kFull3}, {{0, first, 3}, {0, second, 3}, {0, third, 3}}, 0, 0};
}

constexpr FormatLayout Packed4(PixelFormat format, const char* name, std::uint8_t r, std::uint8_t g,
                               std::uint8_t b, std::uint8_t a) {
  return {format, name, kRgbModel, 1, 4, {kFull4}, {{0, r, 4}, {0, g, 4}, {0, b, 4}, {0, a, 4}}, 0, 0};
}

constexpr FormatLayout kLayouts[] = {
    kGrayLayout,
    SemiPlanar(kNv12, "NV12 (1)", 1, 1, false),
    SemiPlanar(kNv21, "NV21 (2)", 1, 1, true),
    SemiPlanar(kYuv422Sp, "YUV422SP (3)", 1, 0, false),
    SemiPlanar(kYvu422Sp, "YVU422SP (4)", 1, 0, true),
    SemiPlanar(kYuv444Sp, "YUV444SP (5)", 0, 0, false),
    SemiPlanar(kYvu444Sp, "YVU444SP (6)", 0, 0, true),
    Packed422(kYuyv, "YUYV (7)", 0, 1, 3),
    Packed422(kUyvy, "UYVY (8)", 1, 0, 2),
    Packed422(kYvyu, "YVYU (9)", 0, 3, 1),
    Packed422(kVyuy, "VYUY (10)", 1, 2, 0),
    Packed3(kYuv444Packed, "YUV444 (11)", kYuvModel, 0, 1, 2),
    Packed3(kRgb, "RGB888 (12)", kRgbModel, 0, 1, 2),
    Packed3(kBgr, "BGR888 (13)", kRgbModel, 2, 1, 0),
    Packed4(kArgb, "ARGB8888 (14)", 1, 2, 3, 0),
    Packed4(kAbgr, "ABGR8888 (15)", 3, 2, 1, 0),
    Packed4(kRgba, "RGBA8888 (16)", 0, 1, 2, 3),
    Packed4(kBgra, "BGRA8888 (17)", 2, 1, 0, 3),
    Planar(kYvu420Planar, "YVU420 planar (20)", kYuvModel, 1, 1, 0, 2, 1),
    Planar(kYvu422Planar, "YVU422 planar (21)", kYuvModel, 1, 0, 0, 2, 1),
    Planar(kYvu444Planar, "YVU444 planar (22)", kYuvModel, 0, 0, 0, 2, 1),
    Planar(kYuv420Planar, "YUV420 planar (55)", kYuvModel, 1, 1, 0, 1, 2),
    Planar(kYuv422Planar, "YUV422 planar (56)", kYuvModel, 1, 0, 0, 1, 2),
    Planar(kYuv444Planar, "YUV444 planar (57)", kYuvModel, 0, 0, 0, 1, 2),
    Planar(kRgbPlanar, "RGB planar (69)", kRgbModel, 0, 0, 0, 1, 2),
    Planar(kBgrPlanar, "BGR planar (70)", kRgbModel, 0, 0, 2, 1, 0),
    SemiPlanar(kYuv440Sp, "YUV440SP (1000)", 0, 1, false),
    SemiPlanar(kYvu440Sp, "YVU440SP (1001)", 0, 1, true),
};

}  // namespace

const FormatLayout* FindLayout(PixelFormat format) {
  for (const FormatLayout& layout : kLayouts)
    if (layout.format == format) return &layout;
  return nullptr;
}

const FormatLayout& LayoutOf(PixelFormat format, const char* what) {
  if (const FormatLayout* const layout = FindLayout(format)) return *layout;
  Fail(kInvalidParam, "the {} picture has pixel format {}, which is not supported", what,
       static_cast<int>(format));
}

const char* NameOf(PixelFormat format) {
  const FormatLayout* const layout = FindLayout(format);
  return layout != nullptr ? layout->name : format == kUnknown ? "unknown (10000)" : "an unsupported format";
}

}  // namespace foothold::media
