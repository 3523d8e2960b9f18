// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A channel that decodes video (aclvdec*). Packets are copied when they are sent and decoded in order by
// tasks of the channel's stream; the program's callback gets every frame once, on the subscribed thread, in
// the order pictures are shown in. Any thread may send.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "codecs/video_decoder.h"
#include "media/descriptions.h"
#include "video/frame_decoder.h"
#include "video/reporting_channel.h"

namespace foothold::video {

// What a frame's callback reads as its result (retCode).
constexpr std::uint32_t kFrameGood = 0;
constexpr std::uint32_t kFrameFailed = 0x10000;
constexpr std::uint32_t kFrameWithoutPicture = 0x20000;

struct DecodeSettings {
  std::uint64_t thread = 0;
  std::function<void(void* input, void* output, void* user_data)> callback;
  VideoCodec codec = VideoCodec::kH264;
  VideoDecoder::Order order = VideoDecoder::Order::kShown;
  std::int32_t out_format = 1;  // where the output's description has none
};

struct DecodeFrame {
  void* input = nullptr;   // handles, as the program gave them: passed on, never followed
  void* output = nullptr;  // null: nothing is to be shown
  void* user_data = nullptr;
  media::PicturePointer picture;  // what `output` was
  media::PictureDesc asked;       // its values when it was sent
  std::uint64_t serial = 0;       // of the output's memory
  std::vector<std::uint8_t> packet;

  std::string Describe() const;
};

class DecodeChannel final : public ReportingChannel<DecodeChannel, DecodeFrame>,
                            private FrameDecoder<DecodeFrame>::Receiver {
 public:
  DecodeChannel(std::uint64_t number, const DecodeSettings& settings);
  ~DecodeChannel() { Abandon(); }

  // Waits while too many frames are on their way.
  void Send(const char* api, std::unique_ptr<DecodeFrame> frame);
  // Waits until every frame was decoded and its callback has returned; throws what failed meanwhile.
  void Finish(const char* api);

  // For reporting_channel.h.
  void Work(std::unique_ptr<DecodeFrame> frame) { decoder_.Push(std::move(frame)); }
  void Call(const DecodeFrame& frame) const {
    settings_.callback(frame.input, frame.output, frame.user_data);
  }

 private:
  class FlushTask;

  void Show(const DecodedPicture& picture, DecodeFrame& frame) override;
  void Done(std::unique_ptr<DecodeFrame> frame, FrameResult result) noexcept override;

  const DecodeSettings settings_;
  // The stream's tasks only.
  FrameDecoder<DecodeFrame> decoder_;
  std::vector<std::uint8_t> scratch_;
};

}  // namespace foothold::video
