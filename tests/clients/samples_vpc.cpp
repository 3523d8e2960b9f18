// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The samples that work on one NV12 file: memory from and to the device, resize, crop, crop and paste, a
// small region by way of a larger one, and a batch of regions of one picture.
#include <cstdlib>

#include "clients/samples_dvpp.h"

namespace {

constexpr std::uint32_t kWidth = 1920, kHeight = 1080;

std::uint8_t Slope(double x, double y, double width, double height) {
  return static_cast<std::uint8_t>((x + y) * 255 / (width + height));
}

bool IsNear(int a, int b) {
  return std::abs(a - b) <= 2;
}

void Resize(const SampleDevice& device, const SamplePicture& in) {
  const SamplePicture out(960, 540);
  acldvppResizeConfig* config = acldvppCreateResizeConfig();
  REQUIRE(acldvppVpcResizeAsync(device.channel, in.desc, out.desc, config, device.stream) == ACL_SUCCESS);
  device.Wait();
  acldvppDestroyResizeConfig(config);
  const auto bytes = ToHost(out.data, out.size);
  REQUIRE(IsNear(bytes[270 * 960 + 480], Slope(960, 540, kWidth, kHeight)));
  REQUIRE(bytes[960 * 540] == 128);
}

// The samples' regions begin at even and end at odd places.
void Crop(const SampleDevice& device, const SamplePicture& in) {
  const SamplePicture out(224, 224);
  acldvppRoiConfig* area = acldvppCreateRoiConfig(512, 512 + 224 - 1, 512, 512 + 224 - 1);
  REQUIRE(acldvppVpcCropAsync(device.channel, in.desc, out.desc, area, device.stream) == ACL_SUCCESS);
  device.Wait();
  REQUIRE(IsNear(ToHost(out.data, out.size)[0], Slope(512, 512, kWidth, kHeight)));
  acldvppDestroyRoiConfig(area);
}

void CropAndPaste(const SampleDevice& device, const SamplePicture& in) {
  const SamplePicture out(416, 416);
  acldvppRoiConfig* from = acldvppCreateRoiConfig(0, kWidth - 1, 0, kHeight - 1);
  acldvppRoiConfig* to = acldvppCreateRoiConfig(0, 415, 91, 91 + 233);
  REQUIRE(aclrtMemset(out.data, out.size, 128, out.size) == ACL_SUCCESS);
  REQUIRE(acldvppVpcCropAndPasteAsync(device.channel, in.desc, out.desc, from, to, device.stream) ==
          ACL_SUCCESS);
  device.Wait();
  const auto bytes = ToHost(out.data, out.size);
  REQUIRE(bytes[0] == 128 && bytes[415 * 416] == 128);
  REQUIRE(IsNear(bytes[(91 + 117) * 416 + 208], Slope(960, 540, kWidth, kHeight)));
  acldvppDestroyRoiConfig(from);
  acldvppDestroyRoiConfig(to);
}

// 6 x 6 pixels are too few for the hardware of some: a part four times as large comes in between.
void SmallRegion(const SampleDevice& device, const SamplePicture& in) {
  const SamplePicture middle(24, 24), out(6, 6);
  acldvppRoiConfig* from = acldvppCreateRoiConfig(100, 105, 100, 105);
  acldvppRoiConfig* to = acldvppCreateRoiConfig(0, 23, 0, 23);
  REQUIRE(acldvppVpcCropAndPasteAsync(device.channel, in.desc, middle.desc, from, to, device.stream) ==
          ACL_SUCCESS);
  acldvppResizeConfig* config = acldvppCreateResizeConfig();
  REQUIRE(acldvppVpcResizeAsync(device.channel, middle.desc, out.desc, config, device.stream) == ACL_SUCCESS);
  device.Wait();
  REQUIRE(IsNear(ToHost(out.data, out.size)[0], Slope(100, 100, kWidth, kHeight)));
  acldvppDestroyResizeConfig(config);
  acldvppDestroyRoiConfig(from);
  acldvppDestroyRoiConfig(to);
}

void BatchCrop(const SampleDevice& device, const SamplePicture& in) {
  constexpr std::uint32_t kRegions = 8;
  acldvppBatchPicDesc* sources = acldvppCreateBatchPicDesc(1);
  acldvppBatchPicDesc* outputs = acldvppCreateBatchPicDesc(kRegions);
  in.Fill(acldvppGetPicDesc(sources, 0));
  acldvppRoiConfig* areas[kRegions];
  void* memory[kRegions];
  for (std::uint32_t i = 0; i < kRegions; ++i) {
    const std::uint32_t left = 2 * i * 50;
    areas[i] = acldvppCreateRoiConfig(left, left + 223, left, left + 223);
    REQUIRE(acldvppMalloc(&memory[i], 224 * 224 * 3 / 2) == ACL_SUCCESS);
    const SamplePicture shape(224, 224);
    shape.Fill(acldvppGetPicDesc(outputs, i));
    acldvppSetPicDescData(acldvppGetPicDesc(outputs, i), memory[i]);
  }
  std::uint32_t numbers[] = {kRegions};
  REQUIRE(acldvppVpcBatchCropAsync(device.channel, sources, numbers, 1, outputs, areas, device.stream) ==
          ACL_SUCCESS);
  device.Wait();
  for (std::uint32_t i = 0; i < kRegions; ++i) {
    REQUIRE(acldvppGetPicDescRetCode(acldvppGetPicDesc(outputs, i)) == 0);
    REQUIRE(IsNear(ToHost(memory[i], 1)[0], Slope(100 * i, 100 * i, kWidth, kHeight)));
    acldvppDestroyRoiConfig(areas[i]);
    REQUIRE(acldvppFree(memory[i]) == ACL_SUCCESS);
  }
  REQUIRE(acldvppDestroyBatchPicDesc(sources) == ACL_SUCCESS);
  REQUIRE(acldvppDestroyBatchPicDesc(outputs) == ACL_SUCCESS);
}

}  // namespace

int main() {
  const SampleDevice device;
  const SamplePicture in(kWidth, kHeight, ToDevice(SlopePicture(kWidth, kHeight)));
  Resize(device, in);
  Crop(device, in);
  CropAndPaste(device, in);
  SmallRegion(device, in);
  BatchCrop(device, in);
}
