// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "video/encode_channel.h"

#include <cstring>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "codecs/planes.h"
#include "device/device_memory.h"
#include "device/memory_map.h"

namespace foothold::video {
namespace {

constexpr std::uint32_t kPacketFailed = 0x10000;

// Programs copy from there like from any memory of the device.
class DevicePacket {
 public:
  DevicePacket(Device& device, const std::vector<std::uint8_t>& bytes)
      : device_(device), address_(device.memory().Allocate(bytes.size(), "aclvencSendFrame")) {
    std::memcpy(CheckDeviceRange(address_, bytes.size()).kernel, bytes.data(), bytes.size());
  }
  ~DevicePacket() {
    try {
      device_.memory().Free(address_, "aclvencSendFrame");
    } catch (const Error& error) {  // the program has reset the device in its callback
      Log(LogLevel::kInfo, "a packet of encoded video was gone before its callback had returned: {}",
          error.message());
    }
  }
  DevicePacket(const DevicePacket&) = delete;
  DevicePacket& operator=(const DevicePacket&) = delete;

  void* address() const { return address_; }

 private:
  Device& device_;
  void* const address_;
};

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
    frame->planes.assign(packet.bytes.begin(), packet.bytes.end());
  } catch (...) {
    const Error error = CurrentError();
    Log(LogLevel::kError, "a picture of a video channel cannot be encoded: {}", error.message());
    frame->failed = true;
  }
  Done(std::move(frame));
}

void EncodeChannel::Call(const EncodeFrame& frame) const {
  std::optional<DevicePacket> packet;
  try {
    if (!frame.failed) packet.emplace(device_, frame.planes);
  } catch (...) {
    const Error error = CurrentError();
    Log(LogLevel::kError, "there is no memory for a packet of encoded video: {}", error.message());
  }
  if (!packet) return settings_.callback(frame, nullptr, 0, kPacketFailed);
  settings_.callback(frame, packet->address(), frame.planes.size(), 0);
}

}  // namespace foothold::video
