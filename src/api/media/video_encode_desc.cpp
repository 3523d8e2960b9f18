// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Descriptions of channels that encode video, and configurations of frames: what is set is read when the
// channel is created, or the frame is sent.
#include "acl/ops/acl_dvpp.h"
#include "api/guard.h"
#include "api/media/parameter_value.h"
#include "video/channel_descs.h"
#include "video/channel_registry.h"
#include "video/encode_channel.h"

using namespace foothold;
using namespace foothold::video;

namespace {

EncodeChannelDesc& Find(const aclvencChannelDesc* desc) {
  return EncodeChannelDescs::Get().Find(desc);
}

EncodeFrameConfig& Find(const aclvencFrameConfig* config) {
  return EncodeFrameConfigs::Get().Find(config);
}

// The value behind a number of aclvencChannelDescParamType, and its size.
ParameterPlace PlaceOf(EncodeChannelDesc& desc, aclvencChannelDescParamType type) {
  switch (type) {
    case ACL_VENC_THREAD_ID_UINT64:
      return PlaceOfValue(desc.thread);
    case ACL_VENC_CALLBACK_PTR:
      return PlaceOfValue(desc.callback);
    case ACL_VENC_PIXEL_FORMAT_UINT32:
      return PlaceOfValue(desc.pic_format);
    case ACL_VENC_ENCODE_TYPE_UINT32:
      return PlaceOfValue(desc.stream_format);
    case ACL_VENC_PIC_WIDTH_UINT32:
      return PlaceOfValue(desc.width);
    case ACL_VENC_PIC_HEIGHT_UINT32:
      return PlaceOfValue(desc.height);
    case ACL_VENC_KEY_FRAME_INTERVAL_UINT32:
      return PlaceOfValue(desc.key_interval);
    case ACL_VENC_BUF_ADDR_PTR:
      return PlaceOfValue(desc.buffer);
    case ACL_VENC_BUF_SIZE_UINT32:
      return PlaceOfValue(desc.buffer_size);
    case ACL_VENC_RC_MODE_UINT32:
      return PlaceOfValue(desc.rate_mode);
    case ACL_VENC_SRC_RATE_UINT32:
      return PlaceOfValue(desc.frame_rate);
    case ACL_VENC_MAX_BITRATE_UINT32:
      return PlaceOfValue(desc.bit_rate);
    case ACL_VENC_MAX_IP_PROP_UINT32:
      return PlaceOfValue(desc.key_share);
  }
  Fail(kInvalidParam, "there is no parameter {} of a channel that encodes video", static_cast<int>(type));
}

}  // namespace

aclvencChannelDesc* aclvencCreateChannelDesc() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclvencChannelDesc*>(nullptr),
                    [&] { return static_cast<aclvencChannelDesc*>(EncodeChannelDescs::Get().Add({})); });
}

// A channel that is still there ends without callbacks.
aclError aclvencDestroyChannelDesc(aclvencChannelDesc* channelDesc) {
  return Guard(FOOTHOLD_CALL(channelDesc), [&] {
    const std::uint64_t number = Find(channelDesc).channel;
    EncodeChannelDescs::Get().Remove(channelDesc);
    if (const auto channel = ChannelRegistry<EncodeChannel>::Get().Remove(number)) channel->Abandon();
  });
}

aclError aclvencSetChannelDescBufAddr(aclvencChannelDesc* channelDesc, void* bufAddr) {
  return Guard(FOOTHOLD_CALL(channelDesc, bufAddr), [&] { Find(channelDesc).buffer = bufAddr; });
}

void* aclvencGetChannelDescBufAddr(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), static_cast<void*>(nullptr),
                    [&] { return Find(channelDesc).buffer; });
}

aclError aclvencSetChannelDescBufSize(aclvencChannelDesc* channelDesc, uint32_t bufSize) {
  return Guard(FOOTHOLD_CALL(channelDesc, bufSize), [&] { Find(channelDesc).buffer_size = bufSize; });
}

uint32_t aclvencGetChannelDescBufSize(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).buffer_size; });
}

aclError aclvencSetChannelDescKeyFrameInterval(aclvencChannelDesc* channelDesc, uint32_t keyFrameInterval) {
  return Guard(FOOTHOLD_CALL(channelDesc, keyFrameInterval),
               [&] { Find(channelDesc).key_interval = keyFrameInterval; });
}

uint32_t aclvencGetChannelDescKeyFrameInterval(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).key_interval; });
}

aclError aclvencSetChannelDescMaxBitRate(aclvencChannelDesc* channelDesc, uint32_t maxBitRate) {
  return Guard(FOOTHOLD_CALL(channelDesc, maxBitRate), [&] { Find(channelDesc).bit_rate = maxBitRate; });
}

uint32_t aclvencGetChannelDescMaxBitRate(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).bit_rate; });
}

aclError aclvencSetChannelDescPicHeight(aclvencChannelDesc* channelDesc, uint32_t picHeight) {
  return Guard(FOOTHOLD_CALL(channelDesc, picHeight), [&] { Find(channelDesc).height = picHeight; });
}

uint32_t aclvencGetChannelDescPicHeight(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).height; });
}

aclError aclvencSetChannelDescPicWidth(aclvencChannelDesc* channelDesc, uint32_t picWidth) {
  return Guard(FOOTHOLD_CALL(channelDesc, picWidth), [&] { Find(channelDesc).width = picWidth; });
}

uint32_t aclvencGetChannelDescPicWidth(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).width; });
}

aclError aclvencSetChannelDescRcMode(aclvencChannelDesc* channelDesc, uint32_t rcMode) {
  return Guard(FOOTHOLD_CALL(channelDesc, rcMode), [&] { Find(channelDesc).rate_mode = rcMode; });
}

uint32_t aclvencGetChannelDescRcMode(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).rate_mode; });
}

aclError aclvencSetChannelDescSrcRate(aclvencChannelDesc* channelDesc, uint32_t srcRate) {
  return Guard(FOOTHOLD_CALL(channelDesc, srcRate), [&] { Find(channelDesc).frame_rate = srcRate; });
}

uint32_t aclvencGetChannelDescSrcRate(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).frame_rate; });
}

aclError aclvencSetChannelDescThreadId(aclvencChannelDesc* channelDesc, uint64_t threadId) {
  return Guard(FOOTHOLD_CALL(channelDesc, threadId), [&] { Find(channelDesc).thread = threadId; });
}

uint64_t aclvencGetChannelDescThreadId(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint64_t{0}, [&] { return Find(channelDesc).thread; });
}

uint32_t aclvencGetChannelDescChannelId(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).channel_id; });
}

aclError aclvencSetChannelDescCallback(aclvencChannelDesc* channelDesc, aclvencCallback callback) {
  return Guard(FOOTHOLD_CALL(channelDesc),
               [&] { Find(channelDesc).callback = reinterpret_cast<AnyFunction>(callback); });
}

aclvencCallback aclvencGetChannelDescCallback(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), static_cast<aclvencCallback>(nullptr),
                    [&] { return reinterpret_cast<aclvencCallback>(Find(channelDesc).callback); });
}

aclError aclvencSetChannelDescEnType(aclvencChannelDesc* channelDesc, acldvppStreamFormat enType) {
  return Guard(FOOTHOLD_CALL(channelDesc, enType), [&] { Find(channelDesc).stream_format = enType; });
}

acldvppStreamFormat aclvencGetChannelDescEnType(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), H265_MAIN_LEVEL,
                    [&] { return static_cast<acldvppStreamFormat>(Find(channelDesc).stream_format); });
}

aclError aclvencSetChannelDescPicFormat(aclvencChannelDesc* channelDesc, acldvppPixelFormat picFormat) {
  return Guard(FOOTHOLD_CALL(channelDesc, picFormat), [&] { Find(channelDesc).pic_format = picFormat; });
}

acldvppPixelFormat aclvencGetChannelDescPicFormat(const aclvencChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), PIXEL_FORMAT_UNKNOWN,
                    [&] { return static_cast<acldvppPixelFormat>(Find(channelDesc).pic_format); });
}

aclError aclvencSetChannelDescParam(aclvencChannelDesc* channelDesc, aclvencChannelDescParamType paramType,
                                    size_t length, const void* param) {
  return Guard(FOOTHOLD_CALL(channelDesc, paramType, length, param),
               [&] { SetParameter(PlaceOf(Find(channelDesc), paramType), length, param); });
}

aclError aclvencGetChannelDescParam(const aclvencChannelDesc* channelDesc,
                                    aclvencChannelDescParamType paramType, size_t length,
                                    size_t* paramRetSize, void* param) {
  return Guard(FOOTHOLD_CALL(channelDesc, paramType, length, paramRetSize, param),
               [&] { GetParameter(PlaceOf(Find(channelDesc), paramType), length, paramRetSize, param); });
}

aclvencFrameConfig* aclvencCreateFrameConfig() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclvencFrameConfig*>(nullptr),
                    [&] { return static_cast<aclvencFrameConfig*>(EncodeFrameConfigs::Get().Add({})); });
}

aclError aclvencDestroyFrameConfig(aclvencFrameConfig* config) {
  return Guard(FOOTHOLD_CALL(config), [&] { EncodeFrameConfigs::Get().Remove(config); });
}

aclError aclvencSetFrameConfigEos(aclvencFrameConfig* config, uint8_t eos) {
  return Guard(FOOTHOLD_CALL(config, eos), [&] { Find(config).end = eos; });
}

uint8_t aclvencGetFrameConfigEos(const aclvencFrameConfig* config) {
  return GuardValue(FOOTHOLD_CALL(config), uint8_t{0}, [&] { return Find(config).end; });
}

aclError aclvencSetFrameConfigForceIFrame(aclvencFrameConfig* config, uint8_t forceIFrame) {
  return Guard(FOOTHOLD_CALL(config, forceIFrame), [&] { Find(config).key = forceIFrame; });
}

uint8_t aclvencGetFrameConfigForceIFrame(const aclvencFrameConfig* config) {
  return GuardValue(FOOTHOLD_CALL(config), uint8_t{0}, [&] { return Find(config).key; });
}
