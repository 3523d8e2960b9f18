// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// PNG pictures.
#include "media/png.h"
#include "api/media/coded_picture.h"

using namespace foothold;
using namespace foothold::media;

aclError acldvppPngGetImageInfo(const void* data, uint32_t dataSize, uint32_t* width, uint32_t* height,
                                int32_t* components) {
  return Guard(FOOTHOLD_CALL(data, dataSize, width, height, components), [&] {
    *CheckNotNull(width, "width", kInvalidParam) = 0;
    *CheckNotNull(height, "height", kInvalidParam) = 0;
    *CheckNotNull(components, "components", kInvalidParam) = 0;
    const PngInfo info = ReadPngInfo(FileBytes(data, dataSize), dataSize);
    *width = info.width;
    *height = info.height;
    *components = info.components;
  });
}

aclError acldvppPngPredictDecSize(const void* data, uint32_t dataSize, acldvppPixelFormat outputPixelFormat,
                                  uint32_t* decSize) {
  return Guard(FOOTHOLD_CALL(data, dataSize, outputPixelFormat, decSize), [&] {
    *CheckNotNull(decSize, "decSize", kInvalidParam) = 0;
    const PngInfo info = ReadPngInfo(FileBytes(data, dataSize), dataSize);
    *decSize = InWords(PredictPngDecodeBytes(info, static_cast<PixelFormat>(outputPixelFormat)));
  });
}

aclError acldvppPngDecodeAsync(acldvppChannelDesc* channelDesc, const void* data, uint32_t size,
                               acldvppPicDesc* outputDesc, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, data, size, outputDesc, stream);
  return Guard(call, [&] {
    const auto channel = FindChannel(channelDesc);
    channel->Use(kPngDecoder);
    PushDecode(*channel, data, size, outputDesc, stream, call.name, DecodePng);
  });
}
