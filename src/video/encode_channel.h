// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A channel that encodes video (aclvenc*). Pictures are copied when they are sent and encoded in order by
// tasks of the channel's stream; the program's callback gets every packet on the subscribed thread, in memory
// that is its own only as long as the callback runs. Any thread may send.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "codecs/video_encoder.h"
#include "media/picture.h"
#include "video/in_flight.h"
#include "video/report_queue.h"
#include "video/report_stream.h"

namespace foothold::video {

struct EncodeSettings {
  std::uint64_t thread = 0;
  // `packet` is where the program finds it, null after a failure.
  std::function<void(void* input, void* packet, std::size_t bytes, std::uint32_t result, void* user_data)>
      callback;
  EncoderSettings encoder;
};

struct EncodeFrame {
  void* input = nullptr;  // a handle, as the program gave it: passed on, never followed
  void* user_data = nullptr;
  bool key = false;
  std::vector<std::uint8_t> planes;  // the picture, then the packet
  bool failed = false;
};

class EncodeChannel : public std::enable_shared_from_this<EncodeChannel> {
 public:
  static std::uint64_t Open(const EncodeSettings& settings);
  EncodeChannel(std::uint64_t number, const EncodeSettings& settings);

  // Takes a copy of the picture, whose memory is checked. Waits while too many frames are on their way.
  void Send(const char* api, const media::Picture& picture, std::unique_ptr<EncodeFrame> frame);
  // As in decode_channel.h.
  void Finish(const char* api);
  void Destroy(const char* api);
  void Abandon() noexcept { stream_.Close(); }

 private:
  class EncodeTask;

  void Copy(const media::Picture& picture, EncodeFrame& frame) const;
  void Encode(std::unique_ptr<EncodeFrame> frame);
  void Report();
  void ReportOne(const EncodeFrame& frame) const;
  static void ReportCall(void* number);

  const std::uint64_t number_;
  const EncodeSettings settings_;
  Device& device_;
  InFlight in_flight_;
  ReportQueue<EncodeFrame> reports_;
  std::unique_ptr<VideoEncoder> encoder_;  // the stream's tasks only
  ReportStream stream_;                    // the last: its tasks use all of the above
};

}  // namespace foothold::video
