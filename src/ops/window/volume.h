// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Volumes (NCDHW, NDHWC) and the windows that 3-D convolutions and pooling move over them: from formats and
// attributes to sizes. Used by rules; any thread. Everything that does not fit is refused.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "ops/op.h"
#include "ops/window/window.h"

namespace foothold {

// Depth, height, width.
using Triple = std::array<std::int64_t, 3>;

struct VolumeDims {
  std::int64_t batch, channels;
  Triple space;
};

// The format of the tensor decides; the attribute data_format (default NDHWC) if the format does not say.
bool VolumeChannelsLast(const OpContext& context, const TensorType& type);
// Of a tensor that must have five dimensions; `what` names it in messages.
VolumeDims VolumeDimsOf(const OpContext& context, const Dims& dims, bool channels_last,
                        std::string_view what);
Dims ToDims(const VolumeDims& volume, bool channels_last);

// Of a list in the layout's order, the entries for the space. Three entries are those, one stands for all.
Triple VolumeEntries(const OpContext& context, std::string_view attribute,
                     const std::vector<std::int64_t>& list, bool channels_last);

// Depth, height, width. Fill in what Resolve of an axis needs but the paddings.
using VolumeWindow = std::array<WindowAxis, 3>;

// Reads `pads` ([front, back, top, bottom, left, right]) if the mode is explicit, and resolves all axes.
void ResolveVolume(const OpContext& context, VolumeWindow& window, PadMode mode, bool ceil);

}  // namespace foothold
