// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/resize/resize_image.h"

#include "ops/data/rule_arguments.h"

namespace foothold {

ResizeImage ReadResize(const OpContext& context) {
  const TensorType& x = context.In(0);
  const Dims& d = x.dims;
  if (d.size() != 4) context.Refuse("x is {}, expected 4 dimensions", ToString(x));
  const std::vector<std::int64_t> size = IntsArgument(context, "size");
  if (size.size() != 2) context.Refuse("size has {} numbers, expected height and width", size.size());
  for (const std::int64_t side : {d[1], d[2], d[3], size[0], size[1]})
    if (side < 0 || side > INT32_MAX)
      context.Refuse("x {} is resized to {} by {}, expected sides below 2^31", ToString(x), size[0], size[1]);
  const bool channels_last =
      x.format == Format::kNhwc ||
      (x.format != Format::kNchw && context.node().Text("data_format", "NHWC") != "NCHW");
  const ResizeImage image = channels_last ? ResizeImage{true, d[0], d[3], {d[1], size[0]}, {d[2], size[1]}}
                                          : ResizeImage{false, d[0], d[1], {d[2], size[0]}, {d[3], size[1]}};
  for (const ResizeSide side : {image.height, image.width})
    if (side.from == 0 && side.to > 0) context.Refuse("x is {}: there is nothing to resize", ToString(x));
  return image;
}

Dims ResizedDims(const ResizeImage& image) {
  const std::int64_t h = image.height.to;
  const std::int64_t w = image.width.to;
  return image.channels_last ? Dims{image.n, h, w, image.c} : Dims{image.n, image.c, h, w};
}

PixelMap ReadPixelMap(const OpContext& context) {
  const PixelMap map{context.node().Bool("align_corners", false),
                     context.node().Bool("half_pixel_centers", false)};
  if (map.align_corners && map.half_pixels)
    context.Refuse("attributes 'align_corners' and 'half_pixel_centers' exclude each other");
  return map;
}

float PixelMap::Scale(ResizeSide side) const {
  if (align_corners && side.to > 1)
    return static_cast<float>(side.from - 1) / static_cast<float>(side.to - 1);
  return static_cast<float>(side.from) / static_cast<float>(side.to);
}

}  // namespace foothold
