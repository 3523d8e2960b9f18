// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ResizeBilinearV2Grad: what ResizeBilinearV2 took from each pixel of the original image, given back.
#include <algorithm>
#include <cmath>

#include "ops/resize/resample_kernel.h"
#include "ops/resize/resize_image.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

struct Image {
  std::size_t axis;  // the height; the width follows
  ResizeSide height, width;
};

Image ImageOf(const OpContext& context) {
  const TensorType &grads = context.In("grads"), &original = context.In("original_image");
  if (grads.dims.size() != 4 || original.dims.size() != 4)
    context.Refuse("grads is {} and original_image {}, expected 4 dimensions", ToString(grads),
                   ToString(original));
  const bool last = grads.format == Format::kNhwc ||
                    (grads.format != Format::kNchw && context.node().Text("data_format", "NHWC") != "NCHW");
  const std::size_t axis = last ? 1 : 2, channels = last ? 3 : 1;
  const bool alike = grads.dims[0] == original.dims[0] && grads.dims[channels] == original.dims[channels];
  if (!alike || std::min(original.dims[axis], original.dims[axis + 1]) < 1)
    context.Refuse("grads is {} and original_image {}, expected images of one batch and as many channels",
                   ToString(grads), ToString(original));
  return {axis, {original.dims[axis], grads.dims[axis]}, {original.dims[axis + 1], grads.dims[axis + 1]}};
}

void InferBilinearGrad(OpContext& context) {
  ImageOf(context);
  ReadPixelMap(context);
  context.SetOut(0, context.In("grads").type, context.In("original_image").dims, context.In("grads").format);
}

// In float, as the resizing is.
Taps TapsOf(const PixelMap& map, ResizeSide side) {
  const float scale = map.Scale(side);
  Taps taps;
  for (std::int64_t i = 0; i < side.to; ++i) {
    const auto at = static_cast<float>(i);
    const float place = map.half_pixels ? std::max((at + 0.5f) * scale - 0.5f, 0.0f) : at * scale;
    const std::int64_t low = std::clamp<std::int64_t>(static_cast<std::int64_t>(place), 0, side.from - 1);
    const auto share = static_cast<double>(std::min(place - static_cast<float>(low), 1.0f));
    taps.Add(static_cast<std::size_t>(low), 1 - share);
    taps.Add(static_cast<std::size_t>(std::min(low + 1, side.from - 1)), share);
    taps.EndResult();
  }
  return taps;
}

std::unique_ptr<Kernel> LowerBilinearGrad(OpContext& context) {
  const Image image = ImageOf(context);
  const PixelMap map = ReadPixelMap(context);
  context.SetUnused(context.Port("original_image"));
  std::vector<AxisResize> axes;
  for (const auto& [axis, side] :
       {std::pair{image.axis, image.height}, std::pair{image.axis + 1, image.width}})
    axes.push_back({axis, Transposed(TapsOf(map, side), static_cast<std::size_t>(side.from)), {}});
  return LowerResample(context, std::move(axes));
}

const RegisterOp bilinear_grad(OpDef("ResizeBilinearV2Grad")
                                   .Infer(InferBilinearGrad)
                                   .Lower(LowerBilinearGrad)
                                   .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                                           DataType::kDouble}));

}  // namespace
}  // namespace foothold
