// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_tdt_queue.h"
#include "conformance/acl_tdt/queue_fixture.h"
#include "conformance/in_fork.h"

namespace {

TEST(acltdtSetQueueAttr, KeepsNameAndDepth) {
  acltdtQueueAttr* const attr = acltdtCreateQueueAttr();
  ASSERT_NE(attr, nullptr);
  std::string name = "frames";
  const char* text = name.c_str();
  uint32_t depth = 3;
  EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(text), &text));
  EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &depth));
  name = "gone";
  const char* got = nullptr;
  size_t written = 0;
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(got), &written, &got));
  EXPECT_STREQ(got, "frames");
  EXPECT_EQ(written, sizeof(got));
  depth = 0;
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &written, &depth));
  EXPECT_EQ(depth, 3u);
  EXPECT_EQ(written, sizeof(depth));
  EXPECT_OK(acltdtDestroyQueueAttr(attr));
}

TEST(acltdtSetQueueAttr, RefusesWhatMakesNoSense) {
  acltdtQueueAttr* const attr = acltdtCreateQueueAttr();
  const char* text = nullptr;
  uint32_t depth = 0;
  size_t written = 0;
  const auto kOther = static_cast<acltdtQueueAttrType>(2);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(text), &text));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 3, "ab"));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 8, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &depth));
  depth = 8193;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &depth));
  depth = 2;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 8, &depth));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSetQueueAttr(attr, kOther, 4, &depth));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSetQueueAttr(nullptr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &depth));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 3, &written, &depth));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, nullptr, &depth));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &written, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetQueueAttr(attr, kOther, 4, &written, &depth));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtGetQueueAttr(nullptr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &written, &depth));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtCreateQueue(nullptr, &depth));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtCreateQueue(attr, nullptr));
  EXPECT_OK(acltdtDestroyQueueAttr(attr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyQueueAttr(attr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyQueueAttr(nullptr));
}

using QueueTest = QueueFixture;

TEST_F(QueueTest, HandsBuffersOn) {
  const uint32_t queue = Queue(2);
  acltdtBuf const sent = Buffer("one");
  EXPECT_OK(acltdtEnqueue(queue, sent, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtFreeBuf(sent));  // it is the queue's
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtEnqueue(queue, sent, 0));
  EXPECT_OK(acltdtEnqueue(queue, Buffer("two"), 0));
  acltdtBuf const third = Buffer("three");
  EXPECT_EQ(acltdtEnqueue(queue, third, 0), ACL_ERROR_RT_QUEUE_FULL);
  EXPECT_EQ(acltdtEnqueue(queue, third, 3), ACL_ERROR_RT_QUEUE_FULL);
  EXPECT_EQ(TextOf(third), "three") << "still the program's";
  EXPECT_OK(acltdtFreeBuf(third));
  EXPECT_EQ(Take(queue), "one");
  EXPECT_EQ(Take(queue), "two");
  acltdtBuf none = nullptr;
  EXPECT_EQ(acltdtDequeue(queue, &none, 0), ACL_ERROR_RT_QUEUE_EMPTY);
  EXPECT_EQ(acltdtDequeue(queue, &none, 3), ACL_ERROR_RT_QUEUE_EMPTY);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtDequeue(queue, &none, -2));
}

TEST_F(QueueTest, CopiesDataInAndOut) {
  const uint32_t queue = Queue(2);
  const char mark[4] = "abc";
  EXPECT_OK(acltdtEnqueueData(queue, "hello", 6, mark, sizeof(mark), 0, 0));
  char data[8] = {}, user[96] = {};
  size_t size = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDequeueData(queue, data, 5, &size, user, 4, 0));  // it stays
  EXPECT_OK(acltdtDequeueData(queue, data, sizeof(data), &size, user, sizeof(user), 0));
  EXPECT_EQ(size, 6u);
  EXPECT_STREQ(data, "hello");
  EXPECT_STREQ(user, "abc");
  EXPECT_EQ(acltdtDequeueData(queue, data, 8, &size, nullptr, 0, 0), ACL_ERROR_RT_QUEUE_EMPTY);
  EXPECT_OK(acltdtEnqueueData(queue, nullptr, 0, mark, 4, 0, 0));
  EXPECT_OK(acltdtDequeueData(queue, nullptr, 0, &size, user, 4, 0));
  EXPECT_EQ(size, 0u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtEnqueueData(queue, nullptr, 4, nullptr, 0, 0, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtEnqueueData(queue, data, 4, user, 97, 0, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtEnqueueData(queue, data, 4, nullptr, 4, 0, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDequeueData(queue, nullptr, 4, &size, nullptr, 0, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDequeueData(queue, data, 4, nullptr, nullptr, 0, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDequeueData(queue, data, 4, &size, nullptr, 4, 0));
  EXPECT_OK(acltdtEnqueueData(queue, data, 4, nullptr, 0, 0, 0));
  EXPECT_OK(acltdtEnqueueData(queue, data, 4, nullptr, 0, 0, 0));
  EXPECT_EQ(acltdtEnqueueData(queue, data, 4, nullptr, 0, 0, 0), ACL_ERROR_RT_QUEUE_FULL);
}

TEST_F(QueueTest, CopiesOutOfAndIntoDeviceMemory) {
  const Session session;
  const uint32_t queue = Queue(1);
  uint64_t* const cell = session.Cell(11);
  uint64_t* const other = session.Cell(0);
  size_t size = 0;
  EXPECT_OK(acltdtEnqueueData(queue, cell, 8, nullptr, 0, 0, 0));
  EXPECT_OK(acltdtDequeueData(queue, other, 8, &size, nullptr, 0, 0));
  EXPECT_EQ(session.Read(other), 11u);
}

TEST_F(QueueTest, ThreadsWaitForEachOther) {
  const uint32_t queue = Queue(1);
  std::thread sender([&] {
    for (int i = 0; i < 500; ++i)
      EXPECT_OK(acltdtEnqueue(queue, Buffer(std::to_string(i)), -1));
  });
  for (int i = 0; i < 500; ++i)
    ASSERT_EQ(Take(queue, -1), std::to_string(i));
  sender.join();
}

TEST_F(QueueTest, EndsWithWhatIsInsideWhileOthersWait) {
  const uint32_t queue = Queue(1), other = Queue(1);
  EXPECT_OK(acltdtEnqueue(queue, Buffer("lost"), 0));
  std::atomic<int> waiting{0};
  std::thread sender([&] {
    acltdtBuf const buffer = Buffer("kept");
    ++waiting;
    EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, acltdtEnqueue(queue, buffer, -1));
    EXPECT_EQ(TextOf(buffer), "kept");
    EXPECT_OK(acltdtFreeBuf(buffer));
  });
  std::thread receiver([&] {
    acltdtBuf buffer = nullptr;
    ++waiting;
    EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, acltdtDequeue(other, &buffer, -1));
  });
  while (waiting != 2)
    std::this_thread::yield();
  EXPECT_OK(acltdtDestroyQueue(queue));
  EXPECT_OK(acltdtDestroyQueue(other));
  sender.join();
  receiver.join();
  queues_.clear();
  EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, acltdtDestroyQueue(queue));
  EXPECT_NE(Queue(1), queue) << "a number is not used again";
}

TEST_F(QueueTest, RefusesWhatIsNoQueue) {
  acltdtBuf const buffer = Buffer("x");
  acltdtBuf taken = nullptr;
  char data[4];
  size_t size = 0;
  uint32_t permission = 0;
  for (uint32_t wrong : {0u, 77u, UINT32_MAX}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, acltdtDestroyQueue(wrong));
    EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, acltdtEnqueue(wrong, buffer, 0));
    EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, acltdtDequeue(wrong, &taken, 0));
    EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, acltdtEnqueueData(wrong, data, 4, nullptr, 0, 0, 0));
    EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, acltdtDequeueData(wrong, data, 4, &size, nullptr, 0, 0));
    EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, acltdtGrantQueue(wrong, getpid(), 1, 0));
    EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, acltdtAttachQueue(wrong, 0, &permission));
  }
  const uint32_t queue = Queue(1);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDequeue(queue, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtEnqueue(queue, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtEnqueue(queue, &size, 0));
  EXPECT_OK(acltdtFreeBuf(buffer));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtEnqueue(queue, buffer, 0));
}

TEST_F(QueueTest, BelongsToItsProcess) {
  const uint32_t queue = Queue(1);
  uint32_t permission = 0;
  EXPECT_OK(acltdtGrantQueue(queue, getpid(), ACL_TDT_QUEUE_PERMISSION_ENQUEUE, 0));
  EXPECT_OK(acltdtAttachQueue(queue, -1, &permission));
  EXPECT_EQ(permission, 7u);
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, acltdtGrantQueue(queue, getppid(), 1, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGrantQueue(queue, getpid(), 8, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGrantQueue(queue, getpid(), 0, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAttachQueue(queue, 0, nullptr));
  const auto body = [&] {
    EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, acltdtAttachQueue(queue, 0, &permission));
    queues_.clear();
    const uint32_t own = Queue(1);
    EXPECT_OK(acltdtEnqueue(own, Buffer("child"), 0));
    EXPECT_EQ(Take(own), "child");
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST_F(QueueTest, ThereAreAsManyAsThousands) {
  for (int i = 0; i < 4000; ++i)
    ASSERT_NE(Queue(1), 0u);
}

}  // namespace
