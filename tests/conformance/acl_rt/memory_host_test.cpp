// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Host memory: aclrtMallocHost and its like, aclrtHostRegister and its like.
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"

namespace {

struct Release {
  void operator()(void* memory) const { std::free(memory); }
};
using Pages = std::unique_ptr<char, Release>;

Pages MakePages(size_t bytes) {
  return Pages(static_cast<char*>(std::aligned_alloc(4096, bytes)));
}

TEST(aclrtMallocHost, GivesMemoryTheHostCanUse) {
  Session session;
  for (const size_t size : {1u, 100u, 5000u, 3u << 20}) {
    void* block = nullptr;
    ASSERT_OK(aclrtMallocHost(&block, size));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
    std::memset(block, 7, size);
    EXPECT_OK(aclrtFreeHost(block));
  }
}

TEST(aclrtMallocHost, RefusesNothingAndNullAndTooMuch) {
  Session session;
  void* block = &session;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocHost(&block, 0));
  EXPECT_EQ(block, &session);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocHost(nullptr, 10));
  EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, aclrtMallocHost(&block, SIZE_MAX));
  EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, aclrtMallocHost(&block, size_t{1} << 50));
  EXPECT_EQ(block, &session);
}

TEST(aclrtMallocHost, NeedsADevice) {
  Session session;
  std::thread([] {
    void* block = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtMallocHost(&block, 10));
  }).join();
}

TEST(aclrtMallocHostWithCfg, TakesAConfigurationOrNone) {
  Session session;
  void* block = nullptr;
  EXPECT_OK(aclrtMallocHostWithCfg(&block, 100, nullptr));
  EXPECT_OK(aclrtFreeHost(block));
  aclrtMallocAttribute attribute = {};
  attribute.attr = ACL_RT_MEM_ATTR_VA_FLAG;
  attribute.value.vaFlag = 1;
  aclrtMallocConfig config = {&attribute, 1};
  EXPECT_OK(aclrtMallocHostWithCfg(&block, 100, &config));
  EXPECT_OK(aclrtFreeHost(block));
  attribute.attr = static_cast<aclrtMallocAttrType>(77);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocHostWithCfg(&block, 100, &config));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocHostWithCfg(&block, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocHostWithCfg(nullptr, 1, nullptr));
}

TEST(aclrtFreeHost, RefusesEveryPointerThatIsNotItsOwn) {
  Session session;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(nullptr));
  int on_stack = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(&on_stack));
  void* device = nullptr;
  ASSERT_OK(aclrtMalloc(&device, 100, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(device));
  EXPECT_OK(aclrtFree(device));
  void* block = nullptr;
  ASSERT_OK(aclrtMallocHost(&block, 100));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(static_cast<char*>(block) + 8));
  EXPECT_OK(aclrtFreeHost(block));
  RecentError();
  EXPECT_EQ(aclrtFreeHost(block), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(RecentError().find("aclrtFreeHost freed"), std::string::npos);
}

TEST(aclrtFreeHost, PinnedMemorySurvivesADeviceReset) {
  Session session;
  void* block = nullptr;
  ASSERT_OK(aclrtMallocHost(&block, 100));
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtFreeHost(block));
}

TEST(aclrtFreeHostWithDevSync, WaitsForTheDevice) {
  Session session;
  aclrtStream stream = session.Stream();
  void* block = nullptr;
  ASSERT_OK(aclrtMallocHost(&block, 8));
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtMemsetAsync(block, 8, 1, 8, stream));
  std::atomic<bool> freed{false};
  std::thread freeing([&] {
    EXPECT_OK(aclrtSetCurrentContext(session.context()));
    EXPECT_OK(aclrtFreeHostWithDevSync(block));
    freed = true;
  });
  ASSERT_TRUE(gate.Reached());
  EXPECT_FALSE(freed);
  gate.Open();
  freeing.join();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHostWithDevSync(block));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHostWithDevSync(nullptr));
}

TEST(aclrtHostRegister, MapsMemoryOfTheProgram) {
  Session session;
  const Pages pages = MakePages(8192);
  void* device = nullptr;
  ASSERT_OK(aclrtHostRegister(pages.get(), 8192, ACL_HOST_REGISTER_MAPPED, &device));
  EXPECT_NE(device, nullptr);
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST(aclrtHostRegister, RefusesWrongArguments) {
  Session session;
  const Pages pages = MakePages(8192);
  void* device = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtHostRegister(nullptr, 8192, ACL_HOST_REGISTER_MAPPED, &device));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtHostRegister(pages.get(), 0, ACL_HOST_REGISTER_MAPPED, &device));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtHostRegister(pages.get() + 8, 100, ACL_HOST_REGISTER_MAPPED, &device));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtHostRegister(pages.get(), 8192, ACL_HOST_REGISTER_MAPPED, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtHostRegister(pages.get(), 8192, ACL_HOST_REGISTER_IOMEMORY, &device));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtHostRegister(pages.get(), 8192, static_cast<aclrtHostRegisterType>(3), &device));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtHostRegister(pages.get(), UINT64_MAX - 4095, ACL_HOST_REGISTER_MAPPED, &device));
}

TEST(aclrtHostRegisterV2, RegistersOnce) {
  Session session;
  const Pages pages = MakePages(16384);
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), 8192, ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED));
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
               aclrtHostRegisterV2(pages.get(), 4096, ACL_HOST_REG_MAPPED));
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
               aclrtHostRegisterV2(pages.get() + 4096, 8192, ACL_HOST_REG_MAPPED));
  EXPECT_OK(aclrtHostRegisterV2(pages.get() + 8192, 8192, ACL_HOST_REG_PINNED));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  EXPECT_OK(aclrtHostUnregister(pages.get() + 8192));
  EXPECT_OK(aclrtHostRegisterV2(pages.get(), 16384, ACL_HOST_REG_MAPPED));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST(aclrtHostRegisterV2, RefusesWrongArguments) {
  Session session;
  const Pages pages = MakePages(8192);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtHostRegisterV2(pages.get(), 8192, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtHostRegisterV2(pages.get(), 8192, 1));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtHostRegisterV2(pages.get(), 8192, ACL_HOST_REG_READONLY));
  void* device = nullptr;
  ASSERT_OK(aclrtMalloc(&device, 4 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtHostRegisterV2(device, 4096, ACL_HOST_REG_MAPPED));
  void* pinned = nullptr;
  ASSERT_OK(aclrtMallocHost(&pinned, 4 << 20));
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
               aclrtHostRegisterV2(pinned, 4096, ACL_HOST_REG_MAPPED));
  EXPECT_OK(aclrtFreeHost(pinned));
}

TEST(aclrtHostRegisterV2, RefusesAddressesWithoutMemory) {
  Session session;
  void* hole = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(hole, MAP_FAILED);
  munmap(hole, 4096);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtHostRegisterV2(hole, 4096, ACL_HOST_REG_MAPPED));
}

TEST(aclrtHostUnregister, KnowsOnlyTheStartOfARegistration) {
  Session session;
  const Pages pages = MakePages(8192);
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, aclrtHostUnregister(pages.get()));
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), 8192, ACL_HOST_REG_MAPPED));
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, aclrtHostUnregister(pages.get() + 4096));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtHostUnregister(nullptr));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, aclrtHostUnregister(pages.get()));
}

TEST(aclrtHostGetDevicePointer, NeedsMappedMemory) {
  Session session;
  const Pages pages = MakePages(8192);
  void* device = nullptr;
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, aclrtHostGetDevicePointer(pages.get(), &device, 0));
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), 8192, ACL_HOST_REG_MAPPED));
  EXPECT_OK(aclrtHostGetDevicePointer(pages.get() + 100, &device, 0));
  EXPECT_NE(device, nullptr);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtHostGetDevicePointer(pages.get(), &device, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtHostGetDevicePointer(pages.get(), nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtHostGetDevicePointer(nullptr, &device, 0));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), 8192, ACL_HOST_REG_PINNED));
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, aclrtHostGetDevicePointer(pages.get(), &device, 0));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST(aclrtHostRegisterV2, CopiesWithRegisteredMemoryAreQueued) {
  Session session;
  aclrtStream stream = session.Stream();
  const Pages pages = MakePages(4096);
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), 4096, ACL_HOST_REG_PINNED));
  void* device = nullptr;
  ASSERT_OK(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMemset(device, 4096, 5, 4096));
  std::memset(pages.get(), 0, 4096);
  Gate gate;
  gate.Hold(stream);
  EXPECT_OK(aclrtMemcpyAsync(pages.get(), 4096, device, 4096, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  EXPECT_EQ(pages.get()[0], 0) << "the call must not wait for the stream";
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(pages.get()[4095], 5);
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

}  // namespace
