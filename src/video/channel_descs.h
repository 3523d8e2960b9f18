// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The objects programs describe video channels with: plain values behind handles. A channel that was made of
// one is known by its number; it has copied the values. One thread at a time for each object.
#pragma once

#include <cstdint>

#include "base/host_objects.h"

namespace foothold::video {

using AnyFunction = void (*)();  // a callback, whatever it takes

struct DecodeChannelDesc {
  std::uint32_t channel_id = 0;
  std::uint64_t thread = 0;
  AnyFunction callback = nullptr;
  std::int32_t stream_format = 0;
  std::int32_t out_format = 1;
  std::uint32_t out_width = 0, out_height = 0;
  std::uint32_t reference_frames = 0;
  std::uint32_t bit_depth = 0;
  std::uint32_t out_mode = 0;
  std::uint32_t color_matrix = 0;
  std::uint64_t channel = 0;  // 0: none
};
using DecodeChannelDescs = HostObjects<DecodeChannelDesc, HandleKind::kDecodeChannel>;

struct DecodeFrameConfig {};
using DecodeFrameConfigs = HostObjects<DecodeFrameConfig, HandleKind::kDecodeFrameConfig>;

struct EncodeChannelDesc {
  std::uint32_t channel_id = 0;
  std::uint64_t thread = 0;
  AnyFunction callback = nullptr;
  std::int32_t stream_format = 0;
  std::int32_t pic_format = 1;
  std::uint32_t width = 0, height = 0;
  std::uint32_t key_interval = 0;
  void* buffer = nullptr;
  std::uint32_t buffer_size = 0;
  std::uint32_t rate_mode = 0, frame_rate = 0, bit_rate = 0, key_share = 0;
  std::uint64_t channel = 0;  // 0: none
};
using EncodeChannelDescs = HostObjects<EncodeChannelDesc, HandleKind::kEncodeChannel>;

struct EncodeFrameConfig {
  std::uint8_t key = 0;
  std::uint8_t end = 0;
};
using EncodeFrameConfigs = HostObjects<EncodeFrameConfig, HandleKind::kEncodeFrameConfig>;

}  // namespace foothold::video
