// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstdlib>

#include "check/program.h"

using namespace checked;

namespace {

constexpr std::size_t kBytes = 4096;

}  // namespace

PROGRAM(frees_twice, "ACL-MEM-011") {
  const Session session;
  void* memory = DeviceMemory(kBytes);
  MUST(aclrtFree(memory));
  if (!broken) memory = DeviceMemory(kBytes);  // likely at the same place
  aclrtFree(memory);
}

PROGRAM(frees_with_the_wrong_function, "ACL-MEM-011") {
  const Session session;
  void* const memory = DeviceMemory(kBytes);
  if (broken) aclrtFreeHost(memory);
  MUST(aclrtFree(memory));
}

// The offset of the last part is added to the source, not to the destination.
PROGRAM(adds_the_offset_to_the_wrong_pointer, "ACL-MEM-004") {
  const Session session;
  char* const pinned = static_cast<char*>(PinnedMemory(kBytes));
  char* const device = static_cast<char*>(DeviceMemory(2 * kBytes));
  for (std::size_t offset = 0; offset < 2 * kBytes; offset += kBytes) {
    char* const to = broken ? device : device + offset;
    const char* const from = broken ? pinned + offset : pinned;
    aclrtMemcpy(to, kBytes, from, kBytes, ACL_MEMCPY_HOST_TO_DEVICE);
  }
  MUST(aclrtFree(device));
  MUST(aclrtFreeHost(pinned));
}

PROGRAM(uses_freed_memory, "ACL-MEM-004") {
  const Session session;
  void* memory = DeviceMemory(kBytes);
  if (broken) MUST(aclrtFree(memory));
  aclrtMemset(memory, kBytes, 0, kBytes);
  if (!broken) MUST(aclrtFree(memory));
}

PROGRAM(promises_more_than_there_is, "ACL-MEM-005") {
  const Session session;
  void* const memory = DeviceMemory(kBytes);
  char data[16] = {};
  MUST(aclrtMemcpy(memory, broken ? 2 * kBytes : kBytes, data, sizeof data, ACL_MEMCPY_HOST_TO_DEVICE));
  MUST(aclrtMemcpy(memory, sizeof data, data, sizeof data, ACL_MEMCPY_HOST_TO_DEVICE));
  MUST(aclrtFree(memory));
}

PROGRAM(copies_with_a_kind_that_does_not_fit, "ACL-MEM-010") {
  const Session session;
  void* const a = DeviceMemory(kBytes);
  void* const b = DeviceMemory(kBytes);
  MUST(aclrtMemset(a, kBytes, 1, kBytes));
  const aclrtStream stream = NewStream();
  MUST(aclrtMemcpyAsync(b, kBytes, a, kBytes, broken ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEFAULT,
                        stream));
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtFree(a));
  MUST(aclrtFree(b));
}

// The kind of a synchronous copy is reserved: a warning only.
PROGRAM(copies_at_once_with_a_kind_that_does_not_fit, "ACL-MEM-010") {
  const Session session;
  void* const a = DeviceMemory(kBytes);
  void* const b = DeviceMemory(kBytes);
  MUST(aclrtMemset(a, kBytes, 1, kBytes));
  MUST(aclrtMemcpy(b, kBytes, a, kBytes, broken ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_DEVICE));
  MUST(aclrtFree(a));
  MUST(aclrtFree(b));
}

PROGRAM(copies_onto_itself, "ACL-MEM-014") {
  const Session session;
  char* const memory = static_cast<char*>(DeviceMemory(kBytes));
  MUST(aclrtMemset(memory, kBytes, 1, kBytes));
  const std::size_t half = kBytes / 2;
  MUST(aclrtMemcpy(memory + (broken ? 64 : half), half, memory, half, ACL_MEMCPY_DEVICE_TO_DEVICE));
  MUST(aclrtFree(memory));
}

PROGRAM(goes_over_the_end_of_a_mapping, "ACL-MEM-015") {
  constexpr std::size_t kPages = 2u << 20;
  const Session session;
  void* range = nullptr;
  MUST(aclrtReserveMemAddress(&range, 2 * kPages, 0, nullptr, 1));
  aclrtPhysicalMemProp property{};
  property.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  property.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  property.memAttr = ACL_HBM_MEM_HUGE;
  property.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  aclrtDrvMemHandle pages = nullptr;
  MUST(aclrtMallocPhysical(&pages, kPages, &property, 0));
  MUST(aclrtMapMem(range, kPages, 0, pages, 0));
  aclrtMemset(static_cast<char*>(range) + kPages - kBytes, 2 * kBytes, 0, broken ? 2 * kBytes : kBytes);
  MUST(aclrtUnmapMem(range));
  MUST(aclrtFreePhysical(pages));
  MUST(aclrtReleaseMemAddress(range));
}

PROGRAM(gives_host_memory_to_a_device, "ACL-MEM-016") {
  const Session session;
  const aclrtStream stream = NewStream();
  void* const device = DeviceMemory(64);
  void* const host = std::aligned_alloc(64, 64);
  aclrtValueWrite(broken ? host : device, 1, 0, stream);
  MUST(aclrtSynchronizeStream(stream));
  std::free(host);
  MUST(aclrtFree(device));
  MUST(aclrtDestroyStream(stream));
}
