// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Ranks of one process, for tests of collectives: one for each device, with a stream of its own. One thread
// calls for all of them, as programs may: no call waits for another rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "conformance/device_fixture.h"
#include "hccl/hccl.h"

#define EXPECT_HCCL(call) EXPECT_EQ(call, HCCL_SUCCESS) << RecentError()
#define ASSERT_HCCL(call) ASSERT_EQ(call, HCCL_SUCCESS) << RecentError()

using Bytes = std::vector<std::uint8_t>;

// Where memory of a device is copied from and to.
class DeviceBytes {
 public:
  explicit DeviceBytes(const Bytes& content);
  explicit DeviceBytes(std::size_t bytes) : DeviceBytes(Bytes(bytes, 0xEE)) {}
  ~DeviceBytes();
  DeviceBytes(DeviceBytes&& other) noexcept;
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  void* at(std::size_t offset = 0) const { return static_cast<char*>(address_) + offset; }
  Bytes Read() const;

 private:
  void* address_ = nullptr;
  std::size_t bytes_ = 0;
};

class Ranks {
 public:
  // On devices 0 to count - 1; the library is initialised.
  explicit Ranks(std::uint32_t count);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  std::uint32_t size() const { return static_cast<std::uint32_t>(comms_.size()); }
  HcclComm comm(std::uint32_t rank) const { return comms_[rank]; }
  aclrtStream stream(std::uint32_t rank) const { return streams_[rank]; }
  // Makes the device of the rank current.
  void Use(std::uint32_t rank) const { EXPECT_OK(aclrtSetDevice(static_cast<int32_t>(rank))); }
  // For each rank, with its device current; the answer is expected to be success.
  void Call(const std::function<HcclResult(std::uint32_t rank)>& call) const;
  void Synchronize() const;

 private:
  std::vector<HcclComm> comms_;
  std::vector<aclrtStream> streams_;
};

// In a process of its own, with as many devices as any test of these wants.
inline void WithDevices(const std::function<void()>& body) {
  InChild({{"FOOTHOLD_DEVICES", "8"}}, [&] {
    EXPECT_OK(aclInit(nullptr));
    body();
    EXPECT_OK(aclFinalize());
  });
}
