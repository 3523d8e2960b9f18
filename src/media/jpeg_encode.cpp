// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>
#include <memory>
#include <vector>

#include "base/error.h"
#include "kernels/picture_rows.h"
#include "media/convert.h"
#include "media/jpeg.h"
#include "media/owned_picture.h"
#include "media/turbo_jpeg.h"

namespace foothold::media {
namespace {

constexpr std::uint32_t kMaxJpegSide = 65500;
enum Sampling { k422 = 1, k420 = 2, kGray = 3 };

// CodedPlanes to be coded, and memory of those that do not lie as the library wants them.
struct CodedPlanes {
  const unsigned char* data[3] = {};
  int stride[3] = {};
  std::vector<std::uint8_t> chroma[2];
};

int CodedSamplingOf(const FormatLayout& layout) {
  if (layout.components == 1) return kGray;
  return layout.model == ColorModel::kYuv && layout.shift_x == 1 && layout.shift_y == 0 ? k422 : k420;
}

void PutLuma(const PlaneView& luma, CodedPlanes* out) {
  out->data[0] = luma.data;
  out->stride[0] = static_cast<int>(luma.row_step);
}

void SplitChroma(const PlaneView& pairs, bool v_first, CodedPlanes* out) {
  for (int c = 0; c < 2; ++c) {
    out->chroma[c].resize(std::size_t{pairs.width} * pairs.height);
    out->data[1 + c] = out->chroma[c].data();
    out->stride[1 + c] = static_cast<int>(pairs.width);
  }
  for (std::size_t y = 0; y < pairs.height; ++y) {
    std::uint8_t* const rows[] = {out->chroma[v_first ? 1 : 0].data() + y * pairs.width,
                                  out->chroma[v_first ? 0 : 1].data() + y * pairs.width};
    SplitPixels(pairs.data + y * pairs.row_step, 2, pairs.width, rows);
  }
}

// Semi-planar or grey, with sides that whole groups of samples fill.
bool LiesWell(const Picture& in, const FormatLayout& layout) {
  if (layout.components == 1) return true;
  const bool right_sampling = layout.planes == 2 && layout.shift_x == 1;
  return right_sampling && in.width % 2 == 0 && (layout.shift_y == 0 || in.height % 2 == 0);
}

// Odd sides are filled up with what is next to them.
void FillOddSides(const Picture& picture, std::uint32_t width, std::uint32_t height) {
  const PlaneView luma = PlaneOf(picture, 0);
  for (std::uint32_t y = 0; y < height && picture.width > width; ++y)
    luma.data[y * luma.row_step + width] = luma.data[y * luma.row_step + width - 1];
  if (picture.height > height)
    std::memcpy(luma.data + height * luma.row_step, luma.data + (height - 1) * luma.row_step, picture.width);
}

std::size_t CompressPlanes(const turbo::Codec& codec, CodedPlanes& planes, const Picture& in, int sampling,
                           int quality, std::uint8_t* out, std::size_t capacity) {
  const turbo::Functions& use = codec.functions();
  const int width = static_cast<int>(in.width), height = static_cast<int>(in.height);
  const bool in_place = capacity >= use.buffer_size(width, height, sampling);
  unsigned char* coded = in_place ? out : nullptr;
  unsigned long bytes = in_place ? capacity : 0;
  const int result =
      use.compress_from_planes(codec.get(), planes.data, width, planes.stride, height, sampling, &coded,
                               &bytes, quality, turbo::kAccurateDct | (in_place ? turbo::kNoRealloc : 0));
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owned(in_place ? nullptr : coded, use.free);
  if (result != 0)
    Fail(kInternalError, "the JPEG picture cannot be encoded: {}", use.error_text(codec.get()));
  if (bytes > capacity)
    Fail(kInvalidParam, "the JPEG picture has {} bytes, the memory for it {}", bytes, capacity);
  if (!in_place) std::memcpy(out, coded, bytes);
  return bytes;
}

std::size_t EncodePlanes(const Picture& in, const Picture& visible, int quality, std::uint8_t* out,
                         std::size_t capacity) {
  const FormatLayout& layout = LayoutOf(in.format, "input");
  CodedPlanes planes;
  PutLuma(PlaneOf(in, 0), &planes);
  if (layout.planes == 2) SplitChroma(PlaneOf(in, 1), layout.component[1].first == 1, &planes);
  const turbo::Codec codec(turbo::Codec::kCompress);
  return CompressPlanes(codec, planes, visible, CodedSamplingOf(layout), quality, out, capacity);
}

}  // namespace

std::size_t EncodeJpeg(const Picture& in, unsigned quality, std::uint8_t* out, std::size_t capacity) {
  Check(in, "input");
  if (out == nullptr) Fail(kInvalidParam, "the memory for the JPEG picture must not be null");
  if (quality > 100) Fail(kInvalidParam, "the level of a JPEG picture is from 1 to 100, not {}", quality);
  if (in.width > kMaxJpegSide || in.height > kMaxJpegSide)
    Fail(kInvalidParam, "a JPEG picture has at most {} pixels a side, not {} x {}", kMaxJpegSide, in.width,
         in.height);
  const int level = quality == 0 ? 100 : static_cast<int>(quality);
  const FormatLayout& layout = LayoutOf(in.format, "input");
  if (LiesWell(in, layout)) return EncodePlanes(in, in, level, out, capacity);
  const PixelFormat format = CodedSamplingOf(layout) == k422 ? PixelFormat::kYuv422Sp : PixelFormat::kNv12;
  const OwnedPicture laid(format, (in.width + 1) / 2 * 2, (in.height + 1) / 2 * 2);
  ConvertPart(in, WholeOf(in), laid.picture(), WholeOf(in), CoefficientsOf(ColorMatrix::kBt601Wide));
  FillOddSides(laid.picture(), in.width, in.height);
  return EncodePlanes(laid.picture(), in, level, out, capacity);
}

}  // namespace foothold::media
