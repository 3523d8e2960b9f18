// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Ranks that pass different things, do not come, or are gone: everybody is told who and what, streams and
// communicators can be used afterwards, and nothing waits for ever.
#include <gmock/gmock.h>

#include "conformance/hccl/collectives.h"

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr auto kByte = HCCL_DATA_TYPE_INT8;

// All ranks fail with this code and a text with these words; afterwards the communicator works.
template <typename Words>
void ExpectAllFail(const Ranks& ranks, aclError code, const Words& words) {
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    ranks.Use(rank);
    RecentError();
    EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(rank)), code) << "rank " << rank;
    EXPECT_THAT(RecentError(), words) << "rank " << rank;
  }
}

void ExpectWorks(const Ranks& ranks) {
  AllReduce(ranks, TypeOf(HCCL_DATA_TYPE_FP32), 100, HCCL_REDUCE_SUM, false);
}

TEST(HcclMismatch, OfArgumentsIsToldToAll) {
  WithDevices([] {
    const Ranks ranks(3);
    const DeviceBytes memory(Bytes(1024, 1));
    void* const at = memory.at();
    const auto reduce = [&](std::uint32_t rank, std::uint64_t count, HcclDataType type,
                            HcclReduceOp operation) {
      return HcclAllReduce(at, at, count, type, operation, ranks.comm(rank), ranks.stream(rank));
    };
    ranks.Call([&](std::uint32_t rank) { return reduce(rank, rank == 1 ? 7 : 8, kByte, HCCL_REDUCE_SUM); });
    ExpectAllFail(ranks, ACL_ERROR_RT_AICPU_EXCEPTION,
                  AllOf(HasSubstr("EI0005"), HasSubstr("rank 1 passes count 7"), HasSubstr("count 8")));
    ranks.Call([&](std::uint32_t rank) {
      return reduce(rank, 8, rank == 2 ? HCCL_DATA_TYPE_UINT8 : kByte, HCCL_REDUCE_SUM);
    });
    ExpectAllFail(ranks, ACL_ERROR_RT_AICPU_EXCEPTION, AllOf(HasSubstr("rank 2"), HasSubstr("uint8")));
    ranks.Call([&](std::uint32_t rank) {
      return reduce(rank, 8, kByte, rank == 0 ? HCCL_REDUCE_MAX : HCCL_REDUCE_MIN);
    });
    ExpectAllFail(ranks, ACL_ERROR_RT_AICPU_EXCEPTION, AllOf(HasSubstr("max"), HasSubstr("min")));
    ranks.Call([&](std::uint32_t rank) {
      return HcclBroadcast(at, 8, kByte, rank == 2 ? 1 : 0, ranks.comm(rank), ranks.stream(rank));
    });
    ExpectAllFail(ranks, ACL_ERROR_RT_AICPU_EXCEPTION, HasSubstr("root 1"));
    ExpectWorks(ranks);
  });
}

TEST(HcclMismatch, OfOperationsIsToldToAll) {
  WithDevices([] {
    const Ranks ranks(2);
    const DeviceBytes memory(Bytes(1024, 1));
    void* const at = memory.at();
    ranks.Call([&](std::uint32_t rank) {
      if (rank == 0) return HcclBroadcast(at, 8, kByte, 0, ranks.comm(0), ranks.stream(0));
      return HcclAllReduce(at, at, 8, kByte, HCCL_REDUCE_SUM, ranks.comm(1), ranks.stream(1));
    });
    ExpectAllFail(ranks, ACL_ERROR_RT_AICPU_EXCEPTION,
                  AllOf(HasSubstr("broadcast"), HasSubstr("all-reduce"), HasSubstr("communicator")));
    const std::uint64_t one[2] = {1, 1}, two[2] = {1, 2}, places[2] = {0, 4};
    ranks.Call([&](std::uint32_t rank) {
      return HcclAlltoAllV(memory.at(rank * 64), rank == 0 ? two : one, places, kByte,
                           memory.at(256 + rank * 64), one, places, kByte, ranks.comm(rank),
                           ranks.stream(rank));
    });
    ExpectAllFail(ranks, ACL_ERROR_RT_AICPU_EXCEPTION,
                  HasSubstr("rank 0 sends 2 bytes to rank 1, which expects 1 bytes"));
    ranks.Call([&](std::uint32_t rank) {
      if (rank == 0) return HcclSend(at, 8, kByte, 1, ranks.comm(0), ranks.stream(0));
      return HcclRecv(memory.at(512), 9, kByte, 0, ranks.comm(1), ranks.stream(1));
    });
    ExpectAllFail(ranks, ACL_ERROR_RT_AICPU_EXCEPTION, AllOf(HasSubstr("count 8"), HasSubstr("count 9")));
    ExpectWorks(ranks);
  });
}

TEST(HcclTimeLimit, EndsTheWaitForARankThatDoesNotCome) {
  InChild({{"FOOTHOLD_DEVICES", "8"}, {"HCCL_EXEC_TIMEOUT", "0.2"}}, [] {
    EXPECT_OK(aclInit(nullptr));
    {
      const Ranks ranks(3);
      ranks.Call([&](std::uint32_t rank) {
        return rank == 2 ? HCCL_SUCCESS : HcclBarrier(ranks.comm(rank), ranks.stream(rank));
      });
      for (std::uint32_t rank = 0; rank < 2; ++rank) {
        ranks.Use(rank);
        RecentError();
        EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(rank)), ACL_ERROR_RT_AICPU_EXCEPTION);
        EXPECT_THAT(RecentError(),
                    AllOf(HasSubstr("EI0002"), HasSubstr("rank 2 did not come"), HasSubstr("0.2 s")));
        HcclResult error = HCCL_SUCCESS;
        EXPECT_HCCL(HcclGetCommAsyncError(ranks.comm(rank), &error));
        EXPECT_EQ(error, HCCL_E_TIMEOUT);
      }
      // Who comes late learns why nobody is there.
      ranks.Use(2);
      EXPECT_HCCL(HcclBarrier(ranks.comm(2), ranks.stream(2)));
      EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(2)), ACL_ERROR_RT_AICPU_EXCEPTION);
      EXPECT_THAT(RecentError(), HasSubstr("rank 2 did not come"));
      ExpectWorks(ranks);
    }
    EXPECT_OK(aclFinalize());
  });
}

TEST(HcclTimeLimit, HasToBeANumber) {
  for (const auto& [name, value] : {std::pair{"HCCL_EXEC_TIMEOUT", "soon"}, {"HCCL_CONNECT_TIMEOUT", "0"}}) {
    InChild({{name, value}}, [&] {
      const char* const variable = std::getenv("HCCL_EXEC_TIMEOUT") != nullptr ? "EXEC" : "CONNECT";
      int32_t device = 0;
      HcclComm comm = nullptr;
      EXPECT_EQ(HcclCommInitAll(1, &device, &comm), HCCL_E_PARA);
      EXPECT_THAT(RecentError(), AllOf(HasSubstr("EI0001"), HasSubstr(variable)));
    });
    if (std::getenv("CONFORMANCE_CHILD") != nullptr) return;
  }
}

TEST(HcclInFlight, TasksKeepTheirCommunicator) {
  WithDevices([] {
    const Ranks ranks(2);
    ExpectWorks(ranks);
    Gate gate;
    ranks.Use(1);
    gate.Hold(ranks.stream(1));
    ranks.Call([&](std::uint32_t rank) { return HcclBarrier(ranks.comm(rank), ranks.stream(rank)); });
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      EXPECT_EQ(HcclCommDestroy(ranks.comm(rank)), HCCL_E_AGAIN);
      EXPECT_THAT(RecentError(), HasSubstr("in flight"));
    }
    gate.Open();
    ranks.Synchronize();
  });
}

TEST(HcclInFlight, TasksThatNeverMetAnybodyEndWithTheirCommunicator) {
  WithDevices([] {
    int32_t devices[2] = {0, 1};
    HcclComm comms[2] = {};
    ASSERT_HCCL(HcclCommInitAll(2, devices, comms));
    EXPECT_OK(aclrtSetDevice(0));
    aclrtStream stream = nullptr;
    EXPECT_OK(aclrtCreateStream(&stream));
    EXPECT_HCCL(HcclBarrier(comms[0], stream));
    EXPECT_HCCL(HcclBarrier(comms[0], stream));
    EXPECT_HCCL(HcclCommDestroy(comms[0]));
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
    EXPECT_THAT(RecentError(), HasSubstr("has destroyed communicator"));
    EXPECT_OK(aclrtSetDevice(1));
    aclrtStream other = nullptr;
    EXPECT_OK(aclrtCreateStream(&other));
    for (int i = 0; i < 3; ++i) {
      EXPECT_HCCL(HcclBarrier(comms[1], other));
      EXPECT_EQ(aclrtSynchronizeStream(other), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
      EXPECT_THAT(RecentError(), HasSubstr("rank 0 has destroyed"));
    }
    HcclResult error = HCCL_SUCCESS;
    EXPECT_HCCL(HcclGetCommAsyncError(comms[1], &error));
    EXPECT_EQ(error, HCCL_E_REMOTE);
    EXPECT_HCCL(HcclCommDestroy(comms[1]));
  });
}

TEST(HcclInFlight, AnAbortedStreamIsToldToTheOthers) {
  WithDevices([] {
    const Ranks ranks(3);
    ExpectWorks(ranks);
    ranks.Call([&](std::uint32_t rank) {
      return rank == 2 ? HCCL_SUCCESS : HcclBarrier(ranks.comm(rank), ranks.stream(rank));
    });
    ranks.Use(0);
    EXPECT_OK(aclrtStreamAbort(ranks.stream(0)));
    ranks.Use(1);
    EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(1)), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
    EXPECT_THAT(RecentError(), HasSubstr("rank 0"));
    ranks.Use(2);
    EXPECT_HCCL(HcclBarrier(ranks.comm(2), ranks.stream(2)));
    EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(2)), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
    ranks.Use(0);
    aclrtSynchronizeStream(ranks.stream(0));
    RecentError();
    ExpectWorks(ranks);
  });
}

TEST(HcclInFlight, ADestroyedStreamIsToldToTheOthers) {
  WithDevices([] {
    const Ranks ranks(2);
    ExpectWorks(ranks);
    ranks.Use(0);
    aclrtStream stream = nullptr;
    EXPECT_OK(aclrtCreateStream(&stream));
    EXPECT_HCCL(HcclBarrier(ranks.comm(0), stream));
    EXPECT_OK(aclrtDestroyStreamForce(stream));
    ranks.Use(1);
    EXPECT_HCCL(HcclBarrier(ranks.comm(1), ranks.stream(1)));
    EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(1)), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
    RecentError();
    ExpectWorks(ranks);
  });
}

TEST(HcclInFlight, FreedMemoryIsToldToAll) {
  WithDevices([] {
    const Ranks ranks(2);
    const DeviceBytes kept(64);
    ranks.Use(0);
    void* freed = nullptr;
    EXPECT_OK(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    Gate gate;
    gate.Hold(ranks.stream(0));
    ranks.Call([&](std::uint32_t rank) {
      void* const at = rank == 0 ? freed : kept.at();
      return HcclAllReduce(at, at, 64, kByte, HCCL_REDUCE_SUM, ranks.comm(rank), ranks.stream(rank));
    });
    EXPECT_OK(aclrtFree(freed));
    gate.Open();
    ranks.Use(0);
    EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(0)), ACL_ERROR_RT_SYS_DMA);
    ranks.Use(1);
    EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(1)), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
    EXPECT_THAT(RecentError(), HasSubstr("rank 0"));
    ExpectWorks(ranks);
  });
}

TEST(HcclInFlight, CallsWorkInsideCallbacks) {
  WithDevices([] {
    const Ranks ranks(2);
    struct Both {
      const Ranks& ranks;
      DeviceBytes memory[2] = {DeviceBytes(Bytes(4, 1)), DeviceBytes(Bytes(4, 2))};
    } both{ranks};
    // A function that runs on one stream takes part for both ranks.
    ranks.Use(0);
    EXPECT_OK(aclrtLaunchHostFunc(
        ranks.stream(0),
        [](void* data) {
          const auto& [ranks, memory] = *static_cast<Both*>(data);
          for (std::uint32_t rank = 0; rank < 2; ++rank) {
            EXPECT_HCCL(HcclAllReduce(memory[rank].at(), memory[rank].at(), 4, kByte, HCCL_REDUCE_SUM,
                                      ranks.comm(rank), ranks.stream(rank)));
          }
        },
        &both));
    ranks.Synchronize();
    ranks.Synchronize();  // what the function queued
    EXPECT_EQ(both.memory[0].Read(), Bytes(4, 3));
    EXPECT_EQ(both.memory[1].Read(), Bytes(4, 3));
  });
}

}  // namespace
