// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Collectives of one rank: all that a communicator and its tasks need, and nobody to wait for.
#include <hccl/hccl.h>

#include "failure/sweep.h"

namespace {

void OneRank(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const OwnStream stream(trial);
  const OwnMemory memory(trial, 4096);
  if (!stream || !memory) return;
  int32_t device = 0;
  HcclComm comm = nullptr;
  if (!trial.Try("HcclCommInitAll", [&] { return HcclCommInitAll(1, &device, &comm); })) return;
  void* const at = memory.get();
  void* const other = static_cast<char*>(at) + 2048;
  trial.Try("HcclAllReduce", [&] {
    return HcclAllReduce(at, other, 64, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream.get());
  });
  const uint64_t count = 8, place = 0;
  trial.Try("HcclAlltoAllV", [&] {
    return HcclAlltoAllV(at, &count, &place, HCCL_DATA_TYPE_FP32, other, &count, &place, HCCL_DATA_TYPE_FP32,
                         comm, stream.get());
  });
  HcclSendRecvItem items[] = {{HCCL_SEND, at, 8, HCCL_DATA_TYPE_FP32, 0},
                              {HCCL_RECV, other, 8, HCCL_DATA_TYPE_FP32, 0}};
  trial.Try("HcclBatchSendRecv", [&] { return HcclBatchSendRecv(items, 2, comm, stream.get()); });
  trial.Try("aclrtSynchronizeStream", [&] { return aclrtSynchronizeStream(stream.get()); });
  trial.End("HcclCommDestroy", [&] { return HcclCommDestroy(comm); });
}
const bool one_rank = Register("OneRank", OneRank);

}  // namespace
