// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// What a decoded or encoded JPEG picture will be, before any of it is.
#include <algorithm>

#include "base/error.h"
#include "media/jpeg.h"
#include "media/stride.h"

namespace foothold::media {
namespace {

// V before U, as the decoder's "source format" is documented.
PixelFormat FormatOfSource(const JpegInfo& info) {
  using enum PixelFormat;
  switch (info.sampling) {
    case JpegSampling::k444:
      return kYvu444Sp;
    case JpegSampling::k422:
    case JpegSampling::k411:
      return kYvu422Sp;
    case JpegSampling::k440:
      return kYvu440Sp;
    default:
      return kNv21;
  }
}

std::uint32_t Rounded(std::uint32_t side, bool shared, bool up) {
  if (!shared || side % 2 == 0) return side;
  return up || side == 1 ? side + 1 : side - 1;
}

bool IsNear(std::uint32_t given, std::uint32_t real) {
  return given + 1 >= real && given <= real + 1;
}

// The size of the output says that the picture is wanted as it lies in the file.
bool IsWantedUnturned(const JpegInfo& info, const Picture& out) {
  if (!info.turned() || (IsNear(out.width, info.width) && IsNear(out.height, info.height))) return false;
  return IsNear(out.width, info.height) && IsNear(out.height, info.width);
}

}  // namespace

PixelFormat JpegOutputFormat(const JpegInfo& info, PixelFormat asked) {
  if (asked == PixelFormat::kUnknown) return FormatOfSource(info);
  return LayoutOf(asked, "decoded").format;
}

JpegSize JpegOutputSize(const JpegInfo& info, PixelFormat format, JpegRounding rounding) {
  const FormatLayout& layout = LayoutOf(format, "decoded");
  const bool any = layout.shift_x + layout.shift_y > 0, compat = rounding == JpegRounding::kDownCompat && any;
  const bool up = rounding == JpegRounding::kUp;
  return {Rounded(info.width, compat || layout.shift_x == 1, up),
          Rounded(info.height, compat || layout.shift_y == 1, up)};
}

std::uint64_t PredictJpegDecodeBytes(const JpegInfo& info, PixelFormat asked) {
  const PixelFormat format = JpegOutputFormat(info, asked);
  // Enough for the picture either way round: programs that do not know of orientations pass its other size.
  const auto bytes = [&](std::uint32_t width, std::uint32_t height) {
    return RequiredBytes(format, DecoderWidthStride(format, width), DecoderHeightStride(height));
  };
  const std::uint64_t shown = bytes(info.width, info.height);
  return info.turned() ? std::max(shown, bytes(info.height, info.width)) : shown;
}

JpegInfo JpegAsWritten(const JpegInfo& info, const Picture& out) {
  JpegInfo written = info;
  if (out.width != 0 && out.height != 0 && IsWantedUnturned(info, out)) {
    std::swap(written.width, written.height);
    written.orientation = 1;
  }
  return written;
}

Picture PlanJpegDecode(const JpegInfo& info, const Picture& out, JpegRounding rounding) {
  const JpegInfo as_written = JpegAsWritten(info, out);
  Picture plan = out;
  plan.format = JpegOutputFormat(as_written, out.format);
  const JpegSize size = JpegOutputSize(as_written, plan.format, rounding);
  plan.width = size.width;
  plan.height = size.height;
  FillDecoderStrides(as_written.width, as_written.height, &plan);
  CheckShape(plan, "output");
  return plan;
}

std::uint64_t PredictJpegEncodeBytes(PixelFormat format, std::uint32_t width, std::uint32_t height) {
  const FormatLayout& layout = LayoutOf(format, "input");
  const std::uint64_t pixels = std::uint64_t{RoundUp(width, 16)} * RoundUp(height, 16);
  const bool wide = layout.shift_x == 1 && layout.shift_y == 0;
  return pixels * (wide ? 4 : 3) + 2048;
}

}  // namespace foothold::media
