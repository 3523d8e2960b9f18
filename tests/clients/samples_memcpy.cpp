// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The samples that copy between host and device, with and without a stream: they ask for the run mode while
// they read their options, before aclInit, print the memory of both kinds, and copy in cycles, with memory
// reused or not.
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "clients/check.h"

namespace {

struct Options {
  int cycles = 2;
  size_t size = 10485760;
  bool async = false;
  bool reuse = true;
};

Options Read(int argc, char** argv) {
  aclrtRunMode mode = ACL_DEVICE;
  REQUIRE(aclrtGetRunMode(&mode) == ACL_SUCCESS && mode == ACL_HOST);
  Options options;
  for (int i = 1; i < argc; ++i) {
    options.async |= std::string(argv[i]) == "--async";
    options.reuse &= std::string(argv[i]) != "--no-reuse";
  }
  return options;
}

void CheckMemory() {
  for (const aclrtMemAttr kind : {ACL_DDR_MEM, ACL_HBM_MEM}) {
    size_t free = 0, total = 0;
    REQUIRE(aclrtGetMemInfo(kind, &free, &total) == ACL_SUCCESS && total >= free);
  }
}

class Buffers {
 public:
  explicit Buffers(size_t size) : size_(size) {
    REQUIRE(aclrtMallocHost(&host, size) == ACL_SUCCESS);
    REQUIRE(aclrtMallocHost(&back, size) == ACL_SUCCESS);
    REQUIRE(aclrtMalloc(&device, size, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  }
  ~Buffers() {
    REQUIRE(aclrtFree(device) == ACL_SUCCESS);
    REQUIRE(aclrtFreeHost(back) == ACL_SUCCESS);
    REQUIRE(aclrtFreeHost(host) == ACL_SUCCESS);
  }
  void CopySync(int value) {
    REQUIRE(aclrtMemset(host, size_, value, size_) == ACL_SUCCESS);
    REQUIRE(aclrtMemcpy(device, size_, host, size_, ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS);
    REQUIRE(aclrtMemcpy(back, size_, device, size_, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  }
  void CopyAsync(int value, aclrtStream stream) {
    REQUIRE(aclrtMemsetAsync(host, size_, value, size_, stream) == ACL_SUCCESS);
    REQUIRE(aclrtMemcpyAsync(device, size_, host, size_, ACL_MEMCPY_HOST_TO_DEVICE, stream) == ACL_SUCCESS);
    REQUIRE(aclrtMemcpyAsync(back, size_, device, size_, ACL_MEMCPY_DEVICE_TO_HOST, stream) == ACL_SUCCESS);
    REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  }
  void Check(int value) const {
    const std::vector<unsigned char> expected(size_, static_cast<unsigned char>(value));
    REQUIRE(std::memcmp(back, expected.data(), size_) == 0);
  }

 private:
  const size_t size_;
  void* host = nullptr;
  void* back = nullptr;
  void* device = nullptr;
};

void Copy(Buffers& buffers, int value, const Options& options, aclrtStream stream) {
  if (options.async) {
    buffers.CopyAsync(value, stream);
  } else {
    buffers.CopySync(value);
  }
  buffers.Check(value);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = Read(argc, argv);
  REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  aclrtContext context = nullptr;
  REQUIRE(aclrtCreateContext(&context, 0) == ACL_SUCCESS);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  CheckMemory();
  if (options.reuse) {
    Buffers buffers(options.size);
    for (int cycle = 0; cycle < options.cycles; ++cycle)
      Copy(buffers, cycle + 1, options, stream);
  } else {
    for (int cycle = 0; cycle < options.cycles; ++cycle) {
      Buffers buffers(options.size);
      Copy(buffers, cycle + 1, options, stream);
    }
  }
  CheckMemory();
  REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
  REQUIRE(aclrtDestroyContext(context) == ACL_SUCCESS);
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
  return 0;
}
