// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the tests of pictures share: device memory with bytes in it, descriptions that destroy themselves, and
// a channel with a stream.
#pragma once

#include <cstdint>
#include <vector>

#include "acl/acl.h"
#include "acl/ops/acl_dvpp.h"
#include "conformance/device_fixture.h"

namespace dvpp {

using Bytes = std::vector<std::uint8_t>;

// Of the device; freed at its end.
class Memory {
 public:
  explicit Memory(std::size_t size) : size_(size) { EXPECT_OK(acldvppMalloc(&address_, size)); }
  explicit Memory(const Bytes& bytes) : Memory(bytes.size()) {
    EXPECT_OK(aclrtMemcpy(address_, size_, bytes.data(), size_, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  ~Memory() { EXPECT_OK(acldvppFree(address_)); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void* get() const { return address_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(size_); }
  Bytes Read() const { return Read(size_); }
  Bytes Read(std::size_t size) const {
    Bytes bytes(size);
    EXPECT_OK(aclrtMemcpy(bytes.data(), size, address_, size, ACL_MEMCPY_DEVICE_TO_HOST));
    return bytes;
  }

 private:
  void* address_ = nullptr;
  std::size_t size_;
};

struct Shape {
  acldvppPixelFormat format;
  std::uint32_t width, height, width_stride, height_stride;
};

inline void Describe(acldvppPicDesc* desc, const Shape& shape, void* data, std::uint32_t size) {
  EXPECT_OK(acldvppSetPicDescData(desc, data));
  EXPECT_OK(acldvppSetPicDescSize(desc, size));
  EXPECT_OK(acldvppSetPicDescFormat(desc, shape.format));
  EXPECT_OK(acldvppSetPicDescWidth(desc, shape.width));
  EXPECT_OK(acldvppSetPicDescHeight(desc, shape.height));
  EXPECT_OK(acldvppSetPicDescWidthStride(desc, shape.width_stride));
  EXPECT_OK(acldvppSetPicDescHeightStride(desc, shape.height_stride));
}

class Picture {
 public:
  Picture(const Shape& shape, const Bytes& bytes) : memory(bytes), desc(acldvppCreatePicDesc()) {
    Describe(desc, shape, memory.get(), memory.size());
  }
  Picture(const Shape& shape, std::size_t size) : Picture(shape, Bytes(size)) {}
  ~Picture() { EXPECT_OK(acldvppDestroyPicDesc(desc)); }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  Memory memory;
  acldvppPicDesc* const desc;
};

// A session with a stream and a channel for everything.
class Channel {
 public:
  Channel() : stream(session.Stream()), desc(acldvppCreateChannelDesc()) {
    EXPECT_OK(acldvppCreateChannel(desc));
  }
  ~Channel() {
    EXPECT_OK(acldvppDestroyChannel(desc));
    EXPECT_OK(acldvppDestroyChannelDesc(desc));
    EXPECT_OK(aclrtDestroyStream(stream));
  }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  Session session;
  aclrtStream stream;
  acldvppChannelDesc* desc;
};

// NV12, 64 x 48: luma 3x + 2y, chroma of the place.
inline constexpr Shape kSmall{PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 48, 64, 48};
inline Bytes SmallPicture() {
  Bytes bytes(64 * 48 * 3 / 2);
  for (std::uint32_t y = 0; y < 72; ++y)
    for (std::uint32_t x = 0; x < 64; ++x)
      bytes[y * 64 + x] = static_cast<std::uint8_t>(y < 48 ? 3 * x + y : 100 + (x & 1) * 50 + x / 8 + y / 8);
  return bytes;
}

}  // namespace dvpp
