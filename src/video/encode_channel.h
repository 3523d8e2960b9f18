// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A channel that encodes video (aclvenc*). Pictures are copied when they are sent and encoded in order by
// tasks of the channel's stream; the program's callback gets every packet on the subscribed thread, in memory
// that is its own only as long as the callback runs. Any thread may send.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "codecs/video_encoder.h"
#include "media/picture.h"
#include "video/device_packet.h"
#include "video/reporting_channel.h"

namespace foothold::video {

struct EncodeFrame {
  void* input = nullptr;  // a handle, as the program gave it: passed on, never followed
  void* user_data = nullptr;
  std::shared_ptr<void> description;  // of the packet, for the callback, which must not fail to make it
  bool key = false;
  std::vector<std::uint8_t> planes;      // the picture
  std::unique_ptr<DevicePacket> packet;  // null after a failure
  std::size_t bytes = 0;                 // of the packet

  std::string Describe() const { return "a picture to encode"; }
};

struct EncodeSettings {
  std::uint64_t thread = 0;
  // `packet` is where the program finds it, null after a failure.
  std::function<void(const EncodeFrame& frame, void* packet, std::size_t bytes, std::uint32_t result)>
      callback;
  EncoderSettings encoder;
};

class EncodeChannel : public ReportingChannel<EncodeChannel, EncodeFrame> {
 public:
  EncodeChannel(std::uint64_t number, const EncodeSettings& settings);
  ~EncodeChannel() { Abandon(); }

  // Takes a copy of the picture, whose memory is checked. Waits while too many frames are on their way.
  void Send(const char* api, const media::Picture& picture, std::unique_ptr<EncodeFrame> frame);
  // As in decode_channel.h.
  void Finish(const char* api);

  // For reporting_channel.h.
  void Work(std::unique_ptr<EncodeFrame> frame);
  void Call(const EncodeFrame& frame) const;

 private:
  void Copy(const media::Picture& picture, EncodeFrame& frame) const;

  const EncodeSettings settings_;
  Device& device_;
  std::unique_ptr<VideoEncoder> encoder_;  // the stream's tasks only
};

}  // namespace foothold::video
