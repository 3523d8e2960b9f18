// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "acl/ops/acl_dvpp.h"
#include "conformance/device_fixture.h"

namespace {

TEST(acldvppMalloc, GivesZeroedDeviceMemoryWherePicturesMayStart) {
  Session session;
  std::vector<void*> blocks;
  for (const size_t size :
       {1, 32, 64, 96, 97, 100, 128, 190, 224, 300, 448, 500, 512, 513, 1000, 5000, 100000}) {
    for (int round = 0; round < 5; ++round) {
      void* block = nullptr;
      ASSERT_OK(acldvppMalloc(&block, size));
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 128, 0u) << size;
      std::vector<unsigned char> bytes(size, 1);
      ASSERT_OK(aclrtMemcpy(bytes.data(), size, block, size, ACL_MEMCPY_DEVICE_TO_HOST));
      EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 0), static_cast<ptrdiff_t>(size));
      ASSERT_OK(aclrtMemset(block, size, 7, size));
      blocks.push_back(block);
      if (round % 2 == 0) continue;
      ASSERT_OK(acldvppFree(blocks.back()));
      blocks.pop_back();
    }
  }
  for (void* block : blocks)
    EXPECT_OK(acldvppFree(block));
}

TEST(acldvppMalloc, RefusesWhatCannotBe) {
  void* block = nullptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppMalloc(nullptr, 64));
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, acldvppMalloc(&block, 64));
  Session session;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acldvppMalloc(&block, 0));
  EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, acldvppMalloc(&block, SIZE_MAX / 2));
  EXPECT_EQ(block, nullptr);
}

TEST(acldvppFree, TakesMemoryOfTheDevice) {
  Session session;
  void* block = nullptr;
  ASSERT_OK(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(acldvppFree(block));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acldvppFree(block));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acldvppFree(nullptr));
  ASSERT_OK(acldvppMalloc(&block, 64));
  EXPECT_OK(aclrtFree(block));
}

}  // namespace
