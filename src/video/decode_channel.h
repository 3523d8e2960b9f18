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
#include <vector>

#include "codecs/video_decoder.h"
#include "media/descriptions.h"
#include "video/frame_ledger.h"
#include "video/in_flight.h"
#include "video/report_queue.h"
#include "video/report_stream.h"

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
};

class DecodeChannel : public std::enable_shared_from_this<DecodeChannel> {
 public:
  // The channel's number; throws what opening its decoder or subscribing its thread throws.
  static std::uint64_t Open(const DecodeSettings& settings);
  DecodeChannel(std::uint64_t number, const DecodeSettings& settings);

  // Waits while too many frames are on their way.
  void Send(const char* api, std::unique_ptr<DecodeFrame> frame);
  // Waits until every frame was decoded and its callback has returned; throws what failed meanwhile.
  void Finish(const char* api);
  // Finish, then the end. Throws 100000 inside a callback of the channel; after any other failure it has
  // ended.
  void Destroy(const char* api);
  // The end without callbacks.
  void Abandon() noexcept { stream_.Close(); }

 private:
  class DecodeTask;
  class FlushTask;

  void Decode(std::unique_ptr<DecodeFrame> frame);
  void TakePictures();
  void Flush();
  void GiveUp(std::uint64_t delay);
  void Show(const DecodedPicture& picture, DecodeFrame& frame);
  void Done(std::unique_ptr<DecodeFrame> frame, std::uint32_t result);
  void Report();
  static void ReportCall(void* number);
  void CallReport(const char* api);

  const std::uint64_t number_;
  const DecodeSettings settings_;
  InFlight in_flight_;
  ReportQueue<DecodeFrame> reports_;
  // The stream's tasks only.
  VideoDecoder decoder_;
  FrameLedger<DecodeFrame> frames_;
  std::vector<std::uint8_t> scratch_;
  ReportStream stream_;  // the last: its tasks use all of the above
};

}  // namespace foothold::video
