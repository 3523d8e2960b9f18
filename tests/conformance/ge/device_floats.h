// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Device memory for tests of runs on streams.
#pragma once

#include "conformance/device_fixture.h"
#include "conformance/ge/graph_fixture.h"

// Device memory with floats in it.
class DeviceFloats {
 public:
  explicit DeviceFloats(const Floats& values) : bytes_(values.size() * sizeof(float)) {
    EXPECT_OK(aclrtMalloc(&address_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMemcpy(address_, bytes_, values.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  ~DeviceFloats() { EXPECT_OK(aclrtFree(address_)); }
  DeviceFloats(const DeviceFloats&) = delete;
  DeviceFloats& operator=(const DeviceFloats&) = delete;

  void* address() const { return address_; }
  size_t bytes() const { return bytes_; }
  Floats Read() const { return ReadAt(address_, bytes_); }
  static Floats ReadAt(const void* address, size_t bytes) {
    Floats values(bytes / sizeof(float));
    EXPECT_OK(aclrtMemcpy(values.data(), bytes, address, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    return values;
  }

 private:
  void* address_ = nullptr;
  size_t bytes_;
};
