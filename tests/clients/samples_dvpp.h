// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the samples of pictures do alike: a device, a stream and a channel, memory filled from the host, and
// descriptions whose fields are set one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "acl/acl.h"
#include "acl/ops/acl_dvpp.h"
#include "clients/check.h"

constexpr std::uint32_t Up(std::uint32_t value, std::uint32_t to) {
  return (value + to - 1) / to * to;
}

struct SampleDevice {
  SampleDevice() {
    REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
    REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
    REQUIRE(aclrtCreateContext(&context, 0) == ACL_SUCCESS);
    REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
    aclrtRunMode mode = ACL_DEVICE;
    REQUIRE(aclrtGetRunMode(&mode) == ACL_SUCCESS && mode == ACL_HOST);
    channel = acldvppCreateChannelDesc();
    REQUIRE(channel != nullptr && acldvppCreateChannel(channel) == ACL_SUCCESS);
  }
  ~SampleDevice() {
    REQUIRE(acldvppDestroyChannel(channel) == ACL_SUCCESS);
    REQUIRE(acldvppDestroyChannelDesc(channel) == ACL_SUCCESS);
    REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
    REQUIRE(aclrtDestroyContext(context) == ACL_SUCCESS);
    REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
    REQUIRE(aclFinalize() == ACL_SUCCESS);
  }
  void Wait() const { REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS); }

  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
  acldvppChannelDesc* channel = nullptr;
};

inline void* ToDevice(const std::vector<std::uint8_t>& bytes) {
  void* device = nullptr;
  REQUIRE(acldvppMalloc(&device, bytes.size()) == ACL_SUCCESS);
  REQUIRE(aclrtMemcpy(device, bytes.size(), bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE) ==
          ACL_SUCCESS);
  return device;
}

inline std::vector<std::uint8_t> ToHost(const void* device, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  REQUIRE(aclrtMemcpy(bytes.data(), size, device, size, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  return bytes;
}

// NV12 with rows of a multiple of 16 bytes and an even number of rows.
struct SamplePicture {
  SamplePicture(std::uint32_t wide, std::uint32_t high, void* memory = nullptr) : width(wide), height(high) {
    size = Up(width, 16) * Up(height, 2) * 3 / 2;
    data = memory;
    if (data == nullptr) REQUIRE(acldvppMalloc(&data, size) == ACL_SUCCESS);
    desc = acldvppCreatePicDesc();
    REQUIRE(desc != nullptr);
    Fill(desc);
  }
  ~SamplePicture() {
    REQUIRE(acldvppDestroyPicDesc(desc) == ACL_SUCCESS);
    REQUIRE(acldvppFree(data) == ACL_SUCCESS);
  }
  SamplePicture(const SamplePicture&) = delete;
  SamplePicture& operator=(const SamplePicture&) = delete;

  void Fill(acldvppPicDesc* to) const {
    acldvppSetPicDescData(to, data);
    acldvppSetPicDescFormat(to, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
    acldvppSetPicDescWidth(to, width);
    acldvppSetPicDescHeight(to, height);
    acldvppSetPicDescWidthStride(to, Up(width, 16));
    acldvppSetPicDescHeightStride(to, Up(height, 2));
    acldvppSetPicDescSize(to, size);
  }

  std::uint32_t width, height, size;
  void* data;
  acldvppPicDesc* desc;
};

// A file of the samples: a slope in luma, one colour.
inline std::vector<std::uint8_t> SlopePicture(std::uint32_t width, std::uint32_t height) {
  std::vector<std::uint8_t> bytes(Up(width, 16) * Up(height, 2) * 3 / 2, 128);
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      bytes[y * Up(width, 16) + x] = static_cast<std::uint8_t>((x + y) * 255 / (width + height));
  return bytes;
}
