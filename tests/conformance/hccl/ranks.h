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

// Memory of a device that was used and will be again: the first use of new memory takes longer than most
// tests.
class UsedMemory {
 public:
  struct Block {
    void* address = nullptr;
    std::size_t bytes = 0;
  };

  UsedMemory() = default;
  UsedMemory(UsedMemory&&) = default;
  ~UsedMemory();
  Block Take(std::size_t bytes);
  void Give(const Block& block) { blocks_.push_back(block); }

 private:
  std::vector<Block> blocks_;
};

// Where memory of a device is copied from and to.
class DeviceBytes {
 public:
  DeviceBytes() = default;  // none
  explicit DeviceBytes(const Bytes& content, UsedMemory* used = nullptr);
  explicit DeviceBytes(std::size_t bytes) : DeviceBytes(Bytes(bytes, 0xEE)) {}
  ~DeviceBytes();
  DeviceBytes(DeviceBytes&& other) noexcept;
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  void* at(std::size_t offset = 0) const { return static_cast<char*>(block_.address) + offset; }
  Bytes Read() const;

 private:
  UsedMemory* used_ = nullptr;
  UsedMemory::Block block_;
  std::size_t bytes_ = 0;
};

// Some ranks of a communicator: all of them, or one where each has a process.
class Ranks {
 public:
  // All, on devices 0 to count - 1; the library is initialised.
  explicit Ranks(std::uint32_t count);
  // One of so many, on this device; `comm` becomes this object's.
  Ranks(std::uint32_t count, std::uint32_t rank, int32_t device, HcclComm comm);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  std::uint32_t size() const { return static_cast<std::uint32_t>(comms_.size()); }
  bool Has(std::uint32_t rank) const { return comms_[rank] != nullptr; }
  HcclComm comm(std::uint32_t rank) const { return comms_[rank]; }
  aclrtStream stream(std::uint32_t rank) const { return streams_[rank]; }
  // Makes the device of the rank current.
  void Use(std::uint32_t rank) const { EXPECT_OK(aclrtSetDevice(devices_[rank])); }
  // Of its device.
  UsedMemory& used_memory(std::uint32_t rank) const { return used_[rank]; }
  // For each rank that is here, with its device current; the answer is expected to be success.
  void Call(const std::function<HcclResult(std::uint32_t rank)>& call) const;
  void Synchronize() const;

 private:
  void MakeStream(std::uint32_t rank);

  std::vector<HcclComm> comms_;  // null: not here
  std::vector<aclrtStream> streams_;
  std::vector<int32_t> devices_;
  mutable std::vector<UsedMemory> used_;
};

// In a process of its own, with as many devices as any test of these wants.
inline void WithDevices(const std::function<void()>& body) {
  InChild({{"FOOTHOLD_DEVICES", "8"}}, [&] {
    EXPECT_OK(aclInit(nullptr));
    body();
    EXPECT_OK(aclFinalize());
  });
}
