// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One or more transformations as one task of a stream. For the entry points of transforms and their batches.
#pragma once

#include <functional>
#include <vector>

#include "api/media/described.h"

namespace foothold::media {

// An output and what makes it of an input, both checked; `run` gets the pictures with their memory.
struct TransformStep {
  DescribedPicture in;
  DescribedPicture out;
  Use out_use = Use::kWrite;
  Extent out_extent = Extent::kPartial;
  std::function<void(const Picture& in, const Picture& out, const TransformOptions& options)> run;
};

// The channel's colours and an interpolation, once it is known that the channel transforms.
TransformOptions OptionsOf(const PictureChannel& channel, Interpolation interpolation);
void PushTransforms(const acldvppChannelDesc* channel, aclrtStream stream, const char* api,
                    Interpolation interpolation, std::vector<TransformStep> steps);

}  // namespace foothold::media
