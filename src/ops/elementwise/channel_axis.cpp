// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/elementwise/channel_axis.h"

namespace foothold {
namespace {

bool ChannelsFirst(const TensorType& type, std::string_view data_format) {
  const std::size_t rank = type.dims.size();
  if ((type.format == Format::kNchw && rank == 4) || (type.format == Format::kNcdhw && rank == 5))
    return true;
  if ((type.format == Format::kNhwc && rank == 4) || (type.format == Format::kNdhwc && rank == 5))
    return false;
  return data_format.substr(0, 2) == "NC";
}

}  // namespace

int ChannelAxis(const TensorType& type, std::string_view data_format) {
  const int rank = static_cast<int>(type.dims.size());
  return rank > 2 && ChannelsFirst(type, data_format) ? 1 : rank - 1;
}

Dims OverChannels(const OpContext& context, const TensorType& type, int axis, int port) {
  const Dims& dims = context.InDims(port);
  const std::int64_t count = ElementCount(dims);
  if (count == 1) return {};
  const std::int64_t channels = axis < 0 ? 1 : type.dims[static_cast<std::size_t>(axis)];
  if (count != channels)
    context.Refuse("input '{}' has {} elements, expected one for each of {} channels",
                   context.node().inputs()[static_cast<std::size_t>(port)].name, count, channels);
  Dims over(type.dims.size() - static_cast<std::size_t>(axis), 1);
  over[0] = channels;
  return over;
}

}  // namespace foothold
