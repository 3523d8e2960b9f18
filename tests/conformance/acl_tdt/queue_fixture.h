// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Queues that end with their test, and buffers with texts in them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl_tdt_queue.h"
#include "conformance/device_fixture.h"

class QueueFixture : public testing::Test {
 protected:
  void TearDown() override {
    for (uint32_t queue : queues_)
      EXPECT_OK(acltdtDestroyQueue(queue));
    RecentError();
  }

  uint32_t Queue(uint32_t depth) {
    acltdtQueueAttr* const attr = acltdtCreateQueueAttr();
    const char* const name = "queue";
    EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(name), &name));
    EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &depth));
    uint32_t queue = 0;
    EXPECT_OK(acltdtCreateQueue(attr, &queue));
    EXPECT_OK(acltdtDestroyQueueAttr(attr));
    queues_.push_back(queue);
    return queue;
  }
  void End(uint32_t queue) {
    EXPECT_OK(acltdtDestroyQueue(queue));
    queues_.erase(std::find(queues_.begin(), queues_.end(), queue));
  }

  static acltdtBuf Buffer(const std::string& text) {
    acltdtBuf buffer = nullptr;
    EXPECT_OK(acltdtAllocBuf(text.size() + 1, ACL_TDT_NORMAL_MEM, &buffer));
    void* data = nullptr;
    size_t size = 0;
    EXPECT_OK(acltdtGetBufData(buffer, &data, &size));
    std::memcpy(data, text.data(), text.size());
    EXPECT_OK(acltdtSetBufDataLen(buffer, text.size()));
    return buffer;
  }
  static std::string TextOf(acltdtBuf buffer) {
    void* data = nullptr;
    size_t size = 0, length = 0;
    if (acltdtGetBufData(buffer, &data, &size) != ACL_SUCCESS) return "no buffer";
    EXPECT_OK(acltdtGetBufDataLen(buffer, &length));
    return std::string(static_cast<char*>(data), length);
  }
  // What comes next in a queue, or the empty text.
  static std::string Take(uint32_t queue, int32_t timeout = 0) {
    acltdtBuf buffer = nullptr;
    if (acltdtDequeue(queue, &buffer, timeout) != ACL_SUCCESS) return "";
    std::string text = TextOf(buffer);
    EXPECT_OK(acltdtFreeBuf(buffer));
    return text;
  }

  std::vector<uint32_t> queues_;
};
