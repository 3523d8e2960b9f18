// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_tdt.h"
#include "conformance/device_fixture.h"
#include "conformance/in_fork.h"

namespace {

// A channel and a set for each end.
class ChannelTest : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_OK(acltdtDestroyDataset(in_));
    EXPECT_OK(acltdtDestroyDataset(out_));
    if (channel_ != nullptr) {
      EXPECT_OK(acltdtDestroyChannel(channel_));
    }
    RecentError();
  }

  aclError Send(int64_t number, int32_t timeout, acltdtChannelHandle* channel = nullptr) {
    const int64_t dims[] = {1};
    acltdtDataItem* const item =
        acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 1, ACL_INT64, &number, sizeof(number));
    acltdtDataset* const set = acltdtCreateDataset();
    EXPECT_OK(acltdtAddDataItem(set, item));
    const aclError code = acltdtSendTensor(channel == nullptr ? channel_ : channel, set, timeout);
    EXPECT_OK(acltdtDestroyDataItem(item));
    EXPECT_OK(acltdtDestroyDataset(set));
    return code;
  }
  // What comes next, or -1.
  int64_t Receive(int32_t timeout = -1) {
    if (acltdtReceiveTensor(channel_, out_, timeout) != ACL_SUCCESS) return -1;
    return NumberIn(out_);
  }
  static int64_t NumberIn(acltdtDataset* set) {
    int64_t number = -1;
    const void* const data = acltdtGetDataAddrFromItem(acltdtGetDataItem(set, 0));
    if (data != nullptr) std::memcpy(&number, data, sizeof(number));
    return number;
  }
  size_t Size() {
    size_t size = 99;
    EXPECT_OK(acltdtQueryChannelSize(channel_, &size));
    return size;
  }

  acltdtChannelHandle* channel_ = acltdtCreateChannelWithCapacity(0, "numbers", 2);
  acltdtDataset* in_ = acltdtCreateDataset();
  acltdtDataset* out_ = acltdtCreateDataset();
};

TEST_F(ChannelTest, CarriesACopyOfAllItems) {
  char text[] = "hello";
  std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const int64_t dims[] = {2, 3};
  acltdtDataItem* const items[] = {
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 2, ACL_FLOAT, values.data(), 24),
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, nullptr, 0, ACL_STRING, text, 6),
      acltdtCreateDataItem(ACL_TENSOR_DATA_END_OF_SEQUENCE, nullptr, 0, ACL_DT_UNDEFINED, nullptr, 0)};
  for (acltdtDataItem* item : items)
    EXPECT_OK(acltdtAddDataItem(in_, item));
  ASSERT_OK(acltdtSendTensor(channel_, in_, -1));
  EXPECT_EQ(Size(), 1u);
  values.assign(6, 0);  // read when it was sent
  std::strcpy(text, "other");
  for (acltdtDataItem* item : items)
    EXPECT_OK(acltdtDestroyDataItem(item));
  ASSERT_OK(acltdtReceiveTensor(channel_, out_, -1));
  EXPECT_EQ(Size(), 0u);
  EXPECT_STREQ(acltdtGetDatasetName(out_), "numbers");
  ASSERT_EQ(acltdtGetDatasetSize(out_), 3u);
  acltdtDataItem* const first = acltdtGetDataItem(out_, 0);
  EXPECT_EQ(acltdtGetTensorTypeFromItem(first), ACL_TENSOR_DATA_TENSOR);
  EXPECT_EQ(acltdtGetDataTypeFromItem(first), ACL_FLOAT);
  int64_t got[2] = {};
  EXPECT_OK(acltdtGetDimsFromItem(first, got, 2));
  EXPECT_EQ(got[1], 3);
  ASSERT_EQ(acltdtGetDataSizeFromItem(first), 24u);
  EXPECT_EQ(static_cast<float*>(acltdtGetDataAddrFromItem(first))[5], 6.0f);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(acltdtGetDataAddrFromItem(first)) % 64, 0u);
  EXPECT_STREQ(static_cast<char*>(acltdtGetDataAddrFromItem(acltdtGetDataItem(out_, 1))), "hello");
  acltdtDataItem* const last = acltdtGetDataItem(out_, 2);
  EXPECT_EQ(acltdtGetTensorTypeFromItem(last), ACL_TENSOR_DATA_END_OF_SEQUENCE);
  EXPECT_EQ(acltdtGetDataAddrFromItem(last), nullptr);
}

TEST_F(ChannelTest, SendsMemoryOfADevice) {
  const Session session;
  const int64_t dims[] = {1};
  acltdtDataItem* const item =
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 1, ACL_UINT64, session.Cell(17), 8);
  EXPECT_OK(acltdtAddDataItem(in_, item));
  EXPECT_OK(acltdtSendTensor(channel_, in_, 0));
  EXPECT_EQ(Receive(), 17);
  EXPECT_OK(acltdtDestroyDataItem(item));
}

TEST_F(ChannelTest, SendsNoMoreThanThereIs) {
  const Session session;
  const int64_t dims[] = {1};
  std::uint64_t* const cell = session.Cell(17);
  for (const size_t size : {size_t{1} << 40, SIZE_MAX}) {
    acltdtDataItem* const item =
        acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 1, ACL_UINT64, cell, size);
    acltdtDataset* const set = acltdtCreateDataset();
    EXPECT_OK(acltdtAddDataItem(set, item));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSendTensor(channel_, set, 0));
    EXPECT_OK(acltdtDestroyDataset(set));
    EXPECT_OK(acltdtDestroyDataItem(item));
  }
}

TEST_F(ChannelTest, SaysFullAndEmptyAtTheTimeLimit) {
  EXPECT_EQ(acltdtReceiveTensor(channel_, out_, 0), ACL_ERROR_RT_QUEUE_EMPTY);
  EXPECT_EQ(acltdtReceiveTensor(channel_, out_, 3), ACL_ERROR_RT_QUEUE_EMPTY);
  EXPECT_OK(Send(1, 0));
  EXPECT_OK(Send(2, 5));
  EXPECT_EQ(Send(3, 0), ACL_ERROR_RT_QUEUE_FULL);
  EXPECT_EQ(Send(3, 3), ACL_ERROR_RT_QUEUE_FULL);
  EXPECT_EQ(Size(), 2u);
  EXPECT_EQ(Receive(0), 1);
  EXPECT_OK(Send(3, 0));
  EXPECT_EQ(Receive(), 2);
  EXPECT_EQ(Receive(), 3);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtReceiveTensor(channel_, out_, -2));
}

TEST_F(ChannelTest, ReplacesWhatASetHeld) {
  EXPECT_OK(Send(1, 0));
  EXPECT_OK(Send(2, 0));
  EXPECT_EQ(Receive(), 1);
  acltdtDataItem* const before = acltdtGetDataItem(out_, 0);
  EXPECT_EQ(acltdtReceiveTensor(channel_, in_, 0), ACL_SUCCESS);
  EXPECT_EQ(acltdtReceiveTensor(channel_, out_, 0), ACL_ERROR_RT_QUEUE_EMPTY);
  EXPECT_EQ(acltdtGetDataItem(out_, 0), before) << "nothing came";
  EXPECT_OK(Send(3, 0));
  EXPECT_EQ(Receive(), 3);
  EXPECT_EQ(acltdtGetDatasetSize(out_), 1u);
  EXPECT_EQ(acltdtGetDataSizeFromItem(before), 0u) << "it ended with what it was in";
}

TEST_F(ChannelTest, ReceivedItemsMayBeEndedByTheProgramToo) {
  EXPECT_OK(Send(1, 0));
  EXPECT_EQ(Receive(), 1);
  EXPECT_OK(acltdtDestroyDataItem(acltdtGetDataItem(out_, 0)));
  EXPECT_OK(Send(2, 0));
  EXPECT_EQ(Receive(), 2);
  acltdtDataItem* const item = acltdtGetDataItem(out_, 0);
  EXPECT_OK(acltdtAddDataItem(in_, item));
  EXPECT_OK(acltdtSendTensor(channel_, in_, 0));  // passed on
  EXPECT_EQ(Receive(), 2);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSendTensor(channel_, in_, 0));  // ended by the second receipt
}

TEST_F(ChannelTest, ForgetsWhatIsInsideWhenCleaned) {
  EXPECT_OK(Send(1, 0));
  EXPECT_OK(Send(2, 0));
  std::thread sender([&] { EXPECT_OK(Send(3, -1)); });
  EXPECT_OK(acltdtCleanChannel(channel_));
  sender.join();
  EXPECT_OK(acltdtCleanChannel(channel_));
  EXPECT_EQ(Size(), 0u);
}

TEST_F(ChannelTest, StopWakesWhoWaits) {
  std::thread receiver([&] { EXPECT_FAILS(ACL_ERROR_FAILURE, acltdtReceiveTensor(channel_, out_, -1)); });
  EXPECT_OK(acltdtStopChannel(channel_));
  receiver.join();
  EXPECT_FAILS(ACL_ERROR_FAILURE, Send(1, -1));
  EXPECT_OK(acltdtStopChannel(channel_));
}

TEST_F(ChannelTest, StopLeavesWhatWasSentToBeReceived) {
  EXPECT_OK(Send(1, 0));
  EXPECT_OK(Send(2, 0));
  std::thread sender([&] { EXPECT_FAILS(ACL_ERROR_FAILURE, Send(3, -1)); });
  EXPECT_OK(acltdtStopChannel(channel_));
  sender.join();
  EXPECT_EQ(Receive(0), 1);
  EXPECT_EQ(Receive(), 2);
  EXPECT_FAILS(ACL_ERROR_FAILURE, acltdtReceiveTensor(channel_, out_, -1));
}

TEST_F(ChannelTest, EndsWhileOthersWait) {
  std::atomic<bool> waits{false};
  std::thread receiver([&] {
    waits = true;
    EXPECT_NE(acltdtReceiveTensor(channel_, out_, -1), ACL_SUCCESS);
    RecentError();
  });
  while (!waits)
    std::this_thread::yield();
  EXPECT_OK(acltdtDestroyChannel(channel_));
  receiver.join();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyChannel(channel_));
  channel_ = nullptr;
}

TEST_F(ChannelTest, IsOneForAllHandlesOfItsName) {
  acltdtChannelHandle* const other = acltdtCreateChannel(0, "numbers");
  ASSERT_NE(other, nullptr);
  EXPECT_NE(other, channel_);
  EXPECT_OK(Send(5, 0, other));
  EXPECT_OK(acltdtDestroyChannel(other));
  EXPECT_EQ(Receive(0), 5) << "the channel lives as long as one handle";
  acltdtChannelHandle* const elsewhere = acltdtCreateChannel(0, "letters");
  EXPECT_OK(Send(6, 0, elsewhere));
  EXPECT_EQ(Size(), 0u);
  EXPECT_OK(acltdtDestroyChannel(elsewhere));
}

TEST_F(ChannelTest, StartsAnewByItsNameAfterAStop) {
  EXPECT_OK(acltdtStopChannel(channel_));
  acltdtChannelHandle* const fresh = acltdtCreateChannelWithCapacity(0, "numbers", 2);
  EXPECT_OK(Send(5, 0, fresh));
  EXPECT_OK(acltdtDestroyChannel(channel_));
  channel_ = fresh;
  EXPECT_EQ(Receive(0), 5);
}

TEST_F(ChannelTest, KeepsTheOrderBetweenThreads) {
  constexpr int64_t kMany = 2000;
  std::thread sender([&] {
    for (int64_t number = 0; number < kMany; ++number)
      EXPECT_OK(Send(number, -1));
  });
  for (int64_t number = 0; number < kMany; ++number)
    ASSERT_EQ(Receive(), number);
  sender.join();
}

TEST_F(ChannelTest, ServesManyThreadsAtBothEnds) {
  constexpr int64_t kEach = 300;
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int64_t number = 1; number <= kEach; ++number)
        EXPECT_OK(Send(number, -1));
    });
    threads.emplace_back([&] {
      acltdtDataset* const set = acltdtCreateDataset();
      for (int64_t number = 1; number <= kEach; ++number) {
        EXPECT_OK(acltdtReceiveTensor(channel_, set, -1));
        sum += NumberIn(set);
      }
      EXPECT_OK(acltdtDestroyDataset(set));
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(sum, 3 * kEach * (kEach + 1) / 2);
}

TEST_F(ChannelTest, RefusesWhatIsNoChannel) {
  size_t size = 0;
  int on_the_stack = 0;
  for (acltdtChannelHandle* wrong :
       {static_cast<acltdtChannelHandle*>(nullptr), reinterpret_cast<acltdtChannelHandle*>(&on_the_stack),
        reinterpret_cast<acltdtChannelHandle*>(in_)}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSendTensor(wrong, in_, 0));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtReceiveTensor(wrong, out_, 0));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtStopChannel(wrong));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtCleanChannel(wrong));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtQueryChannelSize(wrong, &size));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyChannel(wrong));
  }
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSendTensor(channel_, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtReceiveTensor(channel_, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtQueryChannelSize(channel_, nullptr));
  EXPECT_EQ(acltdtCreateChannel(0, nullptr), nullptr);
  EXPECT_EQ(acltdtCreateChannel(99, "numbers"), nullptr);
  EXPECT_EQ(acltdtCreateChannelWithCapacity(0, "other", 1), nullptr);
  EXPECT_EQ(acltdtCreateChannelWithCapacity(0, "other", 8193), nullptr);
  EXPECT_NE(RecentError(), "");
}

TEST_F(ChannelTest, IsNotThereInAForkedProcessWhichHasItsOwn) {
  std::thread receiver([&] { EXPECT_EQ(Receive(), 4); });
  const auto body = [&] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtStopChannel(channel_));
    acltdtChannelHandle* const own = acltdtCreateChannel(0, "numbers");
    EXPECT_OK(Send(1, 0, own));
    EXPECT_OK(acltdtDestroyChannel(own));
  };
  EXPECT_EQ(InFork({}, body), 0);
  EXPECT_OK(Send(4, 0));
  receiver.join();
}

}  // namespace
