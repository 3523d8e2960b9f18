// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The way llama.cpp sets up its devices: initialises twice without a look at the answer, sizes its pools by
// the memory of each device, opens access between all devices, and grows a pool of mapped pages behind one
// address.
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "clients/check.h"

namespace {

struct DeviceInfo {
  size_t total = 0;
  size_t granularity = 0;
};

aclrtPhysicalMemProp PageProperties(int32_t device) {
  aclrtPhysicalMemProp properties = {};
  properties.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  properties.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  properties.memAttr = ACL_HBM_MEM_HUGE;
  properties.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = static_cast<uint32_t>(device);
  return properties;
}

std::vector<DeviceInfo> LookAtDevices() {
  uint32_t count = 0;
  REQUIRE(aclrtGetDeviceCount(&count) == ACL_SUCCESS && count == 2);
  std::vector<DeviceInfo> devices(count);
  for (uint32_t id = 0; id < count; ++id) {
    REQUIRE(aclrtSetDevice(static_cast<int32_t>(id)) == ACL_SUCCESS);
    aclrtPhysicalMemProp properties = PageProperties(static_cast<int32_t>(id));
    REQUIRE(aclrtMemGetAllocationGranularity(&properties, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
                                             &devices[id].granularity) == ACL_SUCCESS);
    size_t free = 0;
    REQUIRE(aclrtGetMemInfo(ACL_HBM_MEM, &free, &devices[id].total) == ACL_SUCCESS);
    REQUIRE(free > 0 && devices[id].total >= free && devices[id].granularity > 0);
    REQUIRE(aclrtGetSocName() != nullptr);
  }
  return devices;
}

void OpenAccess() {
  for (int32_t device : {0, 1}) {
    REQUIRE(aclrtSetDevice(device) == ACL_SUCCESS);
    int32_t can = 0;
    REQUIRE(aclrtDeviceCanAccessPeer(&can, device, 1 - device) == ACL_SUCCESS && can == 1);
    REQUIRE(aclrtDeviceEnablePeerAccess(1 - device, 0) == ACL_SUCCESS);
  }
}

// One address range that gets more pages when it is too small, and keeps what is in it.
class Pool {
 public:
  Pool(int32_t device, size_t granularity) : device_(device), page_(granularity) {
    REQUIRE(aclrtReserveMemAddress(&start_, kPages * page_, 0, nullptr, 1) == ACL_SUCCESS);
  }
  ~Pool() {
    for (size_t i = 0; i < pages_.size(); ++i)
      REQUIRE(aclrtUnmapMem(At(i)) == ACL_SUCCESS);
    for (aclrtDrvMemHandle page : pages_)
      REQUIRE(aclrtFreePhysical(page) == ACL_SUCCESS);
    REQUIRE(aclrtReleaseMemAddress(start_) == ACL_SUCCESS);
  }

  void Grow() {
    const aclrtPhysicalMemProp properties = PageProperties(device_);
    aclrtDrvMemHandle page = nullptr;
    REQUIRE(aclrtMallocPhysical(&page, page_, &properties, 0) == ACL_SUCCESS);
    REQUIRE(aclrtMapMem(At(pages_.size()), page_, 0, page, 0) == ACL_SUCCESS);
    pages_.push_back(page);
  }
  char* At(size_t page) const { return static_cast<char*>(start_) + page * page_; }
  size_t page() const { return page_; }

 private:
  static constexpr size_t kPages = 16;
  const int32_t device_;
  const size_t page_;
  void* start_ = nullptr;
  std::vector<aclrtDrvMemHandle> pages_;
};

void UsePool(int32_t device, size_t granularity) {
  REQUIRE(aclrtSetDevice(device) == ACL_SUCCESS);
  Pool pool(device, granularity);
  pool.Grow();
  std::vector<char> pattern(pool.page(), 'a');
  REQUIRE(aclrtMemcpy(pool.At(0), pool.page(), pattern.data(), pool.page(), ACL_MEMCPY_HOST_TO_DEVICE) ==
          ACL_SUCCESS);
  pool.Grow();
  REQUIRE(aclrtMemset(pool.At(1), pool.page(), 'b', pool.page()) == ACL_SUCCESS);
  std::vector<char> both(2 * pool.page());
  REQUIRE(aclrtMemcpy(both.data(), both.size(), pool.At(0), both.size(), ACL_MEMCPY_DEVICE_TO_HOST) ==
          ACL_SUCCESS);
  REQUIRE(both.front() == 'a' && both[pool.page() - 1] == 'a' && both[pool.page()] == 'b' &&
          both.back() == 'b');
}

// A tensor goes from one device to the other behind an event.
void CopyBetweenDevices() {
  int value = 1234;
  void* there = nullptr;
  void* here = nullptr;
  REQUIRE(aclrtSetDevice(1) == ACL_SUCCESS);
  REQUIRE(aclrtMalloc(&there, sizeof(value), ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclrtMalloc(&here, sizeof(value), ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  REQUIRE(aclrtCreateEvent(&event) == ACL_SUCCESS);
  REQUIRE(aclrtMemcpyAsync(here, sizeof(value), &value, sizeof(value), ACL_MEMCPY_HOST_TO_DEVICE, stream) ==
          ACL_SUCCESS);
  REQUIRE(aclrtMemcpyAsync(there, sizeof(value), here, sizeof(value), ACL_MEMCPY_DEVICE_TO_DEVICE, stream) ==
          ACL_SUCCESS);
  REQUIRE(aclrtRecordEvent(event, stream) == ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeEvent(event) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(1) == ACL_SUCCESS);
  int back = 0;
  REQUIRE(aclrtMemcpy(&back, sizeof(back), there, sizeof(back), ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  REQUIRE(back == value);
  REQUIRE(aclrtFree(there) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclrtFree(here) == ACL_SUCCESS);
  REQUIRE(aclrtDestroyEvent(event) == ACL_SUCCESS);
  REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
}

}  // namespace

int main() {
  aclInit(nullptr);
  aclInit(nullptr);
  const std::vector<DeviceInfo> devices = LookAtDevices();
  OpenAccess();
  for (int32_t device : {0, 1})
    UsePool(device, devices[static_cast<size_t>(device)].granularity);
  CopyBetweenDevices();
  REQUIRE(aclrtSynchronizeDevice() == ACL_SUCCESS);
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  return 0;  // without aclFinalize
}
