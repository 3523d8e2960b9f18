// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/hccl/ranks.h"

#include <numeric>
#include <utility>

UsedMemory::~UsedMemory() {
  for (const Block& block : blocks_)
    EXPECT_OK(aclrtFree(block.address));
}

UsedMemory::Block UsedMemory::Take(std::size_t bytes) {
  auto best = blocks_.end();
  for (auto at = blocks_.begin(); at != blocks_.end(); ++at) {
    if (at->bytes >= bytes && (best == blocks_.end() || at->bytes < best->bytes)) best = at;
  }
  Block block;
  if (best != blocks_.end()) {
    block = *best;
    blocks_.erase(best);
    return block;
  }
  block.bytes = bytes;
  EXPECT_OK(aclrtMalloc(&block.address, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  return block;
}

DeviceBytes::DeviceBytes(const Bytes& content, UsedMemory* used) : used_(used), bytes_(content.size()) {
  UsedMemory none;
  block_ = (used == nullptr ? none : *used).Take(bytes_ + 64);
  if (bytes_ > 0) {
    EXPECT_OK(aclrtMemcpy(block_.address, bytes_, content.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE));
  }
}

DeviceBytes::~DeviceBytes() {
  if (block_.address == nullptr) return;
  if (used_ != nullptr) {
    used_->Give(block_);
  } else {
    EXPECT_OK(aclrtFree(block_.address));
  }
}

DeviceBytes::DeviceBytes(DeviceBytes&& other) noexcept
    : used_(other.used_), block_(std::exchange(other.block_, {})), bytes_(other.bytes_) {}

Bytes DeviceBytes::Read() const {
  Bytes content(bytes_);
  if (bytes_ > 0) {
    EXPECT_OK(aclrtMemcpy(content.data(), bytes_, block_.address, bytes_, ACL_MEMCPY_DEVICE_TO_HOST));
  }
  return content;
}

Ranks::Ranks(std::uint32_t count) : comms_(count), streams_(count), devices_(count), used_(count) {
  std::iota(devices_.begin(), devices_.end(), 0);
  EXPECT_HCCL(HcclCommInitAll(count, devices_.data(), comms_.data()));
  for (std::uint32_t rank = 0; rank < count; ++rank)
    MakeStream(rank);
}

Ranks::Ranks(std::uint32_t count, std::uint32_t rank, int32_t device, HcclComm comm)
    : comms_(count), streams_(count), devices_(count), used_(count) {
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
