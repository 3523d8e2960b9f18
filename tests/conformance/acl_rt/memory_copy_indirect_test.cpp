// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Copies within a device whose ends stand in device memory.
#include <gtest/gtest.h>

#include "conformance/device_fixture.h"

namespace {

constexpr auto kInner = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;

class IndirectCopy : public testing::Test {
 protected:
  void* Description() {
    size_t size = 0;
    EXPECT_OK(aclrtGetMemcpyDescSize(kInner, &size));
    void* description = nullptr;
    EXPECT_OK(aclrtMalloc(&description, size, ACL_MEM_MALLOC_HUGE_FIRST));
    return description;
  }
  void** CellWith(void* address) {
    return reinterpret_cast<void**>(session_.Cell(reinterpret_cast<uintptr_t>(address)));
  }

  const Session session_;
  const aclrtStream stream_ = session_.Stream();
  uint64_t* const from_ = session_.Cell(7);
  uint64_t* const to_ = session_.Cell(0);
};

TEST_F(IndirectCopy, ReadsItsDescriptionWhenItRuns) {
  void* const description = Description();
  uint64_t* const other = session_.Cell(8);
  EXPECT_OK(aclrtSetMemcpyDesc(description, kInner, from_, to_, 8, nullptr));
  Gate gate;
  gate.Hold(stream_);
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(description, kInner, stream_));
  EXPECT_OK(aclrtSetMemcpyDesc(description, kInner, other, to_, 8, nullptr));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(session_.Read(to_), 8u);
}

TEST_F(IndirectCopy, FailsInTheStreamWithoutMemoryOrDescription) {
  void* const description = Description();
  EXPECT_OK(aclrtMemset(description, 64, 0, 64));
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(description, kInner, stream_));
  EXPECT_NE(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_NE(RecentError(), "");
  EXPECT_OK(aclrtSetMemcpyDesc(description, kInner, from_, to_, 8, nullptr));
  EXPECT_OK(aclrtFree(from_));
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(description, kInner, stream_));
  EXPECT_NE(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_NE(RecentError(), "");
}

TEST_F(IndirectCopy, RefusesWhatMakesNoSense) {
  size_t size = 0;
  void* const description = Description();
  char host[64] = {};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetMemcpyDescSize(kInner, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtGetMemcpyDescSize(ACL_MEMCPY_HOST_TO_DEVICE, &size));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetMemcpyDesc(nullptr, kInner, from_, to_, 8, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetMemcpyDesc(host, kInner, from_, to_, 8, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetMemcpyDesc(description, kInner, nullptr, to_, 8, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtSetMemcpyDesc(description, kInner, from_, nullptr, 8, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetMemcpyDesc(description, kInner, from_, to_, 8, host));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpyAsyncWithDesc(nullptr, kInner, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemcpyAsyncWithDesc(description, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
}

TEST_F(IndirectCopy, FollowsCellsWithOffsets) {
  uint64_t numbers[4] = {1, 2, 3, 4};
  void *source = nullptr, *target = nullptr;
  ASSERT_OK(aclrtMalloc(&source, 32, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMalloc(&target, 32, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemcpy(source, 32, numbers, 32, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemset(target, 32, 0, 32));
  void** const dst = CellWith(target);
  const void** const src = const_cast<const void**>(CellWith(source));
  EXPECT_OK(aclrtMemcpyAsyncWithOffset(dst, 32, 8, src, 16, 16, kInner, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtMemcpy(numbers, 32, target, 32, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(numbers[0], 0u);
  EXPECT_EQ(numbers[1], 3u);
  EXPECT_EQ(numbers[2], 4u);
  EXPECT_EQ(numbers[3], 0u);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsyncWithOffset(dst, 32, 24, src, 16, 0, kInner, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsyncWithOffset(nullptr, 32, 0, src, 16, 0, kInner, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsyncWithOffset(dst, 32, 0, nullptr, 16, 0, kInner, stream_));
  EXPECT_OK(aclrtMemcpyAsyncWithOffset(dst, 64, 0, src, 16, 24, kInner, stream_));  // leaves the source
  EXPECT_NE(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_NE(RecentError(), "");
}

}  // namespace
