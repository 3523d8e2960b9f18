// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Descriptions of channels that decode video: what is set is read when the channel is created.
#include "acl/ops/acl_dvpp.h"
#include "api/guard.h"
#include "api/media/parameter_value.h"
#include "video/channel_descs.h"
#include "video/channel_registry.h"
#include "video/decode_channel.h"

using namespace foothold;
using namespace foothold::video;

namespace {

DecodeChannelDesc& Find(const aclvdecChannelDesc* desc) {
  return DecodeChannelDescs::Get().Find(desc);
}

// The value behind a number of aclvdecChannelDescParamType, and its size.
ParameterPlace PlaceOf(DecodeChannelDesc& desc, aclvdecChannelDescParamType type) {
  switch (type) {
    case ACL_VDEC_CSC_MATRIX_UINT32:
      return PlaceOfValue(desc.color_matrix);
    case ACL_VDEC_OUT_MODE_UINT32:
      return PlaceOfValue(desc.out_mode);
    case ACL_VDEC_THREAD_ID_UINT64:
      return PlaceOfValue(desc.thread);
    case ACL_VDEC_CALLBACK_PTR:
      return PlaceOfValue(desc.callback);
    case ACL_VDEC_CHANNEL_ID_UINT32:
      return PlaceOfValue(desc.channel_id);
    case ACL_VDEC_ENCODE_TYPE_UINT32:
      return PlaceOfValue(desc.stream_format);
    case ACL_VDEC_OUT_PIC_FORMAT_UINT32:
      return PlaceOfValue(desc.out_format);
    case ACL_VDEC_OUT_PIC_WIDTH_UINT32:
      return PlaceOfValue(desc.out_width);
    case ACL_VDEC_OUT_PIC_HEIGHT_UINT32:
      return PlaceOfValue(desc.out_height);
    case ACL_VDEC_REF_FRAME_NUM_UINT32:
      return PlaceOfValue(desc.reference_frames);
    case ACL_VDEC_BIT_DEPTH_UINT32:
      return PlaceOfValue(desc.bit_depth);
  }
  Fail(kInvalidParam, "there is no parameter {} of a channel that decodes video", static_cast<int>(type));
}

}  // namespace

aclvdecChannelDesc* aclvdecCreateChannelDesc() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclvdecChannelDesc*>(nullptr),
                    [&] { return static_cast<aclvdecChannelDesc*>(DecodeChannelDescs::Get().Add({})); });
}

// A channel that is still there ends without callbacks.
aclError aclvdecDestroyChannelDesc(aclvdecChannelDesc* channelDesc) {
  return Guard(FOOTHOLD_CALL(channelDesc), [&] {
    const std::uint64_t number = Find(channelDesc).channel;
    DecodeChannelDescs::Get().Remove(channelDesc);
    if (const auto channel = ChannelRegistry<DecodeChannel>::Get().Remove(number)) channel->Abandon();
  });
}

aclError aclvdecSetChannelDescBitDepth(aclvdecChannelDesc* channelDesc, uint32_t bitDepth) {
  return Guard(FOOTHOLD_CALL(channelDesc, bitDepth), [&] { Find(channelDesc).bit_depth = bitDepth; });
}

uint32_t aclvdecGetChannelDescBitDepth(const aclvdecChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).bit_depth; });
}

aclError aclvdecSetChannelDescChannelId(aclvdecChannelDesc* channelDesc, uint32_t channelId) {
  return Guard(FOOTHOLD_CALL(channelDesc, channelId), [&] { Find(channelDesc).channel_id = channelId; });
}

uint32_t aclvdecGetChannelDescChannelId(const aclvdecChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).channel_id; });
}

aclError aclvdecSetChannelDescOutMode(aclvdecChannelDesc* channelDesc, uint32_t outMode) {
  return Guard(FOOTHOLD_CALL(channelDesc, outMode), [&] { Find(channelDesc).out_mode = outMode; });
}

uint32_t aclvdecGetChannelDescOutMode(const aclvdecChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).out_mode; });
}

aclError aclvdecSetChannelDescOutPicHeight(aclvdecChannelDesc* channelDesc, uint32_t outPicHeight) {
  return Guard(FOOTHOLD_CALL(channelDesc, outPicHeight),
               [&] { Find(channelDesc).out_height = outPicHeight; });
}

uint32_t aclvdecGetChannelDescOutPicHeight(const aclvdecChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).out_height; });
}

aclError aclvdecSetChannelDescOutPicWidth(aclvdecChannelDesc* channelDesc, uint32_t outPicWidth) {
  return Guard(FOOTHOLD_CALL(channelDesc, outPicWidth), [&] { Find(channelDesc).out_width = outPicWidth; });
}

uint32_t aclvdecGetChannelDescOutPicWidth(const aclvdecChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0}, [&] { return Find(channelDesc).out_width; });
}

aclError aclvdecSetChannelDescRefFrameNum(aclvdecChannelDesc* channelDesc, uint32_t refFrameNum) {
  return Guard(FOOTHOLD_CALL(channelDesc, refFrameNum),
               [&] { Find(channelDesc).reference_frames = refFrameNum; });
}

uint32_t aclvdecGetChannelDescRefFrameNum(const aclvdecChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint32_t{0},
                    [&] { return Find(channelDesc).reference_frames; });
}

aclError aclvdecSetChannelDescThreadId(aclvdecChannelDesc* channelDesc, uint64_t threadId) {
  return Guard(FOOTHOLD_CALL(channelDesc, threadId), [&] { Find(channelDesc).thread = threadId; });
}

uint64_t aclvdecGetChannelDescThreadId(const aclvdecChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint64_t{0}, [&] { return Find(channelDesc).thread; });
}

aclError aclvdecSetChannelDescCallback(aclvdecChannelDesc* channelDesc, aclvdecCallback callback) {
  return Guard(FOOTHOLD_CALL(channelDesc),
               [&] { Find(channelDesc).callback = reinterpret_cast<AnyFunction>(callback); });
}

aclvdecCallback aclvdecGetChannelDescCallback(const aclvdecChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), static_cast<aclvdecCallback>(nullptr),
                    [&] { return reinterpret_cast<aclvdecCallback>(Find(channelDesc).callback); });
}

aclError aclvdecSetChannelDescEnType(aclvdecChannelDesc* channelDesc, acldvppStreamFormat enType) {
  return Guard(FOOTHOLD_CALL(channelDesc, enType), [&] { Find(channelDesc).stream_format = enType; });
}

acldvppStreamFormat aclvdecGetChannelDescEnType(const aclvdecChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), H265_MAIN_LEVEL,
                    [&] { return static_cast<acldvppStreamFormat>(Find(channelDesc).stream_format); });
}

aclError aclvdecSetChannelDescOutPicFormat(aclvdecChannelDesc* channelDesc, acldvppPixelFormat outPicFormat) {
  return Guard(FOOTHOLD_CALL(channelDesc, outPicFormat),
               [&] { Find(channelDesc).out_format = outPicFormat; });
}

acldvppPixelFormat aclvdecGetChannelDescOutPicFormat(const aclvdecChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), PIXEL_FORMAT_UNKNOWN,
                    [&] { return static_cast<acldvppPixelFormat>(Find(channelDesc).out_format); });
}

aclError aclvdecSetChannelDescParam(aclvdecChannelDesc* channelDesc, aclvdecChannelDescParamType paramType,
                                    size_t length, const void* param) {
  return Guard(FOOTHOLD_CALL(channelDesc, paramType, length, param),
               [&] { SetParameter(PlaceOf(Find(channelDesc), paramType), length, param); });
}

aclError aclvdecGetChannelDescParam(const aclvdecChannelDesc* channelDesc,
                                    aclvdecChannelDescParamType paramType, size_t length,
                                    size_t* paramRetSize, void* param) {
  return Guard(FOOTHOLD_CALL(channelDesc, paramType, length, paramRetSize, param),
               [&] { GetParameter(PlaceOf(Find(channelDesc), paramType), length, paramRetSize, param); });
}
