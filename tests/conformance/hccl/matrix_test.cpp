// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Every collective with every type, operation and size, in place and not, on several numbers of ranks: as
// processes, as threads of one process, and as devices that one thread calls for. A slice of it always; all
// of it, and runs that must not grow, where FOOTHOLD_HCCL_MATRIX is set (make hccl-check).
#include <malloc.h>

#include <climits>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <tuple>

#include "conformance/hccl/collectives.h"
#include "conformance/hccl/processes.h"
#include "conformance/in_fork.h"
#include "conformance/process_use.h"

namespace {

constexpr std::uint64_t kSmallBytes = 4096, kLargeBytes = 5 << 20;

bool Whole() {
  return std::getenv("FOOTHOLD_HCCL_MATRIX") != nullptr;
}

// What was freed is used again, in place of new memory that the kernel clears: that would take most of the
// time.
void KeepHostMemory() {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

std::vector<std::uint64_t> CountsFor(const ElementType& type, bool with_large) {
  const std::uint64_t small = kSmallBytes / type.size;
  std::vector<std::uint64_t> counts = {0, 1, 7, small - 1, small, small + 1};
  if (with_large) counts.push_back(kLargeBytes / type.size + 3);
  return counts;
}

bool IsChosen(const ElementType& type) {
  return Whole() || type.type == HCCL_DATA_TYPE_FP32 || type.type == HCCL_DATA_TYPE_BFP16 ||
         type.type == HCCL_DATA_TYPE_INT8;
}

// A number of ranks and a type.
class HcclMatrix : public ::testing::TestWithParam<std::tuple<std::uint32_t, std::size_t>> {
 protected:
  void SetUp() override {
    if (!Whole() && (ranks() != 3 || !IsChosen(type()))) GTEST_SKIP() << "a part of make hccl-check";
  }
  static std::uint32_t ranks() { return std::get<0>(GetParam()); }
  static const ElementType& type() { return ElementTypes()[std::get<1>(GetParam())]; }
  static void Run(const Ranks& ranks, bool with_large) {
    KeepHostMemory();
    for (const std::uint64_t count : CountsFor(type(), with_large))
      RunEveryCollective(ranks, type(), count);
  }
  static void RunAll(const Ranks& ranks) { Run(ranks, Whole()); }
};

TEST_P(HcclMatrix, HoldsForProcesses) {
  AsRanks(ranks(), RunAll);
}

TEST_P(HcclMatrix, HoldsForThreadsOfOneProcess) {
  WithDevices([] {
    std::vector<int32_t> devices(ranks());
    std::iota(devices.begin(), devices.end(), 0);
    std::vector<HcclComm> comms(ranks());
    ASSERT_HCCL(HcclCommInitAll(ranks(), devices.data(), comms.data()));
    std::vector<std::thread> threads;
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
      threads.emplace_back([&, rank] {
        const Ranks own(ranks(), rank, devices[rank], comms[rank]);
        RunAll(own);
      });
    }
    for (std::thread& thread : threads)
      thread.join();
  });
}

TEST_P(HcclMatrix, HoldsForDevicesOfOneThread) {
  WithDevices([] {
    const Ranks all(ranks());
    Run(all, false);  // large ones go the way they go for threads
  });
}

INSTANTIATE_TEST_SUITE_P(Every, HcclMatrix,
                         ::testing::Combine(::testing::Values(1u, 2u, 3u, 5u, 8u),
                                            ::testing::Range(std::size_t{0}, ElementTypes().size())),
                         [](const auto& info) {
                           return std::to_string(std::get<0>(info.param)) + "_ranks_" +
                                  std::to_string(
                                      static_cast<int>(ElementTypes()[std::get<1>(info.param)].type));
                         });

// Two communicators: rank 0 comes to the one first and rank 1 to the other, on streams of their own.
TEST(HcclLong, CommunicatorsMayBeMetInCrossedOrders) {
  AsProcesses(2, [](const RankProcess& process) {
    const HcclComm whole = process.Join();
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    std::uint32_t members[] = {0, 1};
    HcclComm part = nullptr, parent = whole;
    ASSERT_HCCL(HcclCreateSubCommConfig(&parent, 2, members, 5, process.rank(), &config, &part));
    aclrtStream streams[2] = {};
    for (aclrtStream& stream : streams)
      ASSERT_OK(aclrtCreateStream(&stream));
    const DeviceBytes one(Bytes(4, 0)), other(Bytes(4, 0));
    for (int i = 0; i < 50; ++i) {
      const bool whole_first = process.rank() == 0;
      for (const bool first : {true, false}) {
        const bool of_whole = first == whole_first;
        EXPECT_HCCL(HcclAllReduce(of_whole ? one.at() : other.at(), of_whole ? one.at() : other.at(), 1,
                                  HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, of_whole ? whole : part,
                                  streams[of_whole ? 0 : 1]));
      }
    }
    for (const aclrtStream stream : streams) {
      EXPECT_OK(aclrtSynchronizeStream(stream));
      EXPECT_OK(aclrtDestroyStream(stream));
    }
    EXPECT_HCCL(HcclCommDestroy(part));
    EXPECT_HCCL(HcclCommDestroy(whole));
  });
}

TEST(HcclLong, RanksGoOnAfterAFork) {
  AsRanks(2, [](const Ranks& ranks) {
    const ElementType& floats = TypeOf(HCCL_DATA_TYPE_FP32);
    const HcclComm own = ranks.comm(ranks.Has(0) ? 0 : 1);
    AllReduce(ranks, floats, 20000, HCCL_REDUCE_SUM, false);
    SKIP_WHERE_FORKS_HAVE_NO_THREADS();
    SKIP_WHERE_FORKS_KEEP_ALLOCATORS_LOCKED();
    EXPECT_EQ(InFork({}, [&] { EXPECT_EQ(HcclBarrier(own, nullptr), HCCL_E_PARA) << "it is the parent's"; }),
              0);
    AllReduce(ranks, floats, 20000, HCCL_REDUCE_SUM, true);
    AllGather(ranks, floats, 7, false);
  });
}

TEST(HcclLong, ManyCollectivesLeaveNothingBehind) {
  const int times = Whole() ? 100000 : 2000;
  AsRanks(2, [&](const Ranks& ranks) {
    const std::uint32_t rank = ranks.Has(0) ? 0 : 1;
    const DeviceBytes memory(Bytes(32 << 10, 0));
    const auto run = [&](int times) {
      for (int i = 0; i < times; ++i) {
        EXPECT_HCCL(HcclAllReduce(memory.at(), memory.at(), i % 100 == 0 ? 8000 : 2, HCCL_DATA_TYPE_INT32,
                                  HCCL_REDUCE_MAX, ranks.comm(rank), ranks.stream(rank)));
        if (i % 100 == 99) ranks.Synchronize();
      }
      ranks.Synchronize();
    };
    run(2000);
    const Use before = Use::Now();
    run(times);
    ExpectNoGrowth(before);
  });
}

TEST(HcclLong, ManyCommunicatorsLeaveNothingBehind) {
  if (!Whole()) GTEST_SKIP() << "a part of make hccl-check";
  AsProcesses(2, [](const RankProcess& process) {
    const HcclComm whole = process.Join();
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStream(&stream));
    const DeviceBytes memory(Bytes(sizeof(HcclRootInfo), 0));
    // Each is found by root information that the communicator of all carries.
    const auto run = [&](int times) {
      for (int i = 0; i < times; ++i) {
        HcclRootInfo info{};
        if (process.rank() == 0) {
          ASSERT_HCCL(HcclGetRootInfo(&info));
        }
        ASSERT_OK(aclrtMemcpy(memory.at(), sizeof info, &info, sizeof info, ACL_MEMCPY_HOST_TO_DEVICE));
        ASSERT_HCCL(HcclBroadcast(memory.at(), sizeof info, HCCL_DATA_TYPE_INT8, 0, whole, stream));
        ASSERT_OK(aclrtSynchronizeStream(stream));
        ASSERT_OK(aclrtMemcpy(&info, sizeof info, memory.at(), sizeof info, ACL_MEMCPY_DEVICE_TO_HOST));
        HcclComm comm = nullptr;
        ASSERT_HCCL(HcclCommInitRootInfo(2, &info, process.rank(), &comm));
        ASSERT_HCCL(HcclBarrier(comm, stream));
        ASSERT_OK(aclrtSynchronizeStream(stream));
        ASSERT_HCCL(HcclCommDestroy(comm));
      }
    };
    run(50);
    const Use before = Use::Now();
    run(1000);
    ExpectNoGrowth(before);
    EXPECT_OK(aclrtDestroyStream(stream));
    EXPECT_HCCL(HcclCommDestroy(whole));
  });
}

}  // namespace
