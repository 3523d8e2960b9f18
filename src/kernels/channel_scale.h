// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Multiplies the channels of images in blocks (channel_blocks.h) by a factor each. Any thread.
#pragma once

#include <cstddef>

namespace foothold {

// `planes` blocks of channels of all images, `pixels` in each; `factors` has one block for each of them. The
// output may be the input.
void ScaleChannels(std::size_t planes, std::size_t pixels, const float* input, const float* factors,
                   float* output);

}  // namespace foothold
