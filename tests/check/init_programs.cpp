// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Bytes nobody has written, and what calls say of memory.
#include <aclnn/acl_meta.h>
#include <aclnnop/aclnn_abs.h>

#include "check/program.h"
#include "foothold/check.h"

using namespace checked;

namespace {

constexpr std::int64_t kRows = 16, kFilled = 10, kColumns = 32;
constexpr std::size_t kRowBytes = kColumns * sizeof(float), kBytes = kRows * kRowBytes;

aclTensor* Describe(void* memory, std::int64_t rows) {
  const std::int64_t dims[] = {rows, kColumns}, strides[] = {kColumns, 1};
  return aclCreateTensor(dims, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, dims, 2, memory);
}

void Abs(void* from, void* to, std::int64_t rows, aclrtStream stream) {
  aclTensor* const x = Describe(from, rows);
  aclTensor* const y = Describe(to, rows);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  MUST(aclnnAbsGetWorkspaceSize(x, y, &bytes, &executor));
  void* const workspace = DeviceMemory(bytes);
  MUST(aclnnAbs(workspace, bytes, executor, stream));
  MUST(aclDestroyTensor(x));
  MUST(aclDestroyTensor(y));
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtFree(workspace));
}

struct Rows {
  Session session;
  aclrtStream stream = NewStream();
  void* const a = DeviceMemory(kBytes);
  void* const b = DeviceMemory(kBytes);

  ~Rows() {
    MUST(aclrtSynchronizeStream(stream));
    MUST(aclrtDestroyStream(stream));
    MUST(aclrtFree(a));
    MUST(aclrtFree(b));
  }
};

}  // namespace

// Ten rows are written, sixteen are read; the result is used three times.
PROGRAM(reads_rows_nobody_wrote, "ACL-MEM-008") {
  Rows here;
  if (!broken) MUST(aclrtMemsetAsync(here.a, kBytes, 0, kBytes, here.stream));
  MUST(aclrtMemsetAsync(here.a, kBytes, 1, kFilled * kRowBytes, here.stream));
  Abs(here.a, here.b, kRows, here.stream);
  for (int i = 0; i < 3; ++i)
    Abs(here.b, here.a, kRows, here.stream);
}

// Only the rows that were written, by whatever way they came.
PROGRAM(reads_rows_that_came_along, "ACL-MEM-008") {
  Rows here;
  MUST(aclrtMemsetAsync(here.a, kBytes, 1, kFilled * kRowBytes, here.stream));
  MUST(aclrtMemcpyAsync(here.b, kBytes, here.a, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, here.stream));
  MUST(aclrtSynchronizeStream(here.stream));
  Abs(here.b, here.a, broken ? kRows : kFilled, here.stream);
}

// A kernel nobody knows of has written them, says the program.
PROGRAM(says_what_was_written, "ACL-MEM-008") {
  Rows here;
  if (!broken) FootholdWritten(here.a, kBytes);
  Abs(here.a, here.b, kRows, here.stream);
}

PROGRAM(copies_back_what_nobody_wrote, "ACL-MEM-009") {
  Rows here;
  static char back[kBytes];
  MUST(aclrtMemset(here.a, kBytes, 1, kFilled * kRowBytes));
  MUST(aclrtMemcpy(back, kBytes, broken ? here.b : here.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
}

PROGRAM(claims_more_than_there_is, "ACL-MEM-006") {
  Rows here;
  aclDataBuffer* const buffer = aclCreateDataBuffer(here.a, broken ? 2 * kBytes : kBytes);
  MUST(aclDestroyDataBuffer(buffer));
}

PROGRAM(writes_a_value_to_an_odd_place, "ACL-MEM-012") {
  const Session session;
  auto* const memory = static_cast<char*>(DeviceMemory(64));
  const aclrtStream stream = NewStream();
  aclrtValueWrite(memory + (broken ? 4 : 8), 1, 0, stream);
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtFree(memory));
}

PROGRAM(registers_memory_at_an_odd_place, "ACL-MEM-012") {
  constexpr std::size_t kPage = 4096;
  const Session session;
  auto* const memory = static_cast<char*>(std::aligned_alloc(kPage, 2 * kPage));
  char* const start = memory + (broken ? 64 : 0);
  if (aclrtHostRegisterV2(start, kPage, ACL_HOST_REG_PINNED) == 0) MUST(aclrtHostUnregister(start));
  std::free(memory);
}

PROGRAM(copies_to_an_odd_place, "ACL-MEM-012") {
  Rows here;
  MUST(aclrtMemset(here.a, kBytes, 1, kBytes));
  char* const to = static_cast<char*>(here.b) + (broken ? 16 : 64);
  MUST(aclrtMemcpy(to, kRowBytes, here.a, kRowBytes, ACL_MEMCPY_DEVICE_TO_DEVICE));
}

PROGRAM(uses_memory_of_a_peer, "ACL-MEM-013") {
  Rows here;
  MUST(aclrtMemset(here.a, kBytes, 1, kBytes));
  MUST(aclrtSetDevice(1));
  if (!broken) MUST(aclrtDeviceEnablePeerAccess(0, 0));
  const aclrtStream stream = NewStream();
  void* const mine = DeviceMemory(kBytes);
  MUST(aclrtMemcpyAsync(mine, kBytes, here.a, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtFree(mine));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDevice(1));
  MUST(aclrtSetDevice(0));
}
