// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Two ranks of one process: what collectives order, and what they do not.
#include <hccl/hccl.h>

#include "check/program.h"

using namespace checked;

namespace {

constexpr std::size_t kBytes = 4096;
constexpr std::uint64_t kCount = kBytes / sizeof(float);

// A communicator of both devices, with a stream and two blocks of memory for each.
struct TwoRanks {
  Session session;
  HcclComm comms[2] = {};
  aclrtStream streams[2] = {};
  void* from[2] = {};
  void* to[2] = {};

  TwoRanks() {
    int32_t devices[] = {0, 1};
    MUST(HcclCommInitAll(2, devices, comms));
    for (int rank = 0; rank < 2; ++rank) {
      MUST(aclrtSetDevice(rank));
      streams[rank] = NewStream();
      from[rank] = DeviceMemory(kBytes);
      to[rank] = DeviceMemory(kBytes);
      MUST(aclrtMemset(from[rank], kBytes, 1, kBytes));
    }
  }
  ~TwoRanks() {
    for (int rank = 0; rank < 2; ++rank) {
      MUST(aclrtSetDevice(rank));
      MUST(aclrtSynchronizeDevice());
      MUST(HcclCommDestroy(comms[rank]));
      MUST(aclrtDestroyStream(streams[rank]));
      aclrtFree(from[rank]);
      aclrtFree(to[rank]);
    }
    MUST(aclrtResetDeviceForce(1));
    MUST(aclrtSetDevice(0));
  }
  void AllReduce() {
    for (int rank = 0; rank < 2; ++rank) {
      MUST(aclrtSetDevice(rank));
      MUST(HcclAllReduce(from[rank], to[rank], kCount, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comms[rank],
                         streams[rank]));
    }
    MUST(aclrtSetDevice(0));
  }
};

}  // namespace

PROGRAM(writes_what_a_collective_sends, "ACL-RACE-001") {
  TwoRanks here;
  MUST(aclrtSetDevice(0));
  const aclrtStream other = NewStream();
  here.AllReduce();
  if (!broken) MUST(aclrtSynchronizeStream(here.streams[0]));
  MUST(aclrtMemsetAsync(here.from[0], kBytes, 2, kBytes, other));
  MUST(aclrtSynchronizeStream(other));
  MUST(aclrtDestroyStream(other));
}

// What rank 0 did before it met rank 1 is over when rank 1 goes on.
PROGRAM(reads_of_another_rank_without_meeting_it, "ACL-RACE-001") {
  TwoRanks here;
  MUST(aclrtSetDevice(0));
  void* const shared = DeviceMemory(kBytes);
  MUST(aclrtMemsetAsync(shared, kBytes, 3, kBytes, here.streams[0]));
  if (!broken) here.AllReduce();
  MUST(aclrtSetDevice(1));
  MUST(aclrtMemcpyAsync(here.from[1], kBytes, shared, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, here.streams[1]));
  MUST(aclrtSynchronizeStream(here.streams[1]));
  MUST(aclrtSetDevice(0));
  if (broken) here.AllReduce();
  MUST(aclrtSynchronizeStream(here.streams[0]));
  aclrtFree(shared);
}
