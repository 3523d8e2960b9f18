// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "base/error.h"
#include "kernels/picture_rows.h"
#include "media/convert.h"
#include "media/jpeg.h"
#include "media/orientation.h"
#include "media/owned_picture.h"
#include "media/turbo_jpeg.h"

namespace foothold::media {
namespace {

struct File {
  const std::uint8_t* data;
  std::size_t size;
};

// What the library makes of the file; it may know a sampling by another name, or not at all.
struct Coded {
  int width = 0, height = 0, sampling = -1, space = -1;

  bool has_planes() const {
    return sampling >= 0 && sampling <= 5 && (space == turbo::kSpaceYCbCr || space == turbo::kSpaceGray);
  }
};

Coded ReadHeader(const turbo::Codec& codec, const File& file, const JpegInfo& info) {
  Coded coded;
  const int result = codec.functions().decompress_header(codec.get(), file.data, file.size, &coded.width,
                                                         &coded.height, &coded.sampling, &coded.space);
  const std::uint32_t width = info.turned() ? info.height : info.width;
  const std::uint32_t height = info.turned() ? info.width : info.height;
  // A sampling that has no name of the library's is a failure to it, though it can decode the picture.
  if (result != 0 && info.sampling == JpegSampling::kOther) {
    coded = {static_cast<int>(width), static_cast<int>(height), -1, -1};
    return coded;
  }
  codec.CheckDecoded(result);
  // All checks were made with the sizes of our own header; two frames would tell two sizes.
  if (coded.width != static_cast<int>(width) || coded.height != static_cast<int>(height))
    Fail(kUnsupportedJpeg, "the JPEG picture says that it is {} x {} pixels, and {} x {}", width, height,
         coded.width, coded.height);
  return coded;
}

// Planes as they were coded, rounded up to whole groups of samples that share chroma.
class Planes {
 public:
  Planes(const turbo::Codec& codec, const Coded& coded) : count_(coded.sampling == 3 ? 1 : 3) {
    for (int c = 0; c < count_; ++c) {
      width_[c] = codec.functions().plane_width(c, coded.width, coded.sampling);
      height_[c] = codec.functions().plane_height(c, coded.height, coded.sampling);
      if (width_[c] <= 0 || height_[c] <= 0) Fail(kUnsupportedJpeg, "the JPEG picture's planes have no size");
      stride_[c] = width_[c];
    }
  }

  // The plane goes where `view` is, if it has room.
  bool Put(int plane, const PlaneView& view, std::size_t rows) {
    if (static_cast<std::size_t>(width_[plane]) > view.row_step ||
        static_cast<std::size_t>(height_[plane]) > rows)
      return false;
    data_[plane] = view.data;
    stride_[plane] = static_cast<int>(view.row_step);
    return true;
  }

  void Decode(const turbo::Codec& codec, const File& file, const Coded& coded) {
    for (int c = 0; c < count_; ++c) {
      if (data_[c] != nullptr) continue;
      memory_[c] = std::make_unique_for_overwrite<std::uint8_t[]>(static_cast<std::size_t>(width_[c]) *
                                                                  static_cast<std::size_t>(height_[c]));
      data_[c] = memory_[c].get();
    }
    codec.CheckDecoded(codec.functions().decompress_to_planes(codec.get(), file.data, file.size, data_,
                                                              coded.width, stride_, coded.height,
                                                              turbo::kAccurateDct | turbo::kLimitScans));
  }

  std::uint8_t* row(int plane, std::size_t y) const {
    return data_[plane] + y * static_cast<std::size_t>(stride_[plane]);
  }
  std::size_t width(int plane) const { return static_cast<std::size_t>(width_[plane]); }
  std::size_t height(int plane) const { return static_cast<std::size_t>(height_[plane]); }
  int count() const { return count_; }

 private:
  const int count_;
  int width_[3] = {}, height_[3] = {}, stride_[3] = {};
  unsigned char* data_[3] = {};
  std::unique_ptr<std::uint8_t[]> memory_[3];
};

// The planes' format with U and V apart, by the library's number; 4:1:1 is made 4:2:2.
PixelFormat SourceFormat(int sampling) {
  using enum PixelFormat;
  constexpr PixelFormat kFormats[] = {kYuv444Planar, kYuv422Planar, kYuv420Planar,
                                      kYuv400,       kYuv440Sp,     kYuv422Planar};
  return kFormats[sampling];
}

void CopyPlane(const Planes& planes, int from, const PlaneView& to) {
  for (std::size_t y = 0; y < to.height; ++y)
    std::memcpy(to.data + y * to.row_step, planes.row(from, y), to.width);
}

void MergeChroma(const Planes& planes, const PlaneView& to, bool v_first) {
  for (std::size_t y = 0; y < to.height; ++y) {
    const std::uint8_t* const pair[] = {planes.row(v_first ? 2 : 1, y), planes.row(v_first ? 1 : 2, y)};
    MergePixels(pair, 2, to.width, to.data + y * to.row_step);
  }
}

void SpreadChroma(const Planes& planes, const Picture& to) {
  for (int c = 1; c < 3; ++c) {
    const PlaneView view = PlaneOf(to, c);
    for (std::size_t y = 0; y < view.height; ++y)
      SpreadSamples(planes.row(c, y), view.width, view.data + y * view.row_step);
  }
}

OwnedPicture PictureOfPlanes(const turbo::Codec& codec, const File& file, const Coded& coded) {
  Planes planes(codec, coded);
  planes.Decode(codec, file, coded);
  OwnedPicture out(SourceFormat(coded.sampling), static_cast<std::uint32_t>(coded.width),
                   static_cast<std::uint32_t>(coded.height));
  const Picture& picture = out.picture();
  CopyPlane(planes, 0, PlaneOf(picture, 0));
  if (coded.sampling == 4) {
    MergeChroma(planes, PlaneOf(picture, 1), false);
  } else if (coded.sampling == 5) {
    SpreadChroma(planes, picture);
  } else {
    for (int c = 1; c < planes.count(); ++c)
      CopyPlane(planes, c, PlaneOf(picture, c));
  }
  return out;
}

// Inverted, as the program that writes nearly all such files does it.
void CmykToRgb(const std::vector<std::uint8_t>& cmyk, const Picture& rgb) {
  for (std::size_t i = 0; i < std::size_t{rgb.width} * rgb.height; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      rgb.data[i * 3 + c] = static_cast<std::uint8_t>((cmyk[i * 4 + c] * cmyk[i * 4 + 3] + 127) / 255);
}

OwnedPicture PictureOfColors(const turbo::Codec& codec, const File& file, const Coded& coded,
                             const JpegInfo& info) {
  OwnedPicture out(PixelFormat::kRgb, static_cast<std::uint32_t>(coded.width),
                   static_cast<std::uint32_t>(coded.height));
  const bool four = info.components == 4;
  std::vector<std::uint8_t> cmyk(four ? std::size_t{out.picture().width} * out.picture().height * 4 : 0);
  codec.CheckDecoded(codec.functions().decompress(
      codec.get(), file.data, file.size, four ? cmyk.data() : out.picture().data, coded.width, 0,
      coded.height, four ? turbo::kPixelsCmyk : turbo::kPixelsRgb, turbo::kAccurateDct | turbo::kLimitScans));
  if (four) CmykToRgb(cmyk, out.picture());
  return out;
}

// Where a side was rounded up, the last column and row stand twice.
void RepeatEdges(const Picture& out, std::uint32_t width, std::uint32_t height) {
  const PlaneView luma = PlaneOf(out, 0);
  if (out.width > width)
    for (std::uint32_t y = 0; y < height; ++y)
      luma.data[y * luma.row_step + width] = luma.data[y * luma.row_step + width - 1];
  if (out.height > height)
    std::memcpy(luma.data + height * luma.row_step, luma.data + (height - 1) * luma.row_step, out.width);
}

void Place(const Picture& source, const Picture& out) {
  const Region part{0, 0, std::min(source.width, out.width), std::min(source.height, out.height)};
  ConvertPart(source, part, out, part, CoefficientsOf(ColorMatrix::kBt601Wide));
  const FormatLayout& layout = LayoutOf(out.format, "output");
  if (layout.shift_x + layout.shift_y > 0 && !layout.IsPacked422()) RepeatEdges(out, part.width, part.height);
}

void PlaceTurned(const Picture& source, const Picture& out, int orientation) {
  const bool rgb = source.format == PixelFormat::kRgb;
  const OwnedPicture flat(rgb ? PixelFormat::kRgbPlanar : PixelFormat::kYuv444Planar, source.width,
                          source.height);
  Place(source, flat.picture());
  const bool exchanged = orientation >= 5;
  const OwnedPicture turned(flat.picture().format, exchanged ? source.height : source.width,
                            exchanged ? source.width : source.height);
  Turn(flat.picture(), turned.picture(), orientation);
  Place(turned.picture(), out);
}

// The way of most pictures: luma decoded into its place, and chroma put together, when the output has the
// sampling of the file.
bool TryInPlace(const turbo::Codec& codec, const File& file, const Coded& coded, const Picture& out) {
  const FormatLayout& to = LayoutOf(out.format, "output");
  const FormatLayout& from = LayoutOf(SourceFormat(coded.sampling), "decoded");
  const bool same = to.planes == 2 && from.components == 3 && coded.sampling != 5 &&
                    to.shift_x == from.shift_x && to.shift_y == from.shift_y;
  if (!same || out.width > static_cast<std::uint32_t>(coded.width) ||
      out.height > static_cast<std::uint32_t>(coded.height))
    return false;
  Planes planes(codec, coded);
  const PlaneView luma = PlaneOf(out, 0);
  const bool in_place = planes.Put(0, luma, out.height_stride);
  planes.Decode(codec, file, coded);
  if (!in_place) CopyPlane(planes, 0, luma);
  MergeChroma(planes, PlaneOf(out, 1), to.component[1].first == 1);
  return true;
}

void DecodeInto(const File& file, const JpegInfo& info, const Picture& out, int orientation) {
  const turbo::Codec codec(turbo::Codec::kDecompress);
  const Coded coded = ReadHeader(codec, file, info);
  const bool planes = coded.has_planes() && !info.needs_conversion;
  if (planes && orientation == 1 && TryInPlace(codec, file, coded, out)) return;
  const OwnedPicture source =
      planes ? PictureOfPlanes(codec, file, coded) : PictureOfColors(codec, file, coded, info);
  if (orientation == 1) {
    Place(source.picture(), out);
  } else {
    PlaceTurned(source.picture(), out, orientation);
  }
}

}  // namespace

Picture DecodeJpeg(const std::uint8_t* data, std::size_t size, const Picture& out, JpegRounding rounding) {
  if (data == nullptr) Fail(kInvalidParam, "the data of the JPEG picture must not be null");
  const JpegInfo info = ReadJpegInfo(data, size);
  const Picture plan = PlanJpegDecode(info, out, rounding);
  Check(plan, "output");
  DecodeInto({data, size}, info, plan, JpegAsWritten(info, out).orientation);
  return plan;
}

}  // namespace foothold::media
