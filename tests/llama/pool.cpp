// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "llama/pool.h"

#include <stdexcept>
#include <string>

namespace llama {

namespace {

constexpr std::size_t kAlignment = 128;

std::size_t RoundUp(std::size_t bytes, std::size_t to) {
  return (bytes + to - 1) / to * to;
}

}  // namespace

void Check(aclError code, const char* what) {
  if (code == ACL_SUCCESS) return;
  const char* const text = aclGetRecentErrMsg();
  throw std::runtime_error(std::string(what) + " answered " + std::to_string(code) + ": " +
                           (text != nullptr ? text : "without a text"));
}

Pool::Pool(std::int32_t device) {
  properties_.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  properties_.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  properties_.memAttr = ACL_HBM_MEM_HUGE;
  properties_.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  properties_.location.id = static_cast<std::uint32_t>(device);
  Check(
      aclrtMemGetAllocationGranularity(&properties_, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED, &granularity_),
      "granularity");
  std::size_t total = 0;
  Check(aclrtGetMemInfo(ACL_HBM_MEM, &reserved_, &total), "memory info");
  void* start = nullptr;
  Check(aclrtReserveMemAddress(&start, reserved_, 0, nullptr, 1), "reserving all free memory");
  start_ = static_cast<char*>(start);
}

void Pool::Release() {
  for (const Page& page : pages_) {
    Check(aclrtUnmapMem(page.address), "unmapping");
    Check(aclrtFreePhysical(page.handle), "freeing pages");
  }
  pages_.clear();
  Check(aclrtReleaseMemAddress(start_), "releasing addresses");
}

void Pool::Grow(std::size_t bytes) {
  Page page{nullptr, start_ + mapped_};
  const std::size_t size = RoundUp(bytes, granularity_);
  if (mapped_ + size > reserved_) throw std::runtime_error("the pool is larger than the device");
  Check(aclrtMallocPhysical(&page.handle, size, &properties_, 0), "pages");
  Check(aclrtMapMem(page.address, size, 0, page.handle, 0), "mapping");
  mapped_ += size;
  pages_.push_back(page);
}

char* Pool::Take(std::size_t bytes) {
  const std::size_t size = RoundUp(bytes, kAlignment);
  if (used_ + size > mapped_) Grow(used_ + size - mapped_);
  used_ += size;
  return start_ + (used_ - size);
}

void Pool::GiveBack(std::size_t bytes) {
  used_ -= RoundUp(bytes, kAlignment);
}

Buffer::Buffer(Pool& pool, std::size_t bytes) : pool_(pool), bytes_(bytes), data_(pool.Take(bytes)) {}
Buffer::~Buffer() {
  pool_.GiveBack(bytes_);
}

}  // namespace llama
