// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A place of the filter in depth meets as many slices as the output has: a batch of images, whose gradient is
// that of a convolution over images.
#include "aclnn/maps/volume_gradient.h"

namespace foothold::aclnn {
namespace {

Value PaddedInDepth(Call& call, const VolumeWindows& windows, Value x) {
  std::vector<std::int64_t> paddings(10, 0);
  paddings[4] = windows.pads[0];
  paddings[5] = windows.pads[1];
  return call.Op("PadV3", {x, call.Ints(paddings), call.Number(TypeOf(x).type, 0.0)});
}

// `count` slices from `first` on, `step` apart.
Value Slices(Call& call, Value x, std::int64_t first, std::int64_t count, std::int64_t step) {
  const std::int64_t last = first + (count - 1) * step + 1;
  return call.Op("StridedSliceV3",
                 {x, call.Ints({first}), call.Ints({last}), call.Ints({2}), call.Ints({step})});
}

Value AsImages(Call& call, Value volumes) {
  const Value slices = call.Transpose(volumes, {0, 2, 1, 3, 4});
  const Dims dims = DimsOf(slices);
  return Call::As(call.Reshape(slices, {dims[0] * dims[1], dims[2], dims[3], dims[4]}), Format::kNchw);
}

}  // namespace

Value VolumeFilterGradient(Call& call, const VolumeWindows& windows, Value x, Value gradient,
                           const Dims& filter) {
  const Value padded = PaddedInDepth(call, windows, x), arriving = AsImages(call, gradient);
  const std::int64_t count = DimsOf(gradient)[2];
  std::vector<Value> places;
  for (std::int64_t k = 0; k < filter[2]; ++k) {
    const Value met = Slices(call, padded, k * windows.dilations[0], count, windows.strides[0]);
    Op place = call.Op("Conv2DBackpropFilterD", {AsImages(call, met), arriving});
    place.Set("filter_size", Dims{filter[0], filter[1], filter[3], filter[4]})
        .Set("strides", Sizes{1, 1, windows.strides[1], windows.strides[2]})
        .Set("pads", Sizes(windows.pads.begin() + 2, windows.pads.end()))
        .Set("dilations", Sizes{1, 1, windows.dilations[1], windows.dilations[2]})
        .Set("groups", windows.groups)
        .Set("data_format", std::string("NCHW"));
    places.push_back(place);
  }
  const auto size = static_cast<std::int64_t>(places.size());
  return call.Op("Pack").InList("x", places).Set("axis", std::int64_t{2}).Set("N", size);
}

}  // namespace foothold::aclnn
