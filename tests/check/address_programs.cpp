// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Host code and device addresses.
#include <sys/wait.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <cstring>

#include "check/program.h"

using namespace checked;

namespace {

constexpr std::size_t kBytes = 4096;

sigjmp_buf after_fault;

void JumpBack(int) {
  siglongjmp(after_fault, 1);
}

}  // namespace

// A copy from device to device ends in std::memcpy.
PROGRAM(copies_device_memory_with_memcpy, "ACL-MEM-001") {
  const Session session;
  void* const a = DeviceMemory(kBytes);
  void* const b = DeviceMemory(kBytes);
  MUST(aclrtMemset(a, kBytes, 7, kBytes));
  MUST(aclrtMemset(b, kBytes, 0, kBytes));
  if (broken) {
    std::memcpy(b, a, kBytes);
  } else {
    MUST(aclrtMemcpy(b, kBytes, a, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE));
  }
  char back[kBytes];
  MUST(aclrtMemcpy(back, kBytes, b, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  if (back[kBytes - 1] != 7) std::exit(3);
  MUST(aclrtFree(a));
  MUST(aclrtFree(b));
}

// The same on memory that is the host's too.
PROGRAM(copies_managed_memory_with_memcpy, "") {
  const Session session;
  void* managed = nullptr;
  MUST(aclrtMemAllocManaged(&managed, kBytes, ACL_RT_MEM_ATTACH_GLOBAL));
  void* const pinned = PinnedMemory(kBytes);
  std::memset(pinned, 1, kBytes);
  std::memcpy(managed, pinned, kBytes);
  MUST(aclrtFree(managed));
  MUST(aclrtFreeHost(pinned));
}

// A program with a handler of its own goes on, and is told all the same.
PROGRAM(survives_its_own_fault, "ACL-MEM-001") {
  std::signal(SIGSEGV, &JumpBack);
  const Session session;
  char* const device = static_cast<char*>(DeviceMemory(kBytes));
  if (sigsetjmp(after_fault, 1) == 0 && broken) static_cast<volatile char*>(device)[17] = 1;
  MUST(aclrtFree(device));
}

PROGRAM(follows_a_mapped_address, "ACL-MEM-001") {
  std::signal(SIGSEGV, &JumpBack);
  constexpr std::size_t kPages = 2u << 20;
  const Session session;
  void* range = nullptr;
  MUST(aclrtReserveMemAddress(&range, kPages, 0, nullptr, 1));
  aclrtPhysicalMemProp property{};
  property.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  property.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  property.memAttr = ACL_HBM_MEM_HUGE;
  property.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  aclrtDrvMemHandle pages = nullptr;
  MUST(aclrtMallocPhysical(&pages, kPages, &property, 0));
  MUST(aclrtMapMem(range, kPages, 0, pages, 0));
  MUST(aclrtMemset(range, kPages, 1, kPages));
  if (sigsetjmp(after_fault, 1) == 0 && broken) (void)*static_cast<volatile char*>(range);
  MUST(aclrtUnmapMem(range));
  MUST(aclrtFreePhysical(pages));
  MUST(aclrtReleaseMemAddress(range));
}
