// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Encodes one stream of H.264: pictures in, packets in Annex B form out, one for each. Key frames bring their
// parameter sets along. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codecs/annex_b.h"

namespace foothold {

struct EncoderSettings {
  enum class Profile { kBaseline, kMain, kHigh };
  enum class Rate { kVariable, kConstant, kFixedQuantiser };

  std::uint32_t width = 0;
  std::uint32_t height = 0;
  Profile profile = Profile::kMain;
  Rate rate = Rate::kVariable;
  std::uint32_t kilobits = 2000;  // per second
  std::uint32_t frames = 30;      // per second
  std::uint32_t key_interval = 1;
  int quantiser = 26;  // with kFixedQuantiser
};

// A planar 4:2:0 picture of the size of the settings.
struct PlanarPicture {
  const std::uint8_t* planes[3];
  std::size_t strides[3];
};

class VideoEncoder {
 public:
  struct Packet {
    StreamBytes bytes;  // good until the next call
    bool key = false;
  };

  virtual ~VideoEncoder() = default;
  // Throws if it cannot be encoded.
  virtual Packet Encode(const PlanarPicture& picture, bool key) = 0;
};

// Throws 200001 if the library is not installed, 100000 for settings it cannot work with.
std::unique_ptr<VideoEncoder> OpenH264Encoder(const EncoderSettings& settings);
// Throws 200001: there is no encoder for H.265.
[[noreturn]] void RefuseH265Encoder();

}  // namespace foothold
