// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/transform.h"

#include "base/error.h"
#include "kernels/picture_scale.h"
#include "media/convert.h"
#include "media/owned_picture.h"

namespace foothold::media {
namespace {

const ColorCoefficients& CoefficientsOf(const TransformOptions& options) {
  return options.coefficients != nullptr ? *options.coefficients : CoefficientsOf(options.matrix);
}

void ScalePlane(const PlaneView& in, const PlaneView& out, Interpolation interpolation) {
  const ConstBytePlane from{in.data, in.row_step, in.width, in.height};
  const BytePlane to{out.data, out.row_step, out.width, out.height};
  switch (interpolation) {
    case Interpolation::kBilinear:
      return ScaleBilinear(from, to, in.pixel_bytes);
    case Interpolation::kNearest:
      return ScaleNearest(from, to, in.pixel_bytes);
    case Interpolation::kBicubic:
      return ScaleBicubic(from, to, in.pixel_bytes);
  }
}

// The same format on both sides, and not packed 4:2:2, whose pixels are of two kinds.
void ScalePart(const Picture& in, const Region& from, const Picture& out, const Region& to,
               Interpolation interpolation) {
  const int planes = LayoutOf(in.format, "input").planes;
  for (int plane = 0; plane < planes; ++plane)
    ScalePlane(PlaneOf(in, plane, from), PlaneOf(out, plane, to), interpolation);
}

bool IsPacked422(const Picture& picture) {
  return LayoutOf(picture.format, "given").IsPacked422();
}

void ScaleAndConvert(const Picture& in, const Region& crop, const Picture& out, const Region& paste,
                     const TransformOptions& options) {
  if (in.format == out.format && !IsPacked422(in))
    return ScalePart(in, crop, out, paste, options.interpolation);
  const OwnedPicture scaled(in.format, paste.width, paste.height);
  const Picture& between = scaled.picture();
  ScalePart(in, crop, between, WholeOf(between), options.interpolation);
  ConvertPart(between, WholeOf(between), out, paste, CoefficientsOf(options));
}

}  // namespace

void CropResizePaste(const Picture& in, const Region& crop, const Picture& out, const Region& paste,
                     const TransformOptions& options) {
  Check(in, "input");
  Check(out, "output");
  CheckInside(crop, in, "crop");
  CheckInside(paste, out, "paste");
  if (crop.width == paste.width && crop.height == paste.height)
    return ConvertPart(in, crop, out, paste, CoefficientsOf(options));
  if (!IsPacked422(in)) return ScaleAndConvert(in, crop, out, paste, options);
  const OwnedPicture unpacked(PixelFormat::kYuv422Sp, crop.width, crop.height);
  const Picture& planes = unpacked.picture();
  ConvertPart(in, crop, planes, WholeOf(planes), CoefficientsOf(options));
  ScaleAndConvert(planes, WholeOf(planes), out, paste, options);
}

void Resize(const Picture& in, const Picture& out, const TransformOptions& options) {
  CropResizePaste(in, WholeOf(in), out, WholeOf(out), options);
}

void ConvertColor(const Picture& in, const Picture& out, const TransformOptions& options) {
  if (in.width != out.width || in.height != out.height)
    Fail(kInvalidParam,
         "colours are converted pixel by pixel, but the input has {} x {} and the output {} x {}", in.width,
         in.height, out.width, out.height);
  Resize(in, out, options);
}

}  // namespace foothold::media
