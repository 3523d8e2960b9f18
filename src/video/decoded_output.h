// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From a picture of a codec to the memory a program gave for it. Any thread; the scratch memory is the
// caller's.
#pragma once

#include <cstdint>
#include <vector>

#include "codecs/codec.h"
#include "media/transform.h"

namespace foothold::video {

// What is open in `asked` (all four sizes 0), filled in for a stream of this size: rows of a multiple of 16
// pixels and an even number of them, or, if there is room only for that, no gaps. Throws 100000 if there is
// not, or if some sizes are set and others not.
media::Picture PlanOutput(const media::Picture& asked, std::uint32_t width, std::uint32_t height);

// Scales and converts where the output asks for it. The output is planned, its memory checked.
void WriteOutput(const DecodedPicture& picture, const media::Picture& out,
                 const media::TransformOptions& options, std::vector<std::uint8_t>& scratch);

}  // namespace foothold::video
