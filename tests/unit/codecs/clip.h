// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The clips of tests/video in packets. They are 176 x 144 pixels, 24 pictures, some shown later than decoded.
#pragma once

#include <vector>

#include "codecs/codec.h"
#include "video/packets.h"

namespace foothold {

constexpr int kClipWidth = 176, kClipHeight = 144, kClipPictures = 24;

const std::vector<video_test::Packet>& ClipPackets(VideoCodec codec);

}  // namespace foothold
