// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The provider library of onnxruntime_host.cpp: initialises when it is made, accepts that somebody else did,
// and finalises what it initialised itself when the program deletes it or the library is unloaded.
#include "acl/acl.h"
#include "clients/check.h"

namespace {

class Registry {
 public:
  Registry() {
    const aclError result = aclInit(nullptr);
    REQUIRE(result == ACL_SUCCESS || result == ACL_ERROR_REPEAT_INITIALIZE);
    mine_ = result == ACL_SUCCESS;
  }
  ~Registry() {
    if (mine_) REQUIRE(aclFinalize() == ACL_SUCCESS);
  }

 private:
  bool mine_;
};

Registry& TheRegistry() {
  static Registry registry;
  return registry;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int RunProvider() {
  TheRegistry();
  uint32_t count = 0;
  REQUIRE(aclrtGetDeviceCount(&count) == ACL_SUCCESS && count >= 1);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  void* device = nullptr;
  REQUIRE(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  int host = 41;
  REQUIRE(aclrtMemcpyAsync(device, 64, &host, sizeof(host), ACL_MEMCPY_HOST_TO_DEVICE, stream) ==
          ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  REQUIRE(aclrtMemcpy(&host, sizeof(host), device, sizeof(host), ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtFree(device) == ACL_SUCCESS);
  REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
  return host + 1;
}
