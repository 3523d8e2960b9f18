// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Collectives of several processes of one host, and of threads that find each other by root information.
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "conformance/hccl/collectives.h"
#include "conformance/hccl/processes.h"

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(HcclProcesses, RunEveryCollectiveWithEveryType) {
  AsRanks(3, [](const Ranks& ranks) {
    for (const ElementType& type : ElementTypes()) {
      for (const std::uint64_t count : {std::uint64_t{7}, 4096 / type.size + 1})
        RunEveryCollective(ranks, type, count);
    }
  });
}

TEST(HcclProcesses, RunWithAnyNumberOfRanks) {
  for (const std::uint32_t count : {1u, 2u, 5u, 8u}) {
    if (std::getenv("HCCL_TEST_SIZE") != nullptr && std::to_string(count) != std::getenv("HCCL_TEST_SIZE"))
      continue;
    AsRanks(count, [](const Ranks& ranks) {
      for (const auto type : {HCCL_DATA_TYPE_FP32, HCCL_DATA_TYPE_FP16, HCCL_DATA_TYPE_INT8}) {
        for (const std::uint64_t elements : {1, 4097, 9001})
          RunEveryCollective(ranks, TypeOf(type), elements);
      }
    });
  }
}

TEST(HcclProcesses, WorkOnLargeMemory) {
  constexpr std::uint64_t kLarge = (5 << 20) + 3;
  AsRanks(2, [](const Ranks& ranks) {
    const ElementType& floats = TypeOf(HCCL_DATA_TYPE_FP32);
    const ElementType& bytes = TypeOf(HCCL_DATA_TYPE_INT8);
    for (int i = 0; i < 3; ++i) {
      AllReduce(ranks, floats, kLarge / 4, HCCL_REDUCE_SUM, i == 1);
      AllReduce(ranks, bytes, kLarge, HCCL_REDUCE_MAX, i == 2);
      AllGather(ranks, bytes, kLarge, i == 1);
      AllToAll(ranks, bytes, kLarge / 2);
      Broadcast(ranks, bytes, kLarge);
      Messages(ranks, bytes, kLarge);
    }
  });
}

TEST(HcclProcesses, WorkOnMemoryThatCannotBeHandedOver) {
  AsRanks(2, [](const Ranks& ranks) {
    const std::uint32_t rank = ranks.Has(0) ? 0 : 1;
    constexpr std::size_t kCount = 100'000;
    void* pinned = nullptr;
    ASSERT_OK(aclrtMallocHost(&pinned, kCount * sizeof(int)));
    auto* const numbers = static_cast<int*>(pinned);
    for (std::size_t i = 0; i < kCount; ++i)
      numbers[i] = static_cast<int>(i + rank);
    EXPECT_HCCL(HcclAllReduce(pinned, pinned, kCount, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, ranks.comm(rank),
                              ranks.stream(rank)));
    ranks.Synchronize();
    int wrong = 0;
    for (std::size_t i = 0; i < kCount; ++i)
      wrong += numbers[i] != static_cast<int>(2 * i + 1);
    EXPECT_EQ(wrong, 0);
    EXPECT_OK(aclrtFreeHost(pinned));
  });
}

TEST(HcclProcesses, QueueManyAtOnce) {
  AsRanks(2, [](const Ranks& ranks) {
    const std::uint32_t rank = ranks.Has(0) ? 0 : 1;
    const DeviceBytes memory(Encode(HCCL_DATA_TYPE_UINT64, {1}));
    for (int i = 0; i < 500; ++i) {
      ASSERT_HCCL(HcclAllReduce(memory.at(), memory.at(), 1, HCCL_DATA_TYPE_UINT64,
                                i % 10 == 0 ? HCCL_REDUCE_SUM : HCCL_REDUCE_MAX, ranks.comm(rank),
                                ranks.stream(rank)));
    }
    ranks.Synchronize();
    std::uint64_t value = 0;
    std::memcpy(&value, memory.Read().data(), sizeof(value));
    EXPECT_EQ(value, std::uint64_t{1} << 50);
  });
}

// More of them than a rank has records for.
TEST(HcclProcesses, MayEndLongAfterThoseThatWereCalledLater) {
  AsRanks(2, [](const Ranks& ranks) {
    const std::uint32_t rank = ranks.Has(0) ? 0 : 1;
    const auto add = [&](const DeviceBytes& memory, aclrtStream stream) {
      ASSERT_HCCL(HcclAllReduce(memory.at(), memory.at(), 1, HCCL_DATA_TYPE_UINT64, HCCL_REDUCE_SUM,
                                ranks.comm(rank), stream));
    };
    const auto read = [](const DeviceBytes& memory) {
      std::uint64_t value = 0;
      std::memcpy(&value, memory.Read().data(), sizeof(value));
      return value;
    };
    const DeviceBytes late(Encode(HCCL_DATA_TYPE_UINT64, {static_cast<int>(rank) + 1})),
        zero(Encode(HCCL_DATA_TYPE_UINT64, {0}));
    aclrtStream held = nullptr;
    ASSERT_OK(aclrtCreateStream(&held));
    for (int round = 0; round < 2; ++round) {
      Gate gate;
      gate.Hold(held);
      add(late, held);
      for (int i = 0; i < 1500; ++i)
        add(zero, ranks.stream(rank));
      ranks.Synchronize();
      gate.Open();
      ASSERT_OK(aclrtSynchronizeStream(held));
      EXPECT_EQ(read(late), round == 0 ? 3u : 6u);
    }
    EXPECT_EQ(read(zero), 0u);
    EXPECT_OK(aclrtDestroyStream(held));
  });
}

TEST(HcclProcesses, HaveParts) {
  AsRanks(3, [](const Ranks& ranks) {
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      if (!ranks.Has(rank) || rank == 1) continue;
      HcclCommConfig config;
      HcclCommConfigInit(&config);
      std::uint32_t members[] = {0, 2};
      HcclComm whole = ranks.comm(rank), part = nullptr;
      ASSERT_HCCL(HcclCreateSubCommConfig(&whole, 2, members, 5, rank / 2, &config, &part));
      const Ranks both(2, rank / 2, 0, part);
      AllReduce(both, TypeOf(HCCL_DATA_TYPE_FP32), 9000, HCCL_REDUCE_SUM, false);
      Messages(both, TypeOf(HCCL_DATA_TYPE_FP32), 10);
    }
    AllReduce(ranks, TypeOf(HCCL_DATA_TYPE_FP32), 9000, HCCL_REDUCE_SUM, false);
  });
}

TEST(HcclProcesses, AreToldOfDifferences) {
  AsRanks(3, [](const Ranks& ranks) {
    const DeviceBytes memory(Bytes(64, 1));
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      if (!ranks.Has(rank)) continue;
      EXPECT_HCCL(HcclAllReduce(memory.at(), memory.at(), rank == 1 ? 7 : 8, HCCL_DATA_TYPE_INT8,
                                HCCL_REDUCE_SUM, ranks.comm(rank), ranks.stream(rank)));
      EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(rank)), ACL_ERROR_RT_AICPU_EXCEPTION);
      EXPECT_THAT(RecentError(), AllOf(HasSubstr("EI0005"), HasSubstr("count 7"), HasSubstr("count 8")));
    }
    AllReduce(ranks, TypeOf(HCCL_DATA_TYPE_FP32), 100, HCCL_REDUCE_SUM, false);
  });
}

// Who is done with a collective may be so before the others, and be missed there if it ends: each tells
// `gone` that it is done, too. What becomes of the telling does not matter.
void EndByForce(std::uint32_t gone, const RankProcess& process, const Ranks& ranks) {
  const DeviceBytes memory(Bytes(1, 0));
  const HcclComm comm = ranks.comm(process.rank());
  const aclrtStream stream = ranks.stream(process.rank());
  if (process.rank() != gone) {
    HcclSend(memory.at(), 1, HCCL_DATA_TYPE_INT8, gone, comm, stream);
    aclrtSynchronizeStream(stream);
    return;
  }
  for (std::uint32_t other = 0; other < process.size(); ++other) {
    if (other == gone) continue;
    EXPECT_HCCL(HcclRecv(memory.at(), 1, HCCL_DATA_TYPE_INT8, other, comm, stream));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream));
  raise(SIGKILL);
}

TEST(HcclProcesses, AreToldOfOneThatWasKilled) {
  AsProcesses(3,
              [](const RankProcess& process) {
                HcclComm comm = process.Join();
                const Ranks ranks(3, process.rank(), 0, comm);
                AllReduce(ranks, TypeOf(HCCL_DATA_TYPE_FP32), 100, HCCL_REDUCE_SUM, false);
                EndByForce(1, process, ranks);
                for (int i = 0; i < 2; ++i) {
                  EXPECT_HCCL(HcclBarrier(comm, ranks.stream(process.rank())));
                  EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(process.rank())),
                            ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
                  EXPECT_THAT(RecentError(), HasSubstr("rank 1"));
                }
                HcclResult error = HCCL_SUCCESS;
                EXPECT_HCCL(HcclGetCommAsyncError(comm, &error));
                EXPECT_EQ(error, HCCL_E_REMOTE);
              },
              {1});
}

TEST(HcclProcesses, AreToldThatTheRootWasKilled) {
  AsProcesses(3,
              [](const RankProcess& process) {
                HcclComm comm = process.Join();
                const Ranks ranks(3, process.rank(), 0, comm);
                AllReduce(ranks, TypeOf(HCCL_DATA_TYPE_FP32), 9000, HCCL_REDUCE_SUM, false);
                EndByForce(0, process, ranks);
                const DeviceBytes memory(Bytes(100'000, 1));
                EXPECT_HCCL(HcclAllReduce(memory.at(), memory.at(), 100'000, HCCL_DATA_TYPE_INT8,
                                          HCCL_REDUCE_SUM, comm, ranks.stream(process.rank())));
                EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(process.rank())),
                          ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
                EXPECT_THAT(RecentError(), HasSubstr("root"));
              },
              {0});
}

// Ends in order as soon as it has nothing to do any more, as the first stage of a pipeline does; the others
// know its process and see it end.
template <typename Others>
void WithoutTheRoot(const Others& others, const std::vector<std::uint32_t>& killed = {}) {
  AsProcesses(
      3,
      [&](const RankProcess& process) {
        const HcclComm comm = process.Join();
        const Ranks ranks(3, process.rank(), 0, comm);
        const DeviceBytes memory(Encode(HCCL_DATA_TYPE_INT32, {getpid()}));
        EXPECT_HCCL(
            HcclBroadcast(memory.at(), 1, HCCL_DATA_TYPE_INT32, 0, comm, ranks.stream(process.rank())));
        ranks.Synchronize();
        if (process.rank() == 0) return;
        pid_t root = 0;
        std::memcpy(&root, memory.Read().data(), sizeof(root));
        while (kill(root, 0) == 0)
          usleep(1000);
        others(process.rank(), ranks);
      },
      killed);
}

TEST(HcclWithoutRoot, RanksGoOnAmongThemselves) {
  WithoutTheRoot([](std::uint32_t rank, const Ranks& ranks) {
    const DeviceBytes memory(Bytes(100'000, static_cast<std::uint8_t>(rank)));
    for (int i = 0; i < 1000; ++i) {
      const bool sends = (i % 2 == 0) == (rank == 1);
      const auto message = sends ? HcclSend : HcclRecv;
      EXPECT_HCCL(message(memory.at(), i % 100 == 0 ? 100'000 : 10, HCCL_DATA_TYPE_INT8, 3 - rank,
                          ranks.comm(rank), ranks.stream(rank)));
      ranks.Synchronize();
    }
    EXPECT_EQ(memory.Read(), Bytes(100'000, 1));
    HcclResult error = HCCL_E_PARA;
    EXPECT_HCCL(HcclGetCommAsyncError(ranks.comm(rank), &error));
    EXPECT_EQ(error, HCCL_SUCCESS);
    EXPECT_HCCL(HcclBarrier(ranks.comm(rank), ranks.stream(rank)));
    EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(rank)), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
    EXPECT_THAT(RecentError(), HasSubstr("rank 0"));
  });
}

// Between hosts it is the root who knows.
TEST(HcclWithoutRoot, RanksOfOneHostAreToldOfOneThatWasKilled) {
  WithoutTheRoot(
      [](std::uint32_t rank, const Ranks& ranks) {
        const DeviceBytes memory(Encode(HCCL_DATA_TYPE_INT32, {getpid()}));
        if (rank == 2) {
          EXPECT_HCCL(
              HcclSend(memory.at(), 1, HCCL_DATA_TYPE_INT32, 1, ranks.comm(rank), ranks.stream(rank)));
          ranks.Synchronize();
          raise(SIGSTOP);
          return;
        }
        EXPECT_HCCL(HcclRecv(memory.at(), 1, HCCL_DATA_TYPE_INT32, 2, ranks.comm(rank), ranks.stream(rank)));
        ranks.Synchronize();
        pid_t other = 0;
        std::memcpy(&other, memory.Read().data(), sizeof(other));
        EXPECT_HCCL(HcclRecv(memory.at(), 1, HCCL_DATA_TYPE_INT32, 2, ranks.comm(rank), ranks.stream(rank)));
        kill(other, SIGKILL);
        EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(rank)), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
        EXPECT_THAT(RecentError(), HasSubstr("rank 2"));
      },
      {2});
}

TEST(HcclProcesses, AreToldOfOneThatWasKilledWhileTheCommunicatorIsMade) {
  AsProcesses(3,
              [](const RankProcess& process) {
                if (process.rank() == 2) raise(SIGKILL);
                HcclComm comm = nullptr;
                EXPECT_EQ(HcclCommInitRootInfo(3, &process.root_info(), process.rank(), &comm),
                          HCCL_E_TIMEOUT);
                EXPECT_THAT(RecentError(), HasSubstr("ranks 2 of 3"));
              },
              {2}, {{"HCCL_CONNECT_TIMEOUT", "1"}});
}

TEST(HcclProcesses, AreToldOfOneThatDestroyedItsCommunicator) {
  AsProcesses(2, [](const RankProcess& process) {
    HcclComm comm = process.Join();
    if (process.rank() == 1) {
      EXPECT_HCCL(HcclCommDestroy(comm));
      return;
    }
    const Ranks ranks(2, 0, 0, comm);
    EXPECT_HCCL(HcclBarrier(comm, ranks.stream(0)));
    EXPECT_EQ(aclrtSynchronizeStream(ranks.stream(0)), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
    EXPECT_THAT(RecentError(), HasSubstr("rank 1 has destroyed it"));
  });
}

// Only rank 0 has a limit. Rank 1 comes when it has heard from rank 0 that the limit is over.
TEST(HcclProcesses, WaitOnlySoLongForARankThatDoesNotCome) {
  AsProcesses(2, [](const RankProcess& process) {
    if (process.rank() == 0) setenv("HCCL_EXEC_TIMEOUT", "0.5", 1);
    HcclComm comm = process.Join();
    const Ranks ranks(2, process.rank(), 0, comm);
    aclrtStream stream = ranks.stream(process.rank());
    const DeviceBytes memory(Bytes(8, 1));
    if (process.rank() == 1) {
      EXPECT_HCCL(HcclRecv(memory.at(), 8, HCCL_DATA_TYPE_INT8, 0, comm, stream));
      ranks.Synchronize();
    }
    EXPECT_HCCL(HcclBarrier(comm, stream));
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICPU_EXCEPTION);
    EXPECT_THAT(RecentError(), AllOf(HasSubstr("EI0002"), HasSubstr("rank 1 did not come")));
    HcclResult error = HCCL_SUCCESS;
    EXPECT_HCCL(HcclGetCommAsyncError(comm, &error));
    EXPECT_EQ(error, HCCL_E_TIMEOUT);
    if (process.rank() == 0) {
      EXPECT_HCCL(HcclSend(memory.at(), 8, HCCL_DATA_TYPE_INT8, 1, comm, stream));
      ranks.Synchronize();
    }
  });
}

TEST(HcclProcesses, AreToldOfAnAbortedStream) {
  AsProcesses(2, [](const RankProcess& process) {
    HcclComm comm = process.Join();
    const Ranks ranks(2, process.rank(), 0, comm);
    aclrtStream stream = ranks.stream(process.rank());
    AllReduce(ranks, TypeOf(HCCL_DATA_TYPE_FP32), 100, HCCL_REDUCE_SUM, false);
    EXPECT_HCCL(HcclBarrier(comm, stream));
    ranks.Synchronize();
    const DeviceBytes memory(Bytes(64, 1));
    if (process.rank() == 0) {
      EXPECT_HCCL(HcclRecv(memory.at(), 64, HCCL_DATA_TYPE_INT8, 1, comm, stream));
      EXPECT_OK(aclrtStreamAbort(stream));
      aclrtSynchronizeStream(stream);
    } else {
      EXPECT_HCCL(HcclSend(memory.at(), 64, HCCL_DATA_TYPE_INT8, 0, comm, stream));
      // The message may have been taken before the stream was aborted.
      const aclError answer = aclrtSynchronizeStream(stream);
      if (answer != ACL_SUCCESS) {
        EXPECT_EQ(answer, ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
        EXPECT_THAT(RecentError(), HasSubstr("rank 0"));
      }
    }
    RecentError();
    AllReduce(ranks, TypeOf(HCCL_DATA_TYPE_FP32), 100, HCCL_REDUCE_SUM, false);
  });
}

TEST(HcclProcesses, RunWhatWasCaptured) {
  AsRanks(2, [](const Ranks& ranks) {
    const std::uint32_t rank = ranks.Has(0) ? 0 : 1;
    const DeviceBytes memory(Encode(HCCL_DATA_TYPE_INT32, {1}));
    const auto reduce = [&] {
      return HcclAllReduce(memory.at(), memory.at(), 1, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM,
                           ranks.comm(rank), ranks.stream(rank));
    };
    aclmdlRI model = nullptr;
    EXPECT_OK(aclmdlRICaptureBegin(ranks.stream(rank), ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    EXPECT_HCCL(reduce());
    EXPECT_OK(aclmdlRICaptureEnd(ranks.stream(rank), &model));
    for (int i = 0; i < 5; ++i) {
      EXPECT_OK(aclmdlRIExecuteAsync(model, ranks.stream(rank)));
      EXPECT_HCCL(reduce());
    }
    ranks.Synchronize();
    EXPECT_EQ(memory.Read(), Encode(HCCL_DATA_TYPE_INT32, {1024}));
    EXPECT_OK(aclmdlRIDestroy(model));
  });
}

TEST(HcclProcesses, MayHaveSeveralRanksEach) {
  AsProcesses(2, [](const RankProcess& process) {
    std::vector<std::thread> threads;
    for (std::uint32_t rank = 2 * process.rank(); rank < 2 * process.rank() + 2; ++rank) {
      threads.emplace_back([&, rank] {
        EXPECT_OK(aclrtSetDevice(0));
        HcclComm comm = nullptr;
        ASSERT_HCCL(HcclCommInitRootInfo(4, &process.root_info(), rank, &comm));
        const Ranks ranks(4, rank, 0, comm);
        RunEveryCollective(ranks, TypeOf(HCCL_DATA_TYPE_FP32), 9000);
      });
    }
    for (auto& thread : threads)
      thread.join();
  });
}

TEST(HcclProcesses, SendLargeBatches) {
  AsRanks(2, [](const Ranks& ranks) {
    const std::uint32_t rank = ranks.Has(0) ? 0 : 1;
    constexpr std::size_t kItems = 300;
    const DeviceBytes sent(Bytes(kItems, static_cast<std::uint8_t>(rank + 1))), received(kItems);
    std::vector<HcclSendRecvItem> items;
    for (std::size_t i = 0; i < kItems; ++i)
      items.push_back({HCCL_SEND, sent.at(i), 1, HCCL_DATA_TYPE_INT8, 1 - rank});
    for (std::size_t i = 0; i < kItems; ++i)
      items.push_back({HCCL_RECV, received.at(i), 1, HCCL_DATA_TYPE_INT8, 1 - rank});
    EXPECT_HCCL(HcclBatchSendRecv(items.data(), static_cast<std::uint32_t>(items.size()), ranks.comm(rank),
                                  ranks.stream(rank)));
    ranks.Synchronize();
    EXPECT_EQ(received.Read(), Bytes(kItems, static_cast<std::uint8_t>(2 - rank)));
  });
}

TEST(HcclProcesses, WaitForMissingRanksOnlySoLong) {
  AsProcesses(2,
              [](const RankProcess& process) {
                if (process.rank() == 1) return;
                HcclComm comm = nullptr;
                EXPECT_EQ(HcclCommInitRootInfo(2, &process.root_info(), 0, &comm), HCCL_E_TIMEOUT);
                EXPECT_THAT(RecentError(), AllOf(HasSubstr("EI0015"), HasSubstr("ranks 1 of 2")));
              },
              {}, {{"HCCL_CONNECT_TIMEOUT", "1"}});
}

TEST(HcclRootInfo, JoinsThreadsOfOneProcess) {
  InChild({{"FOOTHOLD_DEVICES", "3"}, {"HCCL_SOCKET_IFNAME", "lo"}}, [] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    HcclRootInfo info;
    ASSERT_HCCL(HcclGetRootInfo(&info));
    EXPECT_STREQ(info.internal, "127.0.0.1");
    std::vector<std::thread> threads;
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      threads.emplace_back([&, rank] {
        EXPECT_OK(aclrtSetDevice(static_cast<int32_t>(rank)));
        HcclComm comm = nullptr;
        ASSERT_HCCL(HcclCommInitRootInfo(3, &info, rank, &comm));
        const Ranks ranks(3, rank, static_cast<int32_t>(rank), comm);
        RunEveryCollective(ranks, TypeOf(HCCL_DATA_TYPE_FP32), 1000);
      });
    }
    for (auto& thread : threads)
      thread.join();
    EXPECT_OK(aclFinalize());
  });
}

TEST(HcclRootInfo, JoinsRanksOfOneThreadInAGroup) {
  InChild({{"FOOTHOLD_DEVICES", "2"}, {"HCCL_SOCKET_IFNAME", "lo"}}, [] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    HcclRootInfo info;
    ASSERT_HCCL(HcclGetRootInfo(&info));
    HcclComm comms[2] = {};
    EXPECT_HCCL(HcclGroupStart());
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      EXPECT_OK(aclrtSetDevice(static_cast<int32_t>(rank)));
      EXPECT_HCCL(HcclCommInitRootInfo(2, &info, rank, &comms[rank]));
      EXPECT_EQ(comms[rank], nullptr);
    }
    EXPECT_HCCL(HcclGroupEnd());
    for (HcclComm comm : comms)
      EXPECT_HCCL(HcclCommDestroy(comm));
    EXPECT_OK(aclFinalize());
  });
}

TEST(HcclRootInfo, IsChecked) {
  InChild({{"HCCL_SOCKET_IFNAME", "lo"}}, [] {
    HcclRootInfo info{};
    HcclComm comm = nullptr;
    EXPECT_OK(aclInit(nullptr));
    EXPECT_EQ(HcclGetRootInfo(&info), HCCL_E_RUNTIME) << "no current device";
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_EQ(HcclGetRootInfo(nullptr), HCCL_E_PTR);
    EXPECT_EQ(HcclCommInitRootInfo(1, &info, 0, &comm), HCCL_E_PARA) << "nobody made it";
    ASSERT_HCCL(HcclGetRootInfo(&info));
    EXPECT_EQ(HcclCommInitRootInfo(1, nullptr, 0, &comm), HCCL_E_PTR);
    EXPECT_EQ(HcclCommInitRootInfo(1, &info, 0, nullptr), HCCL_E_PTR);
    EXPECT_EQ(HcclCommInitRootInfo(0, &info, 0, &comm), HCCL_E_PARA);
    EXPECT_EQ(HcclCommInitRootInfo(1, &info, 1, &comm), HCCL_E_PARA);
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    std::strcpy(config.hcclCommName, "named");
    EXPECT_EQ(HcclCommInitRootInfoConfig(1, &info, 0, nullptr, &comm), HCCL_E_PTR);
    EXPECT_EQ(HcclCommInitRootInfoConfig(1, &info, 0, &config, nullptr), HCCL_E_PARA);
    HcclRootInfo wrong = info;
    wrong.internal[64 + 20] ^= 1;  // its secret
    EXPECT_EQ(HcclCommInitRootInfo(1, &wrong, 0, &comm), HCCL_E_TCP_CONNECT);
    ASSERT_HCCL(HcclCommInitRootInfoConfig(1, &info, 0, &config, &comm));
    char name[COMM_NAME_MAX_LENGTH];
    EXPECT_HCCL(HcclGetCommName(comm, name));
    EXPECT_STREQ(name, "named");
    EXPECT_NE(HcclCommInitRootInfo(1, &info, 0, &comm), HCCL_SUCCESS) << "it serves one communicator";
    EXPECT_HCCL(HcclCommDestroy(comm));
    EXPECT_OK(aclFinalize());
    RecentError();
  });
}

}  // namespace
