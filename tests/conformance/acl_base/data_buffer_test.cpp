// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <thread>
#include <unordered_set>
#include <vector>

#include "acl/acl.h"
#include "conformance/in_fork.h"
#include "conformance/library.h"

// aclGetDataBufferSize is deprecated and has to work all the same.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

TEST(aclCreateDataBuffer, NamesMemoryWithoutOwningIt) {
  char memory[16];
  aclDataBuffer* const buffer = aclCreateDataBuffer(memory, sizeof(memory));
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), memory);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), sizeof(memory));
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
}

TEST(aclCreateDataBuffer, AllowsAnEmptyOne) {
  aclDataBuffer* const buffer = aclCreateDataBuffer(nullptr, 0);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), nullptr);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 0u);
  EXPECT_EQ(RecentError(), "") << "nothing of that is an error";
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
}

TEST(aclUpdateDataBuffer, ReplacesBoth) {
  char first, second;
  aclDataBuffer* const buffer = aclCreateDataBuffer(&first, 1);
  EXPECT_EQ(aclUpdateDataBuffer(buffer, &second, size_t{1} << 40), ACL_SUCCESS);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), &second);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), size_t{1} << 40);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
}

TEST(aclGetDataBufferSize, RefusesWhatDoesNotFit) {
  aclDataBuffer* const buffer = aclCreateDataBuffer(nullptr, UINT32_MAX);
  EXPECT_EQ(aclGetDataBufferSize(buffer), UINT32_MAX);
  EXPECT_EQ(aclUpdateDataBuffer(buffer, nullptr, size_t{1} << 32), ACL_SUCCESS);
  RecentError();
  EXPECT_EQ(aclGetDataBufferSize(buffer), 0u);
  EXPECT_NE(RecentError(), "");
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
}

TEST(aclDestroyDataBuffer, RefusesTheSecondTimeAndOtherPointers) {
  aclDataBuffer* const buffer = aclCreateDataBuffer(nullptr, 0);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
  aclDataBuffer* const next = aclCreateDataBuffer(nullptr, 7);
  int on_the_stack = 0;
  aclTensorDesc* const desc = aclCreateTensorDesc(ACL_FLOAT, 0, nullptr, ACL_FORMAT_ND);
  for (aclDataBuffer* wrong :
       {static_cast<aclDataBuffer*>(nullptr), buffer, reinterpret_cast<aclDataBuffer*>(&on_the_stack),
        reinterpret_cast<aclDataBuffer*>(uintptr_t{8}), reinterpret_cast<aclDataBuffer*>(desc)}) {
    RecentError();
    EXPECT_EQ(aclDestroyDataBuffer(wrong), ACL_ERROR_INVALID_PARAM);
    EXPECT_NE(RecentError(), "");
    EXPECT_EQ(aclUpdateDataBuffer(wrong, nullptr, 1), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclGetDataBufferAddr(wrong), nullptr);
    EXPECT_EQ(aclGetDataBufferSizeV2(wrong), 0u);
    EXPECT_EQ(aclGetDataBufferSize(wrong), 0u);
  }
  EXPECT_EQ(aclGetDataBufferSizeV2(next), 7u) << "the one that came after is another";
  EXPECT_EQ(aclDestroyDataBuffer(next), ACL_SUCCESS);
  aclDestroyTensorDesc(desc);
}

TEST(DataBuffers, AreManyAndDifferent) {
  constexpr size_t kMany = 300000;
  std::vector<aclDataBuffer*> buffers;
  for (size_t i = 0; i < kMany; ++i)
    buffers.push_back(aclCreateDataBuffer(nullptr, i));
  EXPECT_EQ(std::unordered_set<aclDataBuffer*>(buffers.begin(), buffers.end()).size(), kMany);
  for (size_t i = 0; i < kMany; ++i) {
    ASSERT_EQ(aclGetDataBufferSizeV2(buffers[i]), i);
    ASSERT_EQ(aclDestroyDataBuffer(buffers[i]), ACL_SUCCESS);
  }
}

TEST(DataBuffers, ComeAndGoInManyThreads) {
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread] {
      for (size_t i = 0; i < 2000; ++i) {
        aclDataBuffer* const buffer = aclCreateDataBuffer(nullptr, thread * 10000 + i);
        EXPECT_EQ(aclGetDataBufferSizeV2(buffer), thread * 10000 + i);
        EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
}

TEST(DataBuffers, AreStillThereInAForkedProcess) {
  aclDataBuffer* const buffer = aclCreateDataBuffer(nullptr, 9);
  const auto body = [=] {
    EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 9u);
    EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
  };
  EXPECT_EQ(InFork({}, body), 0);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
}

}  // namespace
