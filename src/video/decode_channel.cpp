// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "video/decode_channel.h"

#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "device/memory_map.h"
#include "video/channel_registry.h"
#include "video/decoded_output.h"

namespace foothold::video {
namespace {

using Registry = ChannelRegistry<DecodeChannel>;

media::Picture PictureOf(const media::PictureDesc& desc, std::int32_t other_format) {
  media::Picture picture;
  picture.format = static_cast<media::PixelFormat>(desc.format == 0 ? other_format : desc.format);
  picture.width = desc.width;
  picture.height = desc.height;
  picture.width_stride = desc.width_stride;
  picture.height_stride = desc.height_stride;
  picture.bytes = desc.size;
  return picture;
}

}  // namespace

class DecodeChannel::DecodeTask {
 public:
  static constexpr bool kReplays = false;

  DecodeTask(std::shared_ptr<DecodeChannel> channel, std::unique_ptr<DecodeFrame> frame)
      : channel_(std::move(channel)), frame_(std::move(frame)) {}
  Outcome Run(Stream&) {
    channel_->Decode(std::move(frame_));
    return Outcome::kDone;
  }
  Place place() const { return {Place::kUnhurried, nullptr}; }
  std::string Describe() const {
    return frame_ == nullptr ? "" : fmt::format("{} bytes", frame_->packet.size());
  }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  std::shared_ptr<DecodeChannel> channel_;
  std::unique_ptr<DecodeFrame> frame_;
};

class DecodeChannel::FlushTask {
 public:
  static constexpr bool kReplays = false;

  explicit FlushTask(std::shared_ptr<DecodeChannel> channel) : channel_(std::move(channel)) {}
  Outcome Run(Stream&) {
    channel_->Flush();
    return Outcome::kDone;
  }
  Place place() const { return {Place::kUnhurried, nullptr}; }
  std::string Describe() const { return "end of the stream"; }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  std::shared_ptr<DecodeChannel> channel_;
};

std::uint64_t DecodeChannel::Open(const DecodeSettings& settings) {
  const std::uint64_t number = Registry::Get().Reserve();
  Registry::Get().Add(number, std::make_shared<DecodeChannel>(number, settings));
  return number;
}

DecodeChannel::DecodeChannel(std::uint64_t number, const DecodeSettings& settings)
    : number_(number),
      settings_(settings),
      decoder_(settings.codec, settings.order),
      stream_(settings.thread) {}

void DecodeChannel::Send(const char* api, std::unique_ptr<DecodeFrame> frame) {
  if (frame->output != nullptr) {
    PlanOutput(PictureOf(frame->asked, settings_.out_format), 0, 0);
    frame->serial =
        CheckRange(frame->asked.data, frame->asked.size, Use::kWrite, "data of the output", kInvalidParam)
            .serial;
  }
  stream_.Enter(in_flight_);
  try {
    stream_.Push(api, DecodeTask(shared_from_this(), std::move(frame)));
  } catch (...) {
    in_flight_.Leave();
    throw;
  }
  CallReport(api);
}

void DecodeChannel::CallReport(const char* api) {
  stream_.Call(api, &ReportCall, reinterpret_cast<void*>(number_));
}

void DecodeChannel::Finish(const char* api) {
  stream_.CheckMayWait();
  stream_.Push(api, FlushTask(shared_from_this()));
  CallReport(api);
  stream_.Wait(in_flight_);
}

void DecodeChannel::Destroy(const char* api) {
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

void DecodeChannel::Decode(std::unique_ptr<DecodeFrame> frame) {
  const std::vector<std::uint8_t> packet = std::move(frame->packet);
  const std::uint64_t number = frames_.Add(std::move(frame));
  const VideoDecoder::Result result = decoder_.Push(packet, number);
  if (result == VideoDecoder::Result::kFailed)
    Log(LogLevel::kWarning, "packet {} of a video channel failed: {}", number, decoder_.problem());
  TakePictures();
  if (result != VideoDecoder::Result::kTaken)
    Done(frames_.Take(number), result == VideoDecoder::Result::kFailed ? kFrameFailed : kFrameWithoutPicture);
  GiveUp(VideoDecoder::kLongestDelay);
}

void DecodeChannel::TakePictures() {
  DecodedPicture picture;
  while (decoder_.Pull(&picture)) {
    std::unique_ptr<DecodeFrame> frame = frames_.Take(picture.index);
    if (frame == nullptr) continue;
    std::uint32_t result = kFrameGood;
    try {
      if (frame->output != nullptr) Show(picture, *frame);
    } catch (const Error& error) {
      Log(LogLevel::kError, "picture {} of a video channel cannot be shown: {}", picture.index,
          error.message());
      result = kFrameFailed;
    }
    Done(std::move(frame), result);
  }
}

void DecodeChannel::Show(const DecodedPicture& picture, DecodeFrame& frame) {
  media::Picture out =
      PlanOutput(PictureOf(frame.asked, settings_.out_format), picture.width, picture.height);
  out.data = static_cast<std::uint8_t*>(
      RecheckRange(frame.asked.data, frame.asked.size, Use::kWrite, frame.serial, "data of the output"));
  WriteOutput(picture, out, {}, scratch_);
  frame.picture->Write([&](media::PictureDesc& desc) {
    desc.format = static_cast<std::int32_t>(out.format);
    desc.width = out.width;
    desc.height = out.height;
    desc.width_stride = out.width_stride;
    desc.height_stride = out.height_stride;
  });
}

void DecodeChannel::Flush() {
  decoder_.Flush();
  TakePictures();
  GiveUp(0);
}

// Some packets never become a picture: damaged ones, and those that need pictures from before the beginning.
void DecodeChannel::GiveUp(std::uint64_t delay) {
  while (std::unique_ptr<DecodeFrame> frame = frames_.TakeOverdue(delay))
    Done(std::move(frame), kFrameFailed);
}

void DecodeChannel::Done(std::unique_ptr<DecodeFrame> frame, std::uint32_t result) {
  if (frame == nullptr) return;
  if (frame->picture != nullptr)
    frame->picture->Write([&](media::PictureDesc& desc) { desc.ret_code = result; });
  reports_.Add(std::move(frame));
}

void DecodeChannel::ReportCall(void* number) {
  if (const auto channel = Registry::Get().Find(reinterpret_cast<std::uintptr_t>(number))) channel->Report();
}

void DecodeChannel::Report() {
  reports_.Deliver(
      [this](DecodeFrame& frame) { settings_.callback(frame.input, frame.output, frame.user_data); },
      [this] { in_flight_.Leave(); });
}

}  // namespace foothold::video
