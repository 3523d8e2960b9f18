// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One stage of a pipeline for each process: receive, work, send, on one stream.
#include <acl/acl.h>
#include <hccl/hccl.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                           \
  do {                                                                        \
    const int code = static_cast<int>(call);                                  \
    if (code != 0) {                                                          \
      std::printf("%s returned %d\n%s\n", #call, code, aclGetRecentErrMsg()); \
      std::exit(1);                                                           \
    }                                                                         \
  } while (false)

namespace {

const size_t kCount = 1 << 16, kBlocks = 8;
const size_t kBytes = kCount * sizeof(float);

int Number(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atoi(text);
}

float* NewBlock() {
  void* block = nullptr;
  CHECK(aclrtMalloc(&block, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  return static_cast<float*>(block);
}

// The work of a stage: block = block + step, as the sum of both on the device.
void AddStep(float* block, const float* step, aclrtStream stream) {
  CHECK(aclrtReduceAsync(block, step, kBytes, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, stream, nullptr));
}

}  // namespace

int main() {
  const uint32_t rank = Number("RANK_ID"), ranks = Number("RANK_SIZE");
  const char* table = std::getenv("RANK_TABLE_FILE");
  if (table == nullptr) {
    std::printf("start me by: foothold launch -n 3 --rank-table -- ./hccl_pipeline\n");
    return 1;
  }
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  HcclComm comm = nullptr;
  CHECK(HcclCommInitClusterInfo(table, rank, &comm));

  std::vector<float> numbers(kCount, static_cast<float>(rank + 1));
  float *block = NewBlock(), *step = NewBlock();
  CHECK(aclrtMemcpy(step, kBytes, numbers.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  for (size_t i = 0; i < kBlocks; ++i) {
    if (rank == 0) {
      numbers.assign(kCount, static_cast<float>(100 * i));
      CHECK(aclrtMemcpy(block, kBytes, numbers.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
    } else {
      CHECK(HcclRecv(block, kCount, HCCL_DATA_TYPE_FP32, rank - 1, comm, stream));
    }
    AddStep(block, step, stream);
    if (rank + 1 < ranks) CHECK(HcclSend(block, kCount, HCCL_DATA_TYPE_FP32, rank + 1, comm, stream));
    CHECK(aclrtSynchronizeStream(stream));  // the block is used again
    if (rank + 1 < ranks) continue;
    CHECK(aclrtMemcpy(numbers.data(), kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
    const float expected = static_cast<float>(100 * i + ranks * (ranks + 1) / 2);
    std::printf("block %zu came through %u stages as %g\n", i, ranks, numbers.back());
    if (numbers.front() != expected || numbers.back() != expected) return 1;
  }
  CHECK(HcclCommDestroy(comm));
  CHECK(aclrtFree(block));
  CHECK(aclrtFree(step));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}
