// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                           \
  do {                                                                                        \
    aclError code = (call);                                                                   \
    if (code != ACL_SUCCESS) {                                                                \
      const char* text = aclGetRecentErrMsg();                                                \
      std::printf("%s returned %d\n%s\n", #call, code, text != nullptr ? text : "(no text)"); \
      std::exit(1);                                                                           \
    }                                                                                         \
  } while (false)

namespace {

const size_t kBytes = 16u << 20;
const int kBlocks = 8;

struct Block {
  char* host;
  char* back;
  void* device;
};

double Milliseconds(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// Something the host has to do anyway.
double HostWork() {
  double sum = 0;
  for (int i = 1; i < 20000000; ++i)
    sum += 1.0 / i;
  return sum;
}

double WaitForEach(std::vector<Block>& blocks) {
  const auto start = std::chrono::steady_clock::now();
  for (Block& block : blocks) {
    CHECK(aclrtMemcpy(block.device, kBytes, block.host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtMemcpy(block.back, kBytes, block.device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  }
  std::printf("  host work gave %.3f\n", HostWork());
  return Milliseconds(start);
}

double QueueAll(std::vector<Block>& blocks, aclrtStream streams[2]) {
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < blocks.size(); ++i) {
    Block& block = blocks[i];
    CHECK(aclrtMemcpyAsync(block.device, kBytes, block.host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE,
                           streams[i % 2]));
    CHECK(aclrtMemcpyAsync(block.back, kBytes, block.device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                           streams[i % 2]));
  }
  const double queued = Milliseconds(start);
  std::printf("  host work gave %.3f\n", HostWork());
  CHECK(aclrtSynchronizeStream(streams[0]));
  CHECK(aclrtSynchronizeStream(streams[1]));
  std::printf("  queueing took %.3f ms\n", queued);
  return Milliseconds(start);
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream streams[2];
  for (aclrtStream& stream : streams)
    CHECK(aclrtCreateStream(&stream));

  std::vector<Block> blocks(kBlocks);
  for (int i = 0; i < kBlocks; ++i) {
    // Pinned host memory: copies from ordinary memory would wait, as the library cannot know when it is
    // reused.
    CHECK(aclrtMallocHost(reinterpret_cast<void**>(&blocks[i].host), kBytes));
    CHECK(aclrtMallocHost(reinterpret_cast<void**>(&blocks[i].back), kBytes));
    CHECK(aclrtMalloc(&blocks[i].device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    std::memset(blocks[i].host, 'a' + i, kBytes);
    std::memset(blocks[i].back, 0, kBytes);
    CHECK(aclrtMemset(blocks[i].device, kBytes, 0, kBytes));
  }

  std::printf("waiting for each copy\n");
  const double waiting = WaitForEach(blocks);
  std::printf("  %.1f ms in all\n", waiting);
  std::printf("queueing on two streams\n");
  const double queueing = QueueAll(blocks, streams);
  std::printf("  %.1f ms in all, %.2f times as fast\n", queueing, waiting / queueing);

  bool same = true;
  for (Block& block : blocks) {
    same = same && std::memcmp(block.host, block.back, kBytes) == 0;
    CHECK(aclrtFreeHost(block.host));
    CHECK(aclrtFreeHost(block.back));
    CHECK(aclrtFree(block.device));
  }
  std::printf("data came back %s\n", same ? "unchanged" : "CHANGED");
  for (aclrtStream stream : streams)
    CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return same ? 0 : 1;
}
