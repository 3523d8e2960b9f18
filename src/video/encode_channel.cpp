// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "video/encode_channel.h"

#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "codecs/planes.h"

namespace foothold::video {
namespace {

constexpr std::uint32_t kPacketFailed = 0x10000;

}  // namespace

EncodeChannel::EncodeChannel(std::uint64_t number, const EncodeSettings& settings)
    : ReportingChannel(number, settings.thread),
      settings_(settings),
      device_(CurrentDevice()),
      encoder_(OpenH264Encoder(settings.encoder)) {}

void EncodeChannel::Send(const char* api, const media::Picture& picture, std::unique_ptr<EncodeFrame> frame) {
  Copy(picture, *frame);
  Queue(api, std::move(frame));
}

void EncodeChannel::Copy(const media::Picture& picture, EncodeFrame& frame) const {
  const PairedPicture paired{picture.data,
                             picture.data + std::size_t{picture.width_stride} * picture.height_stride,
                             picture.width_stride, picture.format == media::PixelFormat::kNv21};
  frame.planes.resize(media::TightBytes(media::PixelFormat::kNv12, picture.width, picture.height));
  SplitPairs(paired, picture.width, picture.height, frame.planes.data());
}

void EncodeChannel::Finish(const char* api) {
  stream().CheckMayWait();
  QueueReport(api);
  stream().Wait();
}

void EncodeChannel::Work(std::unique_ptr<EncodeFrame> frame) {
  try {
    const PlanarPicture picture =
        PlanesOf(frame->planes.data(), settings_.encoder.width, settings_.encoder.height);
    const VideoEncoder::Packet packet = encoder_->Encode(picture, frame->key);
    frame->packet =
        std::make_unique<DevicePacket>(device_, packet.bytes.data(), packet.bytes.size(), "aclvencSendFrame");
    frame->bytes = packet.bytes.size();
  } catch (...) {
    const Error error = CurrentError();
    Log(LogLevel::kError, "a picture of a video channel cannot be encoded: {}", error.message());
  }
  frame->planes = {};
  Done(std::move(frame));
}

void EncodeChannel::Call(const EncodeFrame& frame) const {
  if (frame.packet == nullptr) return settings_.callback(frame, nullptr, 0, kPacketFailed);
  settings_.callback(frame, frame.packet->address(), frame.bytes, 0);
}

}  // namespace foothold::video
