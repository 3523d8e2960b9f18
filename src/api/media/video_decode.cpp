// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Channels that decode video.
#include "acl/ops/acl_dvpp.h"
#include "api/guard.h"
#include "device/memory_map.h"
#include "video/channel_descs.h"
#include "video/channel_registry.h"
#include "video/decode_channel.h"

using namespace foothold;
using namespace foothold::video;

namespace {

constexpr std::uint32_t kMostChannels = 256;

DecodeChannelDesc& Find(const aclvdecChannelDesc* desc) {
  return DecodeChannelDescs::Get().Find(desc);
}

std::shared_ptr<DecodeChannel> ChannelOf(const DecodeChannelDesc& desc) {
  if (auto channel = ChannelRegistry<DecodeChannel>::Get().Find(desc.channel)) return channel;
  Fail(kInvalidParam, "there is no channel of this description{}: call aclvdecCreateChannel first",
       desc.channel == 0 ? "" : " any more");
}

VideoCodec CodecOf(std::int32_t format) {
  if (format < H265_MAIN_LEVEL || format > H264_HIGH_LEVEL)
    Fail(kInvalidParam, "enType must be one of acldvppStreamFormat (0 to 3), not {}", format);
  return format == H265_MAIN_LEVEL ? VideoCodec::kH265 : VideoCodec::kH264;
}

DecodeSettings SettingsOf(const DecodeChannelDesc& desc) {
  if (desc.callback == nullptr)
    Fail(kInvalidParam, "the channel needs a callback (aclvdecSetChannelDescCallback)");
  if (desc.thread == 0) Fail(kInvalidParam, "the channel needs a thread (aclvdecSetChannelDescThreadId)");
  if (desc.channel_id >= kMostChannels)
    Fail(kInvalidParam, "the channel's number must be below {}, not {}", kMostChannels, desc.channel_id);
  DecodeSettings settings;
  settings.thread = desc.thread;
  settings.callback = [function = reinterpret_cast<aclvdecCallback>(desc.callback)](void* input, void* output,
                                                                                    void* user_data) {
    function(static_cast<acldvppStreamDesc*>(input), static_cast<acldvppPicDesc*>(output), user_data);
  };
  settings.codec = CodecOf(desc.stream_format);
  settings.order = desc.out_mode == 0 ? VideoDecoder::Order::kShown : VideoDecoder::Order::kDecoded;
  settings.out_format = desc.out_format;
  return settings;
}

// A frame with a copy of its packet.
std::unique_ptr<DecodeFrame> FrameOf(acldvppStreamDesc* input, const media::StreamPiece& piece,
                                     void* user_data) {
  if (piece.size == 0) Fail(kInvalidParam, "the packet is empty; the end of a stream is said with eos");
  const auto* bytes = static_cast<const std::uint8_t*>(
      CheckRange(piece.data, piece.size, Use::kRead, "data of the stream", kInvalidParam).kernel);
  auto frame = std::make_unique<DecodeFrame>();
  frame->input = input;
  frame->user_data = user_data;
  frame->packet.assign(bytes, bytes + piece.size);
  return frame;
}

void CheckConfig(const aclvdecFrameConfig* config) {
  if (config != nullptr) DecodeFrameConfigs::Get().Find(config);
}

}  // namespace

aclvdecFrameConfig* aclvdecCreateFrameConfig() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclvdecFrameConfig*>(nullptr),
                    [&] { return static_cast<aclvdecFrameConfig*>(DecodeFrameConfigs::Get().Add({})); });
}

aclError aclvdecDestroyFrameConfig(aclvdecFrameConfig* vdecFrameConfig) {
  return Guard(FOOTHOLD_CALL(vdecFrameConfig), [&] { DecodeFrameConfigs::Get().Remove(vdecFrameConfig); });
}

aclError aclvdecCreateChannel(aclvdecChannelDesc* channelDesc) {
  return Guard(FOOTHOLD_CALL(channelDesc), [&] {
    DecodeChannelDesc& desc = Find(channelDesc);
    if (ChannelRegistry<DecodeChannel>::Get().Find(desc.channel) != nullptr)
      Fail(kInvalidParam, "this description has a channel already");
    desc.channel = DecodeChannel::Open(SettingsOf(desc));
  });
}

aclError aclvdecDestroyChannel(aclvdecChannelDesc* channelDesc) {
  return Guard(FOOTHOLD_CALL(channelDesc),
               [&, api = __func__] { ChannelOf(Find(channelDesc))->Destroy(api); });
}

aclError aclvdecSendFrame(aclvdecChannelDesc* channelDesc, acldvppStreamDesc* input, acldvppPicDesc* output,
                          aclvdecFrameConfig* config, void* userData) {
  return Guard(FOOTHOLD_CALL(channelDesc, input, output, config, userData), [&, api = __func__] {
    const std::shared_ptr<DecodeChannel> channel = ChannelOf(Find(channelDesc));
    const media::StreamPiece piece = media::StreamPieces::Get().Find(input)->Read();
    CheckConfig(config);
    if (piece.eos != 0) return channel->Finish(api);
    const media::PicturePointer picture = media::PictureDescs::Get().Find(output);
    std::unique_ptr<DecodeFrame> frame = FrameOf(input, piece, userData);
    frame->output = output;
    frame->picture = picture;
    frame->asked = picture->Read();
    channel->Send(api, std::move(frame));
  });
}

aclError aclvdecSendSkippedFrame(aclvdecChannelDesc* channelDesc, acldvppStreamDesc* input,
                                 aclvdecFrameConfig* config, void* userData) {
  return Guard(FOOTHOLD_CALL(channelDesc, input, config, userData), [&, api = __func__] {
    const std::shared_ptr<DecodeChannel> channel = ChannelOf(Find(channelDesc));
    const media::StreamPiece piece = media::StreamPieces::Get().Find(input)->Read();
    CheckConfig(config);
    if (piece.eos != 0) return channel->Finish(api);
    channel->Send(api, FrameOf(input, piece, userData));
  });
}
