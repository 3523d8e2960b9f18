// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Channels of pictures.
#include <cstring>

#include "api/media/described.h"
#include "api/status.h"
#include "device/current.h"

using namespace foothold;
using namespace foothold::media;

namespace {

// A parameter of a channel: where it is kept, and the largest value it may have.
struct Parameter {
  uint32_t ChannelSettings::*field;
  uint32_t most;
};

Parameter ParameterOf(acldvppChannelDescParamType type) {
  switch (type) {
    case ACL_DVPP_CSC_MATRIX_UINT32:
      return {&ChannelSettings::matrix, ACL_DVPP_CSC_MATRIX_BT2020_NARROW};
    case ACL_DVPP_MODE_UINT32:
      return {&ChannelSettings::mode, kAllEngines};
    case ACL_DVPP_CHANNEL_HEIGHT_UINT32:
      return {&ChannelSettings::height, UINT32_MAX};
    case ACL_DVPP_CHANNEL_WIDTH_UINT32:
      return {&ChannelSettings::width, UINT32_MAX};
    case ACL_DVPP_JPEGD_PRECISION_MODE_ENUM:
      return {&ChannelSettings::rounding, ACL_YUVOUT_ALIGN_DOWN_COMPAT};
    default:
      Fail(kInvalidParam, "parameter {} of a channel does not exist, or cannot be set",
           static_cast<int>(type));
  }
}

void CheckLength(size_t length, size_t expected) {
  if (length != expected) Fail(kInvalidParam, "the parameter has {} bytes, not {}", expected, length);
}

void SetMode(PictureChannel& channel, uint32_t mode) {
  if (mode == 0 || mode > kAllEngines)
    Fail(kInvalidParam, "the mode of a channel is from 1 to 15, not {}", mode);
  channel.Set([&](ChannelSettings& settings) { settings.mode = mode; });
}

void SetParameter(PictureChannel& channel, acldvppChannelDescParamType type, uint32_t value) {
  if (type == ACL_DVPP_MODE_UINT32) return SetMode(channel, value);
  const Parameter parameter = ParameterOf(type);
  if (value > parameter.most)
    Fail(kInvalidParam, "parameter {} of a channel is at most {}, not {}", static_cast<int>(type),
         parameter.most, value);
  channel.Set([&](ChannelSettings& settings) { settings.*parameter.field = value; });
}

template <typename Value>
void Answer(Value value, size_t length, size_t* written, void* out) {
  if (length < sizeof value) Fail(kInvalidParam, "the parameter has {} bytes, not {}", sizeof value, length);
  std::memcpy(out, &value, sizeof value);
  *written = sizeof value;
}

}  // namespace

acldvppChannelDesc* acldvppCreateChannelDesc() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<acldvppChannelDesc*>(nullptr), [&] {
    return static_cast<acldvppChannelDesc*>(PictureChannels::Get().Add(std::make_shared<PictureChannel>()));
  });
}

aclError acldvppDestroyChannelDesc(acldvppChannelDesc* channelDesc) {
  return Guard(FOOTHOLD_CALL(channelDesc), [&] { PictureChannels::Get().Remove(channelDesc); });
}

aclError acldvppSetChannelDescMode(acldvppChannelDesc* channelDesc, uint32_t mode) {
  return Guard(FOOTHOLD_CALL(channelDesc, mode), [&] { SetMode(*FindChannel(channelDesc), mode); });
}

FOOTHOLD_PART_WITHOUT_EFFECT(acldvppSetChannelDescParam, ACL_DVPP_CHANNEL_WIDTH_UINT32);
FOOTHOLD_PART_WITHOUT_EFFECT(acldvppSetChannelDescParam, ACL_DVPP_CHANNEL_HEIGHT_UINT32);
aclError acldvppSetChannelDescParam(acldvppChannelDesc* channelDesc, acldvppChannelDescParamType paramType,
                                    size_t length, const void* param) {
  return Guard(FOOTHOLD_CALL(channelDesc, paramType, length, param), [&] {
    const auto channel = FindChannel(channelDesc);
    CheckNotNull(param, "param", kInvalidParam);
    CheckLength(length, sizeof(uint32_t));
    uint32_t value;
    std::memcpy(&value, param, sizeof value);
    SetParameter(*channel, paramType, value);
  });
}

aclError acldvppGetChannelDescParam(const acldvppChannelDesc* channelDesc,
                                    acldvppChannelDescParamType paramType, size_t length,
                                    size_t* paramRetSize, void* param) {
  return Guard(FOOTHOLD_CALL(channelDesc, paramType, length, paramRetSize, param), [&] {
    const auto channel = FindChannel(channelDesc);
    CheckNotNull(paramRetSize, "paramRetSize", kInvalidParam);
    CheckNotNull(param, "param", kInvalidParam);
    if (paramType == ACL_DVPP_CHANNEL_ID_UINT64) return Answer(channel->id(), length, paramRetSize, param);
    Answer(channel->settings().*ParameterOf(paramType).field, length, paramRetSize, param);
  });
}

uint64_t acldvppGetChannelDescChannelId(const acldvppChannelDesc* channelDesc) {
  return GuardValue(FOOTHOLD_CALL(channelDesc), uint64_t{0}, [&] { return FindChannel(channelDesc)->id(); });
}

aclError acldvppCreateChannel(acldvppChannelDesc* channelDesc) {
  return Guard(FOOTHOLD_CALL(channelDesc), [&] {
    const auto channel = FindChannel(channelDesc);
    CurrentContext();
    channel->Open();
  });
}

aclError acldvppDestroyChannel(acldvppChannelDesc* channelDesc) {
  return Guard(FOOTHOLD_CALL(channelDesc), [&] { FindChannel(channelDesc)->Close(); });
}
