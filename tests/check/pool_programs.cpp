// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Programs with a pool of their own that tell of its blocks.
#include "check/program.h"
#include "foothold/check.h"

using namespace checked;

namespace {

constexpr std::size_t kPool = 1 << 20, kHalf = 2, kFloat = 4, kNumbers = 1024;

}  // namespace

// A block for float16 numbers is filled with as many float ones.
PROGRAM(fills_too_much_of_a_block, "ACL-MEM-007") {
  const Session session;
  char* const pool = static_cast<char*>(DeviceMemory(kPool));
  const aclrtStream stream = NewStream();
  FootholdBlockTaken(pool, kNumbers * kHalf, stream, "scores");
  FootholdBlockTaken(pool + kNumbers * kHalf, kNumbers * kHalf, stream, "mask");
  const std::size_t bytes = kNumbers * (broken ? kFloat : kHalf);
  MUST(aclrtMemsetAsync(pool, bytes, 0, bytes, stream));
  MUST(aclrtSynchronizeStream(stream));
  FootholdBlockGiven(pool, stream);
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtFree(pool));
}

// The same in a pool that says nothing: what lies where is the program's own business.
PROGRAM(fills_too_much_of_an_unknown_block, "") {
  const Session session;
  void* const pool = DeviceMemory(kPool);
  MUST(aclrtMemset(pool, kNumbers * kFloat, 0, kNumbers * kFloat));
  MUST(aclrtFree(pool));
}

// The side stream writes a block, the main stream reads it; the block goes back and is taken for the next
// step while that is queued.
PROGRAM(takes_a_block_that_is_still_read, "ACL-RACE-006") {
  constexpr std::size_t kBytes = 4096;
  const Session session;
  char* const pool = static_cast<char*>(DeviceMemory(kPool));
  const aclrtStream side = NewStream(), main = NewStream();
  aclrtEvent written = nullptr, used = nullptr;
  MUST(aclrtCreateEvent(&written));
  MUST(aclrtCreateEvent(&used));
  for (int step = 0; step < 2; ++step) {
    if (step > 0 && !broken) MUST(aclrtStreamWaitEvent(side, used));
    FootholdBlockTaken(pool, kBytes, side, "q");
    MUST(aclrtMemsetAsync(pool, kBytes, step, kBytes, side));
    MUST(aclrtRecordEvent(written, side));
    MUST(aclrtStreamWaitEvent(main, written));
    MUST(aclrtMemcpyAsync(pool + 2 * kBytes, kBytes, pool, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, main));
    MUST(aclrtRecordEvent(used, main));
    FootholdBlockGiven(pool, main);
  }
  MUST(aclrtSynchronizeDevice());
  MUST(aclrtDestroyEvent(written));
  MUST(aclrtDestroyEvent(used));
  MUST(aclrtDestroyStream(side));
  MUST(aclrtDestroyStream(main));
  MUST(aclrtFree(pool));
}

// What the program does on purpose is not looked at.
PROGRAM(ignores_what_it_knows, "ACL-RACE-003") {
  const Session session;
  void* const block = DeviceMemory(64);
  const aclrtStream stream = NewStream();
  char back[64];
  if (!broken) FootholdIgnoreBegin();
  MUST(aclrtMemsetAsync(block, 64, 1, 64, stream));
  MUST(aclrtMemcpy(back, 64, block, 64, ACL_MEMCPY_DEVICE_TO_HOST));
  if (!broken) FootholdIgnoreEnd();
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtFree(block));
}
