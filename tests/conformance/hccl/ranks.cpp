// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/hccl/ranks.h"

#include <numeric>
#include <utility>

DeviceBytes::DeviceBytes(const Bytes& content) : bytes_(content.size()) {
  EXPECT_OK(aclrtMalloc(&address_, bytes_ + 64, ACL_MEM_MALLOC_HUGE_FIRST));
  if (bytes_ > 0) {
    EXPECT_OK(aclrtMemcpy(address_, bytes_, content.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE));
  }
}

DeviceBytes::~DeviceBytes() {
  if (address_ != nullptr) {
    EXPECT_OK(aclrtFree(address_));
  }
}

DeviceBytes::DeviceBytes(DeviceBytes&& other) noexcept
    : address_(std::exchange(other.address_, nullptr)), bytes_(other.bytes_) {}

Bytes DeviceBytes::Read() const {
  Bytes content(bytes_);
  if (bytes_ > 0) {
    EXPECT_OK(aclrtMemcpy(content.data(), bytes_, address_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST));
  }
  return content;
}

Ranks::Ranks(std::uint32_t count) : comms_(count), streams_(count), devices_(count) {
  std::iota(devices_.begin(), devices_.end(), 0);
  EXPECT_HCCL(HcclCommInitAll(count, devices_.data(), comms_.data()));
  for (std::uint32_t rank = 0; rank < count; ++rank)
    MakeStream(rank);
}

Ranks::Ranks(std::uint32_t count, std::uint32_t rank, int32_t device, HcclComm comm)
    : comms_(count), streams_(count), devices_(count) {
  comms_[rank] = comm;
  devices_[rank] = device;
  MakeStream(rank);
}

void Ranks::MakeStream(std::uint32_t rank) {
  Use(rank);
  EXPECT_OK(aclrtCreateStream(&streams_[rank]));
}

Ranks::~Ranks() {
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    if (!Has(rank)) continue;
    Use(rank);
    EXPECT_HCCL(HcclCommDestroy(comms_[rank]));
    EXPECT_OK(aclrtDestroyStreamForce(streams_[rank]));
  }
}

void Ranks::Call(const std::function<HcclResult(std::uint32_t rank)>& call) const {
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    if (!Has(rank)) continue;
    Use(rank);
    EXPECT_EQ(call(rank), HCCL_SUCCESS) << "rank " << rank << ": " << RecentError();
  }
}

void Ranks::Synchronize() const {
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    if (!Has(rank)) continue;
    Use(rank);
    EXPECT_EQ(aclrtSynchronizeStream(streams_[rank]), ACL_SUCCESS)
        << "rank " << rank << ": " << RecentError();
  }
}
