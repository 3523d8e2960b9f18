// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl.h>
#include <acl/acl_rt_allocator.h>

#include <cstdio>
#include <cstdlib>

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

// Hands out pieces of one big allocation, one after the other, and takes them back all at once.
struct Pool {
  char* memory;
  size_t size;
  size_t used;
  int allocations;
  int frees;
};

struct Block {
  void* address;
};

void* Allocate(aclrtAllocator allocator, size_t size) {
  Pool* pool = static_cast<Pool*>(allocator);
  const size_t rounded = (size + 63) / 64 * 64;
  if (pool->used + rounded > pool->size) return nullptr;
  Block* block = new Block{pool->memory + pool->used};
  pool->used += rounded;
  ++pool->allocations;
  return block;
}

void* AllocateNear(aclrtAllocator allocator, size_t size, aclrtAllocatorAddr) {
  return Allocate(allocator, size);
}

void Free(aclrtAllocator allocator, aclrtAllocatorBlock block) {
  Pool* pool = static_cast<Pool*>(allocator);
  delete static_cast<Block*>(block);
  if (++pool->frees == pool->allocations) pool->used = 0;
}

void* Address(aclrtAllocatorBlock block) {
  return static_cast<Block*>(block)->address;
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream;
  CHECK(aclrtCreateStream(&stream));

  Pool pool = {nullptr, 1u << 20, 0, 0, 0};
  CHECK(aclrtMalloc(reinterpret_cast<void**>(&pool.memory), pool.size, ACL_MEM_MALLOC_HUGE_FIRST));
  aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
  CHECK(aclrtAllocatorSetObjToDesc(desc, &pool));
  CHECK(aclrtAllocatorSetAllocFuncToDesc(desc, Allocate));
  CHECK(aclrtAllocatorSetFreeFuncToDesc(desc, Free));
  CHECK(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, AllocateNear));
  CHECK(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, Address));
  CHECK(aclrtAllocatorRegister(stream, desc));

  // What a library that works on this stream does.
  aclrtAllocatorDesc found;
  aclrtAllocator object;
  aclrtAllocatorAllocFunc allocate;
  aclrtAllocatorFreeFunc release;
  aclrtAllocatorAllocAdviseFunc advise;
  aclrtAllocatorGetAddrFromBlockFunc address;
  CHECK(aclrtAllocatorGetByStream(stream, &found, &object, &allocate, &release, &advise, &address));
  void* first = allocate(object, 1000);
  void* second = advise(object, 2000, address(first));
  CHECK(aclrtMemsetAsync(address(first), 1000, 1, 1000, stream));
  CHECK(aclrtMemcpyAsync(address(second), 2000, address(first), 1000, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  CHECK(aclrtSynchronizeStream(stream));  // before memory goes back to the pool
  release(object, first);
  release(object, second);
  std::printf("%d blocks came from the pool, %d went back\n", pool.allocations, pool.frees);

  CHECK(aclrtAllocatorUnregister(stream));
  CHECK(aclrtAllocatorDestroyDesc(desc));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtFree(pool.memory));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return pool.allocations == 2 && pool.frees == 2 ? 0 : 1;
}
