// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Replays the seeds of the video fuzzers, and some damaged forms of them: opening a decoder takes too long
// for all.
#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/video_target.h"

namespace foothold {
namespace {

void Replay(VideoCodec codec, const char* name) {
  const auto directory = std::filesystem::path(FOOTHOLD_SOURCE_DIR) / "tests" / "fuzz" / "corpus" / name;
  std::size_t place = 0, seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const video_test::Packet bytes = video_test::ReadFile(entry.path());
    const std::string seed(bytes.begin(), bytes.end());
    FuzzVideo(codec, seed);
    for (int i = 0; i < 8; ++i) {
      place = place * 31 + 17;
      std::string damaged = seed;
      damaged[place % seed.size()] ^= static_cast<char>(1 << place % 8);
      FuzzVideo(codec, damaged);
      FuzzVideo(codec, seed.substr(0, place % seed.size()));
    }
    ++seeds;
  }
  EXPECT_GE(seeds, 5u);
}

TEST(FuzzCorpus, OfH264Holds) {
  Replay(VideoCodec::kH264, "h264");
}

TEST(FuzzCorpus, OfH265Holds) {
  Replay(VideoCodec::kH265, "h265");
}

}  // namespace
}  // namespace foothold
