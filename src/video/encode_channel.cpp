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
#include "video/channel_registry.h"

namespace foothold::video {
namespace {

using Registry = ChannelRegistry<EncodeChannel>;

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

class EncodeChannel::EncodeTask {
 public:
  static constexpr bool kReplays = false;

  EncodeTask(std::shared_ptr<EncodeChannel> channel, std::unique_ptr<EncodeFrame> frame)
      : channel_(std::move(channel)), frame_(std::move(frame)) {}
  Outcome Run(Stream&) {
    channel_->Encode(std::move(frame_));
    return Outcome::kDone;
  }
  Place place() const { return {Place::kUnhurried, nullptr}; }
  std::string Describe() const { return "a picture to encode"; }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  std::shared_ptr<EncodeChannel> channel_;
  std::unique_ptr<EncodeFrame> frame_;
};

std::uint64_t EncodeChannel::Open(const EncodeSettings& settings) {
  const std::uint64_t number = Registry::Get().Reserve();
  Registry::Get().Add(number, std::make_shared<EncodeChannel>(number, settings));
  return number;
}

EncodeChannel::EncodeChannel(std::uint64_t number, const EncodeSettings& settings)
    : number_(number),
      settings_(settings),
      device_(CurrentDevice()),
      encoder_(OpenH264Encoder(settings.encoder)),
      stream_(settings.thread) {}

void EncodeChannel::Send(const char* api, const media::Picture& picture, std::unique_ptr<EncodeFrame> frame) {
  Copy(picture, *frame);
  stream_.Enter(in_flight_);
  try {
    stream_.Push(api, EncodeTask(shared_from_this(), std::move(frame)));
  } catch (...) {
    in_flight_.Leave();
    throw;
  }
  stream_.Call(api, &ReportCall, reinterpret_cast<void*>(number_));
}

void EncodeChannel::Copy(const media::Picture& picture, EncodeFrame& frame) const {
  const PairedPicture paired{picture.data,
                             picture.data + std::size_t{picture.width_stride} * picture.height_stride,
                             picture.width_stride, picture.format == media::PixelFormat::kNv21};
  frame.planes.resize(media::TightBytes(media::PixelFormat::kNv12, picture.width, picture.height));
  SplitPairs(paired, picture.width, picture.height, frame.planes.data());
}

void EncodeChannel::Finish(const char*) {
  stream_.CheckMayWait();
  stream_.Wait(in_flight_);
}

void EncodeChannel::Destroy(const char* api) {
  stream_.CheckMayWait();
  std::optional<Error> error;
  try {
    Finish(api);
  } catch (...) {
    error = CurrentError();
  }
  if (Registry::Get().Remove(number_) == nullptr)
    Fail(kInvalidParam, "the channel was destroyed by another thread during this call");
  stream_.Close();
  if (error) throw *error;
}

void EncodeChannel::Encode(std::unique_ptr<EncodeFrame> frame) {
  try {
    const PlanarPicture picture =
        PlanesOf(frame->planes.data(), settings_.encoder.width, settings_.encoder.height);
    const VideoEncoder::Packet packet = encoder_->Encode(picture, frame->key);
    frame->planes.assign(packet.bytes.begin(), packet.bytes.end());
  } catch (const Error& error) {
    Log(LogLevel::kError, "a picture of a video channel cannot be encoded: {}", error.message());
    frame->failed = true;
  }
  reports_.Add(std::move(frame));
}

void EncodeChannel::ReportCall(void* number) {
  if (const auto channel = Registry::Get().Find(reinterpret_cast<std::uintptr_t>(number))) channel->Report();
}

void EncodeChannel::Report() {
  reports_.Deliver([this](const EncodeFrame& frame) { ReportOne(frame); }, [this] { in_flight_.Leave(); });
}

void EncodeChannel::ReportOne(const EncodeFrame& frame) const {
  if (frame.failed) return settings_.callback(frame.input, nullptr, 0, kPacketFailed, frame.user_data);
  const DevicePacket packet(device_, frame.planes);
  settings_.callback(frame.input, packet.address(), frame.planes.size(), 0, frame.user_data);
}

}  // namespace foothold::video
