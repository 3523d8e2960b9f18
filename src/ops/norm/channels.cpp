// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/norm/channels.h"

#include "kernels/channel_blocks.h"

namespace foothold {

std::size_t ChannelAxis(const OpContext& context, const TensorType& type, std::string_view data_format) {
  const std::size_t rank = type.dims.size();
  if (rank == 0) context.Refuse("the input is a scalar; it must have channels");
  if (rank == 1) return 0;
  const bool last =
      (rank == 4 && type.format == Format::kNhwc) || (rank == 5 && type.format == Format::kNdhwc);
  const bool second =
      (rank == 4 && type.format == Format::kNchw) || (rank == 5 && type.format == Format::kNcdhw);
  if (second) return 1;
  return last || data_format == "NHWC" || data_format == "NDHWC" ? rank - 1 : 1;
}

ChannelLayout LayoutAround(const Dims& dims, std::size_t axis) {
  ChannelLayout layout;
  layout.channels = static_cast<std::size_t>(dims[axis]);
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (i != axis) (i < axis ? layout.outer : layout.inner) *= static_cast<std::size_t>(dims[i]);
  return layout;
}

bool IsInBlocks(const TensorType& type) {
  return type.format == Format::kNc1hwc0 && type.dims.size() == 5;
}

ChannelLayout LayoutInBlocks(const OpContext& context, const Dims& dims, std::int64_t channels) {
  const auto lanes = static_cast<std::int64_t>(ChannelBlock());
  if (dims[4] != lanes || dims[1] != (channels + lanes - 1) / lanes)
    context.Refuse("x is {} in blocks for {} channels; blocks have {} here", ToString(dims), channels, lanes);
  ChannelLayout layout;
  layout.outer = static_cast<std::size_t>(dims[0]);
  layout.channels = static_cast<std::size_t>(channels);
  layout.inner = static_cast<std::size_t>(dims[2] * dims[3]);
  layout.lanes = static_cast<std::size_t>(dims[4]);
  return layout;
}

void CheckChannels(const OpContext& context, std::string_view input, std::int64_t channels) {
  if (!context.Has(input)) return;
  const TensorType& type = context.In(input);
  if (ElementCount(type.dims) != channels)
    context.Refuse("{} is {}; it must have {} elements", input, ToString(type), channels);
  if (type.type != DataType::kFloat && type.type != DataType::kFloat16 && type.type != DataType::kBfloat16)
    context.Refuse("{} is {}; it must be a floating-point tensor", input, ToString(type));
}

}  // namespace foothold
