// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "video/decode_channel.h"

#include <fmt/format.h>

#include "base/error.h"
#include "device/memory_map.h"
#include "video/decoded_output.h"

namespace foothold::video {
namespace {

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

std::uint32_t CodeOf(FrameResult result) {
  switch (result) {
    case FrameResult::kGood:
      return kFrameGood;
    case FrameResult::kWithoutPicture:
      return kFrameWithoutPicture;
    default:
      return kFrameFailed;
  }
}

}  // namespace

std::string DecodeFrame::Describe() const {
  return fmt::format("{} bytes", packet.size());
}

class DecodeChannel::FlushTask {
 public:
  static constexpr bool kReplays = false;

  explicit FlushTask(std::shared_ptr<DecodeChannel> channel) : channel_(std::move(channel)) {}
  Outcome Run(Stream&) {
    channel_->decoder_.Flush();
    return Outcome::kDone;
  }
  Place place() const { return {Place::kUnhurried, nullptr}; }
  std::string Describe() const { return "end of the stream"; }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  std::shared_ptr<DecodeChannel> channel_;
};

DecodeChannel::DecodeChannel(std::uint64_t number, const DecodeSettings& settings)
    : ReportingChannel(number, settings.thread),
      settings_(settings),
      decoder_(settings.codec, settings.order, *this) {}

void DecodeChannel::Send(const char* api, std::unique_ptr<DecodeFrame> frame) {
  if (frame->output != nullptr) {
    PlanOutput(PictureOf(frame->asked, settings_.out_format), 0, 0);
    frame->serial =
        CheckRange(frame->asked.data, frame->asked.size, Use::kWrite, "data of the output", kInvalidParam)
            .serial;
  }
  Queue(api, std::move(frame));
}

void DecodeChannel::Finish(const char* api) {
  stream().CheckMayWait();
  stream().Push(api, FlushTask(shared_from_this()));
  QueueReport(api);
  stream().Wait();
}

void DecodeChannel::Show(const DecodedPicture& picture, DecodeFrame& frame) {
  if (frame.output == nullptr) return;
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

void DecodeChannel::Done(std::unique_ptr<DecodeFrame> frame, FrameResult result) noexcept {
  if (frame->picture != nullptr)
    frame->picture->Write([&](media::PictureDesc& desc) { desc.ret_code = CodeOf(result); });
  ReportingChannel::Done(std::move(frame));
}

}  // namespace foothold::video
