// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Channels that encode video.
#include "acl/ops/acl_dvpp.h"
#include "api/guard.h"
#include "device/memory_map.h"
#include "media/descriptions.h"
#include "video/channel_descs.h"
#include "video/channel_registry.h"
#include "video/encode_channel.h"

using namespace foothold;
using namespace foothold::video;

namespace {

constexpr std::uint32_t kLongestKeyInterval = 65536;
constexpr std::uint32_t kMostFramesPerSecond = 240;
constexpr std::uint32_t kLeastKilobits = 2, kMostKilobits = 614400;
constexpr std::uint32_t kConstantRate = 2;

EncodeChannelDesc& Find(const aclvencChannelDesc* desc) {
  return EncodeChannelDescs::Get().Find(desc);
}

std::shared_ptr<EncodeChannel> ChannelOf(const EncodeChannelDesc& desc) {
  if (auto channel = ChannelRegistry<EncodeChannel>::Get().Find(desc.channel)) return channel;
  Fail(kInvalidParam, "there is no channel of this description{}: call aclvencCreateChannel first",
       desc.channel == 0 ? "" : " any more");
}

EncoderSettings::Profile ProfileOf(std::int32_t format) {
  switch (format) {
    case H265_MAIN_LEVEL:
      RefuseH265Encoder();
    case H264_BASELINE_LEVEL:
      return EncoderSettings::Profile::kBaseline;
    case H264_MAIN_LEVEL:
      return EncoderSettings::Profile::kMain;
    case H264_HIGH_LEVEL:
      return EncoderSettings::Profile::kHigh;
    default:
      Fail(kInvalidParam, "enType must be one of acldvppStreamFormat (0 to 3), not {}", format);
  }
}

void CheckBetween(const char* what, std::uint32_t value, std::uint32_t least, std::uint32_t most) {
  if (value < least || value > most)
    Fail(kInvalidParam, "{} must be from {} to {}, not {}", what, least, most, value);
}

void CheckFormat(std::int32_t format) {
  if (format != PIXEL_FORMAT_YUV_SEMIPLANAR_420 && format != PIXEL_FORMAT_YVU_SEMIPLANAR_420)
    Fail(kInvalidParam, "pictures to encode must be NV12 (1) or NV21 (2), not {}", format);
}

EncoderSettings EncoderOf(const EncodeChannelDesc& desc) {
  EncoderSettings settings;
  settings.profile = ProfileOf(desc.stream_format);
  CheckFormat(desc.pic_format);
  CheckBetween("keyFrameInterval", desc.key_interval, 1, kLongestKeyInterval);
  CheckBetween("rcMode", desc.rate_mode, 0, kConstantRate);
  if (desc.frame_rate != 0) CheckBetween("srcRate", desc.frame_rate, 1, kMostFramesPerSecond);
  if (desc.bit_rate != 0) CheckBetween("maxBitRate", desc.bit_rate, kLeastKilobits, kMostKilobits);
  settings.width = desc.width;
  settings.height = desc.height;
  settings.key_interval = desc.key_interval;
  settings.rate =
      desc.rate_mode == kConstantRate ? EncoderSettings::Rate::kConstant : EncoderSettings::Rate::kVariable;
  if (desc.frame_rate != 0) settings.frames = desc.frame_rate;
  if (desc.bit_rate != 0) settings.kilobits = desc.bit_rate;
  return settings;
}

// The callback gets its packet as a description of a stream that is gone when it returns.
class PacketDesc {
 public:
  explicit PacketDesc(std::int32_t format) : piece_(std::make_shared<media::Shared<media::StreamPiece>>()) {
    piece_->Write([&](media::StreamPiece& value) { value.format = format; });
    handle_ = media::StreamPieces::Get().Add(piece_);
  }
  ~PacketDesc() {
    try {
      media::StreamPieces::Get().Remove(handle_);
    } catch (const Error&) {  // the program has destroyed it, although it is not its own
    }
  }
  PacketDesc(const PacketDesc&) = delete;
  PacketDesc& operator=(const PacketDesc&) = delete;

  void Fill(void* packet, std::size_t bytes, std::uint32_t result) {
    piece_->Write([&](media::StreamPiece& value) {
      value.data = packet;
      value.size = static_cast<std::uint32_t>(bytes);
      value.ret_code = result;
    });
  }
  acldvppStreamDesc* handle() const { return static_cast<acldvppStreamDesc*>(handle_); }

 private:
  const media::StreamPiecePointer piece_;
  void* handle_;
};

EncodeSettings SettingsOf(const EncodeChannelDesc& desc) {
  if (desc.callback == nullptr)
    Fail(kInvalidParam, "the channel needs a callback (aclvencSetChannelDescCallback)");
  if (desc.thread == 0) Fail(kInvalidParam, "the channel needs a thread (aclvencSetChannelDescThreadId)");
  EncodeSettings settings;
  settings.encoder = EncoderOf(desc);
  settings.thread = desc.thread;
  settings.callback = [function = reinterpret_cast<aclvencCallback>(desc.callback)](
                          const EncodeFrame& frame, void* packet, std::size_t bytes, std::uint32_t result) {
    auto& piece = *static_cast<PacketDesc*>(frame.description.get());
    piece.Fill(packet, bytes, result);
    function(static_cast<acldvppPicDesc*>(frame.input), piece.handle(), frame.user_data);
  };
  return settings;
}

// The picture as it lies in memory. Its strides may be left open where they are the width and the height.
media::Picture PictureOf(const media::PictureDesc& desc, const EncodeChannelDesc& channel) {
  CheckFormat(desc.format);
  if (desc.width != channel.width || desc.height != channel.height)
    Fail(kInvalidParam, "the picture is {} x {}, but the channel encodes {} x {}", desc.width, desc.height,
         channel.width, channel.height);
  media::Picture picture;
  picture.format = static_cast<media::PixelFormat>(desc.format);
  picture.width = desc.width;
  picture.height = desc.height;
  picture.width_stride = desc.width_stride == 0 ? desc.width : desc.width_stride;
  picture.height_stride = desc.height_stride == 0 ? desc.height : desc.height_stride;
  picture.bytes = desc.size;
  picture.data = static_cast<std::uint8_t*>(
      CheckRange(desc.data, desc.size, Use::kRead, "data of the picture", kInvalidParam).kernel);
  media::Check(picture, "input");
  return picture;
}

void SendPicture(const char* api, EncodeChannel& channel, const EncodeChannelDesc& desc,
                 acldvppPicDesc* input, bool key, void* user_data) {
  auto frame = std::make_unique<EncodeFrame>();
  frame->input = input;
  frame->user_data = user_data;
  frame->key = key;
  frame->description = std::make_shared<PacketDesc>(desc.stream_format);
  channel.Send(api, PictureOf(media::PictureDescs::Get().Find(input)->Read(), desc), std::move(frame));
}

}  // namespace

aclError aclvencCreateChannel(aclvencChannelDesc* channelDesc) {
  return Guard(FOOTHOLD_CALL(channelDesc), [&] {
    EncodeChannelDesc& desc = Find(channelDesc);
    if (ChannelRegistry<EncodeChannel>::Get().Find(desc.channel) != nullptr)
      Fail(kInvalidParam, "this description has a channel already");
    desc.channel = EncodeChannel::Open(SettingsOf(desc));
    desc.channel_id = static_cast<std::uint32_t>(desc.channel);
  });
}

aclError aclvencDestroyChannel(aclvencChannelDesc* channelDesc) {
  return Guard(FOOTHOLD_CALL(channelDesc),
               [&, api = __func__] { ChannelOf(Find(channelDesc))->Destroy(api); });
}

aclError aclvencSendFrame(aclvencChannelDesc* channelDesc, acldvppPicDesc* input, void* reserve,
                          aclvencFrameConfig* config, void* userdata) {
  return Guard(FOOTHOLD_CALL(channelDesc, input, reserve, config, userdata), [&, api = __func__] {
    const EncodeChannelDesc& desc = Find(channelDesc);
    const std::shared_ptr<EncodeChannel> channel = ChannelOf(desc);
    const EncodeFrameConfig frame =
        config == nullptr ? EncodeFrameConfig{} : EncodeFrameConfigs::Get().Find(config);
    if (frame.end == 0 || input != nullptr) SendPicture(api, *channel, desc, input, frame.key != 0, userdata);
    if (frame.end != 0) channel->Finish(api);
  });
}
