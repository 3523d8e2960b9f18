// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The samples that encode a picture, decode a file, and hand a decoded picture to a classifier: the size is
// asked of the file in host memory, memory is as large as predicted, the picture is decoded with rows of 128
// and resized to what the network takes. The network itself is not part of it.
#include <cstdlib>

#include "clients/samples_dvpp.h"

namespace {

std::vector<std::uint8_t> Encode(const SampleDevice& device) {
  const SamplePicture in(640, 480, ToDevice(SlopePicture(640, 480)));
  acldvppJpegeConfig* config = acldvppCreateJpegeConfig();
  REQUIRE(acldvppSetJpegeConfigLevel(config, 100) == ACL_SUCCESS);
  std::uint32_t size = 0;
  REQUIRE(acldvppJpegPredictEncSize(in.desc, config, &size) == ACL_SUCCESS && size > 0);
  void* out = nullptr;
  REQUIRE(acldvppMalloc(&out, size) == ACL_SUCCESS);
  REQUIRE(acldvppJpegEncodeAsync(device.channel, in.desc, out, &size, config, device.stream) == ACL_SUCCESS);
  device.Wait();
  const auto file = ToHost(out, size);
  REQUIRE(acldvppFree(out) == ACL_SUCCESS);
  acldvppDestroyJpegeConfig(config);
  return file;
}

struct Decoded {
  std::uint32_t width = 0, height = 0, size = 0;
  void* data = nullptr;
};

Decoded Decode(const SampleDevice& device, const std::vector<std::uint8_t>& file) {
  const auto bytes = static_cast<std::uint32_t>(file.size());
  Decoded out;
  std::int32_t components = 0;
  REQUIRE(acldvppJpegGetImageInfo(file.data(), bytes, &out.width, &out.height, &components) == ACL_SUCCESS);
  REQUIRE(acldvppJpegPredictDecSize(file.data(), bytes, PIXEL_FORMAT_YUV_SEMIPLANAR_420, &out.size) ==
          ACL_SUCCESS);
  REQUIRE(acldvppMalloc(&out.data, out.size) == ACL_SUCCESS);
  void* in = ToDevice(file);
  acldvppPicDesc* desc = acldvppCreatePicDesc();
  acldvppSetPicDescData(desc, out.data);
  acldvppSetPicDescFormat(desc, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
  acldvppSetPicDescWidth(desc, out.width);
  acldvppSetPicDescHeight(desc, out.height);
  acldvppSetPicDescWidthStride(desc, Up(out.width, 128));
  acldvppSetPicDescHeightStride(desc, Up(out.height, 16));
  acldvppSetPicDescSize(desc, out.size);
  REQUIRE(acldvppJpegDecodeAsync(device.channel, in, bytes, desc, device.stream) == ACL_SUCCESS);
  device.Wait();
  REQUIRE(acldvppGetPicDescRetCode(desc) == 0);
  REQUIRE(acldvppDestroyPicDesc(desc) == ACL_SUCCESS);
  REQUIRE(acldvppFree(in) == ACL_SUCCESS);
  return out;
}

void ResizeForTheNetwork(const SampleDevice& device, const Decoded& picture) {
  acldvppPicDesc* in = acldvppCreatePicDesc();
  acldvppSetPicDescData(in, picture.data);
  acldvppSetPicDescFormat(in, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
  acldvppSetPicDescWidth(in, picture.width);
  acldvppSetPicDescHeight(in, picture.height);
  acldvppSetPicDescWidthStride(in, Up(picture.width, 128));
  acldvppSetPicDescHeightStride(in, Up(picture.height, 16));
  acldvppSetPicDescSize(in, picture.size);
  const SamplePicture out(224, 224);
  acldvppResizeConfig* config = acldvppCreateResizeConfig();
  REQUIRE(acldvppVpcResizeAsync(device.channel, in, out.desc, config, device.stream) == ACL_SUCCESS);
  device.Wait();
  const auto bytes = ToHost(out.data, out.size);
  REQUIRE(std::abs(bytes[112 * 224 + 112] - 127) < 4 && std::abs(bytes[224 * 224] - 128) < 2);
  acldvppDestroyResizeConfig(config);
  REQUIRE(acldvppDestroyPicDesc(in) == ACL_SUCCESS);
}

}  // namespace

int main() {
  const SampleDevice device;
  const Decoded picture = Decode(device, Encode(device));
  REQUIRE(picture.width == 640 && picture.height == 480);
  ResizeForTheNetwork(device, picture);
  REQUIRE(acldvppFree(picture.data) == ACL_SUCCESS);
}
