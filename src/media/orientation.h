// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Turns a picture by the number of EXIF. For jpeg_decode. Any thread.
#pragma once

#include "media/picture.h"

namespace foothold::media {

// `out` has the format of `in`, planes of full resolution, and its size, exchanged for orientations 5 to 8.
void Turn(const Picture& in, const Picture& out, int orientation);

}  // namespace foothold::media
