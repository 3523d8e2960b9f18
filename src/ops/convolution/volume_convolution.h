// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the 3-D convolution and its transposed form share: sizes from descriptors and attributes, and the
// order of the filter that images of slices want. Used by rules; any thread.
#pragma once

#include <string_view>

#include "kernels/strided_copy.h"
#include "kernels/volume_slices.h"
#include "ops/window/volume.h"

namespace foothold {

// A filter by meaning; `in` is what one group reads. Strides in elements.
struct VolumeFilter {
  std::int64_t out, in;
  Triple space;
  std::ptrdiff_t out_stride, in_stride, place_stride;
};

// NCDHW is [out, in, depth, height, width], DHWCN [depth, height, width, in, out], NDHWC [out, depth, height,
// width, in]. With another format the layout of the data decides: in planes NCDHW, else DHWCN.
VolumeFilter VolumeFilterOf(const OpContext& context, const TensorType& type, bool channels_last);

// The convolution from `input` to its output with the node's strides, dilations, groups and paddings.
VolumeShape ShapeOfVolumeConvolution(const OpContext& context, const VolumeDims& input,
                                     const VolumeFilter& filter, bool channels_last);
VolumeDims OutputDims(const VolumeShape& shape);

// Brings a filter into the order [out, depth, in, height, width], which is that of a 2-D filter for images
// of slices.
StridedCopy ArrangedFilter(const VolumeFilter& filter, std::size_t element_size);
std::size_t ElementsOf(const VolumeFilter& filter);
FilterStrides ArrangedStrides(const VolumeShape& shape);

}  // namespace foothold
