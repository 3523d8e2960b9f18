// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "unit/codecs/clip.h"

namespace foothold {

const std::vector<video_test::Packet>& ClipPackets(VideoCodec codec) {
  const std::string folder = FOOTHOLD_SOURCE_DIR "/tests/video/";
  static const std::vector<video_test::Packet> h264 =
      video_test::PacketsOf(video_test::ReadFile(folder + "clip.h264"), false);
  static const std::vector<video_test::Packet> h265 =
      video_test::PacketsOf(video_test::ReadFile(folder + "clip.h265"), true);
  return codec == VideoCodec::kH264 ? h264 : h265;
}

}  // namespace foothold
