// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// aclrtMemset, aclrtMemsetAsync, aclrtMemsetD32, aclrtMemsetD32Async.
#include <cstdint>
#include <cstring>
#include <vector>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"

namespace {

class Memset : public testing::Test {
 protected:
  char* Device(size_t size) {
    void* block = nullptr;
    EXPECT_OK(aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST));
    return static_cast<char*>(block);
  }
  std::vector<char> Read(const void* device, size_t size) {
    std::vector<char> data(size);
    EXPECT_OK(aclrtMemcpy(data.data(), size, device, size, ACL_MEMCPY_DEVICE_TO_HOST));
    return data;
  }

  Session session_;
};
using aclrtMemsetTest = Memset;
using aclrtMemsetAsyncTest = Memset;
using aclrtMemsetD32Test = Memset;
using aclrtMemsetD32AsyncTest = Memset;

TEST_F(aclrtMemsetTest, FillsBytes) {
  for (const size_t size : {1u, 100u, 20u << 20}) {
    char* device = Device(size);
    EXPECT_OK(aclrtMemset(device, size, 0x1234, size));
    EXPECT_TRUE(Read(device, size) == std::vector<char>(size, 0x34));
    EXPECT_OK(aclrtMemset(device, size, -1, size - 1));
    const auto data = Read(device, size);
    EXPECT_EQ(data.back(), 0x34);
  }
}

TEST_F(aclrtMemsetTest, FillsHostMemoryOfTheLibraryOnly) {
  void* pinned = nullptr;
  ASSERT_OK(aclrtMallocHost(&pinned, 100));
  EXPECT_OK(aclrtMemset(pinned, 100, 5, 100));
  EXPECT_EQ(static_cast<char*>(pinned)[99], 5);
  char pageable[100];
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(pageable, 100, 5, 100));
}

TEST_F(aclrtMemsetTest, RefusesWrongArguments) {
  char* device = Device(100);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(nullptr, 100, 0, 100));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(device, 99, 0, 100));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(device, 101, 0, 101));
  EXPECT_OK(aclrtMemset(device, 100, 0, 0));
  EXPECT_OK(aclrtFree(device));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(device, 100, 0, 100));
}

TEST_F(aclrtMemsetAsyncTest, KeepsTheOrderOfItsStream) {
  aclrtStream stream = session_.Stream();
  char* device = Device(1000);
  Gate gate;
  gate.Hold(stream);
  for (int value = 0; value < 20; ++value)
    ASSERT_OK(aclrtMemsetAsync(device, 1000, value, 1000, stream));
  ASSERT_OK(aclrtMemsetAsync(device, 1000, 77, 500, stream));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(Read(device, 500), std::vector<char>(500, 77));
  EXPECT_EQ(Read(device + 500, 500), std::vector<char>(500, 19));
}

TEST_F(aclrtMemsetAsyncTest, FillsPinnedMemory) {
  aclrtStream stream = session_.Stream();
  void* pinned = nullptr;
  ASSERT_OK(aclrtMallocHost(&pinned, 100));
  EXPECT_OK(aclrtMemsetAsync(pinned, 100, 5, 100, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(static_cast<char*>(pinned)[99], 5);
}

TEST_F(aclrtMemsetAsyncTest, RefusesWrongArguments) {
  aclrtStream stream = session_.Stream();
  char* device = Device(100);
  char pageable[100];
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetAsync(nullptr, 100, 0, 100, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetAsync(device, 99, 0, 100, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetAsync(device, 101, 0, 101, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetAsync(pageable, 100, 0, 100, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(aclrtMemsetAsyncTest, FailsWhenItsMemoryIsGone) {
  aclrtStream stream = session_.Stream();
  char* device = Device(100);
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtMemsetAsync(device, 100, 0, 100, stream));
  ASSERT_OK(aclrtFree(device));
  gate.Open();
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(stream));
}

TEST_F(aclrtMemsetD32Test, FillsWords) {
  constexpr size_t kCount = 1000;
  char* device = Device(kCount * 4);
  EXPECT_OK(aclrtMemsetD32(device, kCount * 4, 0xDEADBEEF, kCount));
  std::vector<uint32_t> words(kCount);
  EXPECT_OK(aclrtMemcpy(words.data(), kCount * 4, device, kCount * 4, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(words, std::vector<uint32_t>(kCount, 0xDEADBEEF));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetD32(device, kCount * 4 - 1, 0, kCount));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetD32(device, SIZE_MAX, 0, SIZE_MAX / 4));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetD32(device, SIZE_MAX, 0, SIZE_MAX / 2));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetD32(nullptr, 4, 0, 1));
}

TEST_F(aclrtMemsetD32AsyncTest, FillsWordsInOrder) {
  aclrtStream stream = session_.Stream();
  char* device = Device(400);
  EXPECT_OK(aclrtMemsetD32Async(device, 400, 1, 100, stream));
  EXPECT_OK(aclrtMemsetD32Async(device, 400, 2, 50, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  uint32_t words[100];
  EXPECT_OK(aclrtMemcpy(words, 400, device, 400, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(words[49], 2u);
  EXPECT_EQ(words[50], 1u);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetD32Async(device, 399, 2, 100, stream));
}

}  // namespace
