// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// aclrtMemcpyBatch, aclrtMemcpyBatchV2 and their asynchronous twins.
#include <cstdint>
#include <cstring>
#include <vector>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"

namespace {

constexpr size_t kItems = 4;
constexpr size_t kBytes = 100;

class MemcpyBatch : public testing::Test {
 protected:
  MemcpyBatch() {
    for (size_t i = 0; i < kItems; ++i) {
      EXPECT_OK(aclrtMalloc(&dsts_[i], kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
      EXPECT_OK(aclrtMallocHost(&srcs_[i], kBytes));
      std::memset(srcs_[i], static_cast<int>(i + 1), kBytes);
      sizes_[i] = kBytes;
      maxs_[i] = kBytes;
    }
    attribute_.dstLoc = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    attribute_.srcLoc = {0, ACL_MEM_LOCATION_TYPE_HOST};
  }
  aclError Run() {
    return aclrtMemcpyBatch(dsts_, maxs_, srcs_, sizes_, count_, &attribute_, &index_, attributes_, &failed_);
  }
  void ExpectCopied() {
    for (size_t i = 0; i < kItems; ++i) {
      std::vector<char> data(kBytes);
      EXPECT_OK(aclrtMemcpy(data.data(), kBytes, dsts_[i], kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
      EXPECT_EQ(data, std::vector<char>(kBytes, static_cast<char>(i + 1)));
    }
  }
  void ExpectFails(size_t item) {
    failed_ = 12345;
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, Run());
    EXPECT_EQ(failed_, item);
  }

  Session session_;
  void* dsts_[kItems] = {};
  void* srcs_[kItems] = {};
  size_t sizes_[kItems] = {};
  size_t maxs_[kItems] = {};
  size_t count_ = kItems;
  aclrtMemcpyBatchAttr attribute_ = {};
  size_t index_ = 0;
  size_t attributes_ = 1;
  size_t failed_ = 12345;
};
using aclrtMemcpyBatchTest = MemcpyBatch;
using aclrtMemcpyBatchV2Test = MemcpyBatch;
using aclrtMemcpyBatchAsyncTest = MemcpyBatch;
using aclrtMemcpyBatchAsyncV2Test = MemcpyBatch;

TEST_F(aclrtMemcpyBatchTest, CopiesAllItems) {
  EXPECT_OK(Run());
  ExpectCopied();
  aclrtMemcpyBatchAttr back = {attribute_.srcLoc, attribute_.dstLoc, {}};
  for (void* host : srcs_)
    std::memset(host, 0, kBytes);
  EXPECT_OK(aclrtMemcpyBatch(srcs_, maxs_, dsts_, sizes_, kItems, &back, &index_, 1, &failed_));
  for (size_t i = 0; i < kItems; ++i)
    EXPECT_EQ(static_cast<char*>(srcs_[i])[kBytes - 1], static_cast<char>(i + 1));
}

TEST_F(aclrtMemcpyBatchTest, TakesSeveralAttributes) {
  aclrtMemcpyBatchAttr attributes[2] = {attribute_, attribute_};
  size_t indexes[2] = {0, 2};
  EXPECT_OK(aclrtMemcpyBatch(dsts_, maxs_, srcs_, sizes_, kItems, attributes, indexes, 2, &failed_));
  ExpectCopied();
}

TEST_F(aclrtMemcpyBatchTest, NamesTheWrongItemAndCopiesNothing) {
  EXPECT_OK(aclrtMemset(dsts_[0], kBytes, 77, kBytes));
  sizes_[2] = kBytes + 1;
  ExpectFails(2);
  maxs_[2] = kBytes + 1;
  ExpectFails(2);
  sizes_[2] = kBytes;
  void* right = dsts_[3];
  dsts_[3] = nullptr;
  ExpectFails(3);
  dsts_[3] = right;
  srcs_[1] = nullptr;
  ExpectFails(1);
  char first = 0;
  EXPECT_OK(aclrtMemcpy(&first, 1, dsts_[0], 1, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(first, 77);
}

TEST_F(aclrtMemcpyBatchTest, GoesOneWayOnly) {
  std::swap(dsts_[2], srcs_[2]);
  ExpectFails(2);
  srcs_[2] = dsts_[1];
  ExpectFails(2);
}

TEST_F(aclrtMemcpyBatchTest, GoesOneWayAlsoWhenTheAttributesSayOtherwise) {
  std::swap(dsts_[2], srcs_[2]);
  aclrtMemcpyBatchAttr attributes[2] = {attribute_, {attribute_.srcLoc, attribute_.dstLoc, {}}};
  size_t indexes[2] = {0, 2};
  const auto run = [&] {
    return aclrtMemcpyBatch(dsts_, maxs_, srcs_, sizes_, 3, attributes, indexes, 2, &failed_);
  };
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, run());
  EXPECT_EQ(failed_, 2u);
  dsts_[2] = dsts_[1];
  attributes[1] = {attribute_.dstLoc, attribute_.dstLoc, {}};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, run());
  EXPECT_EQ(failed_, 2u);
}

TEST_F(aclrtMemcpyBatchTest, TheLocationsMustFit) {
  attribute_.srcLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  ExpectFails(0);
}

TEST_F(aclrtMemcpyBatchTest, TakesManagedMemoryForDeviceMemory) {
  for (void*& dst : dsts_)
    ASSERT_OK(aclrtMemAllocManaged(&dst, kBytes, ACL_RT_MEM_ATTACH_GLOBAL));
  for (const auto type : {ACL_MEM_LOCATION_TYPE_DEVICE, ACL_MEM_LOCATION_TYPE_MANAGED}) {
    attribute_.dstLoc.type = type;
    EXPECT_OK(Run());
    ExpectCopied();
  }
}

TEST_F(aclrtMemcpyBatchTest, ChecksItsShape) {
  count_ = 0;
  ExpectFails(SIZE_MAX);
  count_ = kItems;
  attributes_ = 0;
  ExpectFails(SIZE_MAX);
  attributes_ = kItems + 1;
  ExpectFails(SIZE_MAX);
  attributes_ = 1;
  index_ = 1;
  ExpectFails(SIZE_MAX);
  aclrtMemcpyBatchAttr attributes[3] = {attribute_, attribute_, attribute_};
  for (const auto& wrong : {std::vector<size_t>{0, 2, 2}, std::vector<size_t>{0, 2, kItems}}) {
    std::vector<size_t> indexes = wrong;
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpyBatch(dsts_, maxs_, srcs_, sizes_, kItems, attributes,
                                                              indexes.data(), 3, &failed_));
  }
}

TEST_F(aclrtMemcpyBatchTest, RefusesNull) {
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyBatch(nullptr, maxs_, srcs_, sizes_, kItems, &attribute_, &index_, 1, &failed_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyBatch(dsts_, nullptr, srcs_, sizes_, kItems, &attribute_, &index_, 1, &failed_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyBatch(dsts_, maxs_, nullptr, sizes_, kItems, &attribute_, &index_, 1, &failed_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyBatch(dsts_, maxs_, srcs_, nullptr, kItems, &attribute_, &index_, 1, &failed_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyBatch(dsts_, maxs_, srcs_, sizes_, kItems, nullptr, &index_, 1, &failed_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyBatch(dsts_, maxs_, srcs_, sizes_, kItems, &attribute_, nullptr, 1, &failed_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyBatch(dsts_, maxs_, srcs_, sizes_, kItems, &attribute_, &index_, 1, nullptr));
}

TEST_F(aclrtMemcpyBatchV2Test, CopiesAllItems) {
  EXPECT_OK(aclrtMemcpyBatchV2(dsts_, maxs_, srcs_, sizes_, kItems, &attribute_, &index_, 1));
  ExpectCopied();
  maxs_[0] = 1;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyBatchV2(dsts_, maxs_, srcs_, sizes_, kItems, &attribute_, &index_, 1));
}

TEST_F(aclrtMemcpyBatchAsyncTest, IsQueuedInOrder) {
  aclrtStream stream = session_.Stream();
  Gate gate;
  gate.Hold(stream);
  EXPECT_OK(
      aclrtMemcpyBatchAsync(dsts_, maxs_, srcs_, sizes_, kItems, &attribute_, &index_, 1, &failed_, stream));
  EXPECT_EQ(failed_, SIZE_MAX);
  std::memset(sizes_, 0, sizeof(sizes_));  // the arrays are the caller's again
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  ExpectCopied();
}

TEST_F(aclrtMemcpyBatchAsyncTest, WithPageableMemoryReturnsWhenDone) {
  aclrtStream stream = session_.Stream();
  std::vector<char> pageable(kBytes, 3);
  srcs_[2] = pageable.data();
  EXPECT_OK(
      aclrtMemcpyBatchAsync(dsts_, maxs_, srcs_, sizes_, kItems, &attribute_, &index_, 1, &failed_, stream));
  ExpectCopied();
}

TEST_F(aclrtMemcpyBatchAsyncTest, NamesTheWrongItem) {
  aclrtStream stream = session_.Stream();
  sizes_[1] = kBytes + 1;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpyBatchAsync(dsts_, maxs_, srcs_, sizes_, kItems,
                                                                 &attribute_, &index_, 1, &failed_, stream));
  EXPECT_EQ(failed_, 1u);
}

TEST_F(aclrtMemcpyBatchAsyncTest, FailsWhenMemoryIsGone) {
  aclrtStream stream = session_.Stream();
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(
      aclrtMemcpyBatchAsync(dsts_, maxs_, srcs_, sizes_, kItems, &attribute_, &index_, 1, &failed_, stream));
  ASSERT_OK(aclrtFree(dsts_[2]));
  gate.Open();
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(stream));
}

TEST_F(aclrtMemcpyBatchAsyncV2Test, IsQueued) {
  aclrtStream stream = session_.Stream();
  EXPECT_OK(aclrtMemcpyBatchAsyncV2(dsts_, maxs_, srcs_, sizes_, kItems, &attribute_, &index_, 1, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  ExpectCopied();
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyBatchAsyncV2(dsts_, maxs_, srcs_, sizes_, 0, &attribute_, &index_, 1, stream));
}

}  // namespace
