// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/window/volume.h"

namespace foothold {

bool VolumeChannelsLast(const OpContext& context, const TensorType& type) {
  if (type.format == Format::kNcdhw) return false;
  if (type.format == Format::kNdhwc) return true;
  const std::string format = context.node().Text("data_format", "NDHWC");
  if (format == "NCDHW") return false;
  if (format == "NDHWC") return true;
  context.Refuse("data_format is '{}'; NCDHW and NDHWC are possible", format);
}

VolumeDims VolumeDimsOf(const OpContext& context, const Dims& dims, bool channels_last,
                        std::string_view what) {
  if (dims.size() != 5) context.Refuse("{} is {}; it must have five dimensions", what, ToString(dims));
  if (channels_last) return {dims[0], dims[4], {dims[1], dims[2], dims[3]}};
  return {dims[0], dims[1], {dims[2], dims[3], dims[4]}};
}

Dims ToDims(const VolumeDims& volume, bool channels_last) {
  const auto [depth, height, width] = volume.space;
  if (channels_last) return {volume.batch, depth, height, width, volume.channels};
  return {volume.batch, volume.channels, depth, height, width};
}

Triple VolumeEntries(const OpContext& context, std::string_view attribute,
                     const std::vector<std::int64_t>& list, bool channels_last) {
  if (list.size() == 1) return {list[0], list[0], list[0]};
  if (list.size() == 3) return {list[0], list[1], list[2]};
  if (list.size() != 5) context.Refuse("{} has {} entries; it must have five", attribute, list.size());
  const std::size_t first = channels_last ? 1 : 2;
  return {list[first], list[first + 1], list[first + 2]};
}

namespace {

void SetPads(const OpContext& context, VolumeWindow& window) {
  const std::vector<std::int64_t> pads = context.node().Ints("pads", {0, 0, 0, 0, 0, 0});
  if (pads.size() != 6)
    context.Refuse("pads has {} entries; it must have six: front, back, top, bottom, left, right",
                   pads.size());
  for (std::size_t i = 0; i < 3; ++i) {
    window[i].pad_begin = pads[2 * i];
    window[i].pad_end = pads[2 * i + 1];
  }
}

}  // namespace

void ResolveVolume(const OpContext& context, VolumeWindow& window, PadMode mode, bool ceil) {
  if (mode == PadMode::kExplicit) SetPads(context, window);
  constexpr std::array<const char*, 3> kNames = {"depth", "height", "width"};
  for (std::size_t i = 0; i < 3; ++i)
    Resolve(context, window[i], mode, ceil, kNames[i]);
}

}  // namespace foothold
