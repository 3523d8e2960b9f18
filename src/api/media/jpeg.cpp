// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// JPEG pictures.
#include "media/jpeg.h"
#include "api/media/coded_picture.h"
#include "device/current.h"

using namespace foothold;
using namespace foothold::media;

namespace {

// The outputs are 0 before the file is believed: programs look at them rather than at the code.
JpegInfo InfoOf(const void* data, uint32_t size, uint32_t* width, uint32_t* height, int32_t* components) {
  *CheckNotNull(width, "width", kInvalidParam) = 0;
  *CheckNotNull(height, "height", kInvalidParam) = 0;
  *CheckNotNull(components, "components", kInvalidParam) = 0;
  const JpegInfo info = ReadJpegInfo(FileBytes(data, size), size);
  *width = info.width;
  *height = info.height;
  *components = info.components;
  return info;
}

uint32_t LevelOf(const acldvppJpegeConfig* config) {
  return JpegConfigs::Get().Find(config).level;
}

}  // namespace

aclError acldvppJpegGetImageInfo(const void* data, uint32_t size, uint32_t* width, uint32_t* height,
                                 int32_t* components) {
  return Guard(FOOTHOLD_CALL(data, size, width, height, components),
               [&] { InfoOf(data, size, width, height, components); });
}

aclError acldvppJpegGetImageInfoV2(const void* data, uint32_t size, uint32_t* width, uint32_t* height,
                                   int32_t* components, acldvppJpegFormat* format) {
  return Guard(FOOTHOLD_CALL(data, size, width, height, components, format), [&] {
    *CheckNotNull(format, "format", kInvalidParam) = ACL_JPEG_CSS_UNKNOWN;
    const JpegInfo info = InfoOf(data, size, width, height, components);
    *format = static_cast<acldvppJpegFormat>(info.sampling);
  });
}

aclError acldvppJpegPredictDecSize(const void* data, uint32_t dataSize, acldvppPixelFormat outputPixelFormat,
                                   uint32_t* decSize) {
  return Guard(FOOTHOLD_CALL(data, dataSize, outputPixelFormat, decSize), [&] {
    *CheckNotNull(decSize, "decSize", kInvalidParam) = 0;
    const JpegInfo info = ReadJpegInfo(FileBytes(data, dataSize), dataSize);
    *decSize = InWords(PredictJpegDecodeBytes(info, static_cast<PixelFormat>(outputPixelFormat)));
  });
}

aclError acldvppJpegPredictEncSize(const acldvppPicDesc* inputDesc, const acldvppJpegeConfig* config,
                                   uint32_t* size) {
  return Guard(FOOTHOLD_CALL(inputDesc, config, size), [&] {
    *CheckNotNull(size, "size", kInvalidParam) = 0;
    const DescribedPicture in = FindDescribed(inputDesc, "input");
    LevelOf(config);
    const bool sized = in.shape.width > 0 && in.shape.height > 0 && in.shape.width <= kMaxSide &&
                       in.shape.height <= kMaxSide;
    if (!sized)
      Fail(kInvalidParam, "the input picture is {} x {} pixels; both sides must be from 1 to {}",
           in.shape.width, in.shape.height, kMaxSide);
    *size = InWords(PredictJpegEncodeBytes(in.shape.format, in.shape.width, in.shape.height));
  });
}

aclError acldvppJpegDecodeAsync(acldvppChannelDesc* channelDesc, const void* data, uint32_t size,
                                acldvppPicDesc* outputDesc, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, data, size, outputDesc, stream);
  return Guard(call, [&] {
    const auto channel = FindChannel(channelDesc);
    const auto rounding = static_cast<JpegRounding>(channel->Use(kJpegDecoder).rounding);
    PushDecode(*channel, data, size, outputDesc, stream, call.name,
               [rounding](const uint8_t* file, size_t bytes, const Picture& out) {
                 return DecodeJpeg(file, bytes, out, rounding);
               });
  });
}

aclError acldvppJpegEncodeAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc, const void* data,
                                uint32_t* size, acldvppJpegeConfig* config, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, inputDesc, data, size, config, stream);
  return Guard(call, [&] {
    const auto channel = FindChannel(channelDesc);
    channel->Use(kJpegEncoder);
    const DescribedPicture in = FindComplete(inputDesc, "input");
    const uint32_t capacity = *CheckNotNull(size, "size", kInvalidParam), level = LevelOf(config);
    CheckNotNull(data, "data", kInvalidParam);
    MediaWork work;
    work.memory.push_back(MemoryOf(in, Use::kRead, "inputDesc"));
    work.memory.push_back({data, capacity, Use::kWrite, Extent::kPartial, "data"});
    work.run = [in, capacity, level, size](const std::vector<uint8_t*>& at) {
      *size = InWords(EncodeJpeg(PictureAt(in.shape, at[0]), level, at[1], capacity));
    };
    work.tell = [in](uint32_t code) { in.Tell(code); };
    const StreamRef found = FindStream(stream);
    channel->Queued(found, PushMediaWork(found, call.name, std::move(work)));
  });
}
