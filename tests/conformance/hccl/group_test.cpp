// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Messages, and calls that are made together.
#include <gmock/gmock.h>

#include "conformance/hccl/collectives.h"

namespace {

using ::testing::HasSubstr;

constexpr auto kByte = HCCL_DATA_TYPE_INT8;

TEST(HcclMessages, AreMatchedByTheirOrder) {
  WithDevices([] {
    const Ranks ranks(3);
    const DeviceBytes sent(Bytes{1, 2, 3, 4}), received(4);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_HCCL(HcclSend(sent.at(i), 1, kByte, 2, ranks.comm(0), ranks.stream(0)));
    EXPECT_HCCL(HcclSend(sent.at(3), 1, kByte, 2, ranks.comm(1), ranks.stream(1)));
    const DeviceBytes other(1);
    EXPECT_HCCL(HcclRecv(other.at(), 1, kByte, 1, ranks.comm(2), ranks.stream(2)));
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_HCCL(HcclRecv(received.at(i), 1, kByte, 0, ranks.comm(2), ranks.stream(2)));
    ranks.Synchronize();
    EXPECT_EQ(received.Read(), (Bytes{1, 2, 3, 4}));
    EXPECT_EQ(other.Read(), Bytes{4});
  });
}

TEST(HcclMessages, OfABatchMeetPlainOnes) {
  WithDevices([] {
    const Ranks ranks(2);
    const DeviceBytes sent(Bytes{1, 2}), received(2), own(1);
    HcclSendRecvItem items[] = {{HCCL_RECV, own.at(), 1, kByte, 0},
                                {HCCL_SEND, sent.at(1), 1, kByte, 1},
                                {HCCL_SEND, sent.at(0), 1, kByte, 0},
                                {HCCL_SEND, sent.at(0), 1, kByte, 1}};
    EXPECT_HCCL(HcclBatchSendRecv(items, 4, ranks.comm(0), ranks.stream(0)));
    EXPECT_HCCL(HcclRecv(received.at(0), 1, kByte, 0, ranks.comm(1), ranks.stream(1)));
    EXPECT_HCCL(HcclRecv(received.at(1), 1, kByte, 0, ranks.comm(1), ranks.stream(1)));
    ranks.Synchronize();
    EXPECT_EQ(received.Read(), (Bytes{2, 1}));
    EXPECT_EQ(own.Read(), Bytes{1});
  });
}

TEST(HcclGroups, SendBothWaysWithoutWaiting) {
  WithDevices([] {
    const Ranks ranks(2);
    std::vector<DeviceBytes> sent, received;
    for (std::uint8_t rank = 0; rank < 2; ++rank) {
      sent.emplace_back(Bytes(16, static_cast<std::uint8_t>(rank + 1)));
      received.emplace_back(Bytes(16, 9));
    }
    bool open = true;
    EXPECT_HCCL(HcclGroupStatusGet(&open));
    EXPECT_FALSE(open);
    ranks.Call([&](std::uint32_t rank) {
      EXPECT_HCCL(HcclGroupStart());
      EXPECT_HCCL(HcclGroupStart());
      EXPECT_HCCL(HcclSend(sent[rank].at(), 16, kByte, 1 - rank, ranks.comm(rank), ranks.stream(rank)));
      EXPECT_HCCL(HcclRecv(received[rank].at(), 16, kByte, 1 - rank, ranks.comm(rank), ranks.stream(rank)));
      EXPECT_HCCL(HcclGroupEnd());
      EXPECT_HCCL(HcclGroupStatusGet(&open));
      EXPECT_TRUE(open) << "the inner group has ended, the outer one has not";
      return HcclGroupEnd();
    });
    ranks.Synchronize();
    EXPECT_EQ(received[0].Read(), Bytes(16, 2));
    EXPECT_EQ(received[1].Read(), Bytes(16, 1));
    EXPECT_EQ(HcclGroupEnd(), HCCL_E_PARA);
    EXPECT_THAT(RecentError(), HasSubstr("HcclGroupStart"));
    EXPECT_EQ(HcclGroupStatusGet(nullptr), HCCL_E_PTR);
    RecentError();
  });
}

TEST(HcclGroups, MakeCollectivesAtTheirEnd) {
  WithDevices([] {
    const Ranks ranks(3);
    std::vector<DeviceBytes> memory;
    for (std::uint8_t rank = 0; rank < 3; ++rank)
      memory.emplace_back(Bytes(16, 1));
    EXPECT_HCCL(HcclGroupStart());
    ranks.Call([&](std::uint32_t rank) {
      return HcclAllReduce(memory[rank].at(), memory[rank].at(), 16, kByte, HCCL_REDUCE_SUM, ranks.comm(rank),
                           ranks.stream(rank));
    });
    ranks.Synchronize();
    EXPECT_EQ(memory[0].Read(), Bytes(16, 1)) << "nothing was queued yet";
    EXPECT_HCCL(HcclGroupEnd());
    ranks.Synchronize();
    for (const DeviceBytes& one : memory)
      EXPECT_EQ(one.Read(), Bytes(16, 3));
  });
}

TEST(HcclGroups, RefuseMessagesToOneselfWithoutTheOtherHalf) {
  WithDevices([] {
    const Ranks ranks(1);
    const DeviceBytes memory(Bytes{1, 2});
    EXPECT_HCCL(HcclGroupStart());
    EXPECT_HCCL(HcclSend(memory.at(), 1, kByte, 0, ranks.comm(0), ranks.stream(0)));
    EXPECT_EQ(HcclGroupEnd(), HCCL_E_PARA);
    RecentError();
    EXPECT_HCCL(HcclGroupStart());
    EXPECT_HCCL(HcclSend(memory.at(), 1, kByte, 0, ranks.comm(0), ranks.stream(0)));
    EXPECT_HCCL(HcclRecv(memory.at(1), 1, kByte, 0, ranks.comm(0), ranks.stream(0)));
    EXPECT_HCCL(HcclGroupEnd());
    ranks.Synchronize();
    EXPECT_EQ(memory.Read(), (Bytes{1, 1}));
  });
}

TEST(HcclCaptured, CollectivesRunAgainWithEachRun) {
  WithDevices([] {
    const Ranks ranks(2);
    std::vector<DeviceBytes> memory;
    std::vector<aclmdlRI> models(2);
    for (std::uint8_t rank = 0; rank < 2; ++rank)
      memory.emplace_back(Encode(HCCL_DATA_TYPE_INT32, {1, 1}));
    const auto reduce = [&](std::uint32_t rank) {
      return HcclAllReduce(memory[rank].at(), memory[rank].at(), 2, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM,
                           ranks.comm(rank), ranks.stream(rank));
    };
    ranks.Call([&](std::uint32_t rank) {
      EXPECT_OK(aclmdlRICaptureBegin(ranks.stream(rank), ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
      EXPECT_HCCL(reduce(rank));
      EXPECT_HCCL(HcclBarrier(ranks.comm(rank), ranks.stream(rank)));
      EXPECT_OK(aclmdlRICaptureEnd(ranks.stream(rank), &models[rank]));
      return HCCL_SUCCESS;
    });
    // Captured and ordinary calls mix, in another order on each rank's host thread.
    for (int i = 0; i < 3; ++i) {
      ranks.Call([&](std::uint32_t rank) {
        EXPECT_OK(aclmdlRIExecuteAsync(models[rank], ranks.stream(rank)));
        return reduce(rank);
      });
    }
    ranks.Synchronize();
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      EXPECT_EQ(memory[rank].Read(), Encode(HCCL_DATA_TYPE_INT32, {64, 64}));
      ranks.Use(rank);
      EXPECT_OK(aclmdlRIDestroy(models[rank]));
    }
  });
}

}  // namespace
