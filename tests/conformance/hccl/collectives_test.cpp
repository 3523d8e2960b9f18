// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Every collective with every type, operation, size and number of ranks, in place and not, against values
// that one process computes: as ranks of one process on streams of their own.
#include "conformance/hccl/collectives.h"

namespace {

constexpr std::uint32_t kRanks[] = {1, 2, 3, 5, 8};
constexpr std::uint64_t kLarge = (5 << 20) + 3;  // bytes
constexpr HcclReduceOp kOperations[] = {HCCL_REDUCE_SUM, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN};

std::vector<std::uint64_t> CountsFor(std::size_t size) {
  return {1, 7, 4096 / size - 1, 4096 / size, 4096 / size + 1};
}

TEST(HcclCollectives, ReduceEveryTypeWithEveryOperation) {
  WithDevices([] {
    for (const std::uint32_t count : kRanks) {
      const Ranks ranks(count);
      for (const ElementType& type : ElementTypes()) {
        for (const HcclReduceOp operation : kOperations) {
          for (const std::uint64_t elements : CountsFor(type.size)) {
            const bool telling = elements == 7 || elements > 4096 / type.size;
            if (!type.reduces || (operation != HCCL_REDUCE_SUM && !telling)) continue;
            for (const bool in_place : {false, true}) {
              AllReduce(ranks, type, elements, operation, in_place);
              Reduce(ranks, type, elements, operation, in_place);
              ReduceScatter(ranks, type, elements, operation, in_place);
            }
            ReduceScatterV(ranks, type, elements, operation);
          }
        }
      }
    }
  });
}

TEST(HcclCollectives, MoveEveryType) {
  WithDevices([] {
    for (const std::uint32_t count : kRanks) {
      const Ranks ranks(count);
      for (const ElementType& type : ElementTypes()) {
        for (const std::uint64_t elements : CountsFor(type.size)) {
          for (const bool in_place : {false, true}) {
            AllGather(ranks, type, elements, in_place);
            Scatter(ranks, type, elements, in_place);
          }
          Broadcast(ranks, type, elements);
          AllGatherV(ranks, type, elements);
          AllToAll(ranks, type, elements);
          AllToAllV(ranks, type, elements);
          AllToAllVC(ranks, type, elements);
          Messages(ranks, type, elements);
        }
      }
    }
  });
}

TEST(HcclCollectives, WorkOnLargeMemory) {
  WithDevices([] {
    const ElementType& floats = TypeOf(HCCL_DATA_TYPE_FP32);
    const ElementType& bytes = TypeOf(HCCL_DATA_TYPE_INT8);
    const ElementType& halves = TypeOf(HCCL_DATA_TYPE_BFP16);
    for (const std::uint32_t count : {2u, 3u}) {
      const Ranks ranks(count);
      AllReduce(ranks, floats, kLarge / 4, HCCL_REDUCE_SUM, false);
      AllReduce(ranks, bytes, kLarge, HCCL_REDUCE_MAX, true);
      AllReduce(ranks, halves, kLarge / 2, HCCL_REDUCE_SUM, true);
      ReduceScatter(ranks, floats, kLarge / 4 / count, HCCL_REDUCE_SUM, false);
      AllGather(ranks, bytes, kLarge / count, false);
      Broadcast(ranks, bytes, kLarge);
      AllToAll(ranks, bytes, kLarge / count);
      Messages(ranks, bytes, kLarge);
    }
  });
}

TEST(HcclCollectives, DoNothingForNoElements) {
  WithDevices([] {
    const Ranks ranks(2);
    const DeviceBytes memory(64);
    ranks.Call([&](std::uint32_t rank) {
      // Only one rank calls: nobody waits for the others.
      if (rank != 0) return HCCL_SUCCESS;
      void* const at = memory.at();
      HcclComm comm = ranks.comm(0);
      aclrtStream stream = ranks.stream(0);
      EXPECT_HCCL(HcclAllReduce(at, at, 0, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
      EXPECT_HCCL(HcclReduce(at, at, 0, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, 1, comm, stream));
      EXPECT_HCCL(HcclReduceScatter(at, at, 0, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
      EXPECT_HCCL(HcclBroadcast(at, 0, HCCL_DATA_TYPE_FP32, 1, comm, stream));
      EXPECT_HCCL(HcclScatter(at, at, 0, HCCL_DATA_TYPE_FP32, 1, comm, stream));
      EXPECT_HCCL(HcclAllGather(at, at, 0, HCCL_DATA_TYPE_FP32, comm, stream));
      EXPECT_HCCL(HcclSend(at, 0, HCCL_DATA_TYPE_FP32, 1, comm, stream));
      EXPECT_HCCL(HcclRecv(at, 0, HCCL_DATA_TYPE_FP32, 1, comm, stream));
      const std::uint64_t zeros[2] = {};
      EXPECT_HCCL(HcclAllGatherV(nullptr, 0, at, zeros, zeros, HCCL_DATA_TYPE_FP32, comm, stream));
      EXPECT_HCCL(
          HcclReduceScatterV(at, zeros, zeros, at, 0, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
      HcclSendRecvItem item{HCCL_SEND, at, 0, HCCL_DATA_TYPE_FP32, 1};
      EXPECT_HCCL(HcclBatchSendRecv(&item, 0, comm, stream));
      EXPECT_HCCL(HcclBatchSendRecv(&item, 1, comm, stream));
      return HCCL_SUCCESS;
    });
    ranks.Synchronize();
  });
}

TEST(HcclCollectives, TakeZerosAmongUnequalCounts) {
  WithDevices([] {
    const Ranks ranks(3);
    const std::uint64_t nothing[3] = {};
    const std::uint64_t to_last[3] = {0, 0, 4};
    std::vector<DeviceBytes> sent, received;
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      sent.emplace_back(Bytes(8, static_cast<std::uint8_t>(rank + 1)));
      received.emplace_back(Bytes(8, 9));
    }
    // Rank 0 sends four bytes to rank 2; rank 1 has nothing to do with anybody.
    const std::uint64_t from_first[3] = {4, 0, 0};
    ranks.Call([&](std::uint32_t rank) {
      return HcclAlltoAllV(sent[rank].at(), rank == 0 ? to_last : nothing, nothing, HCCL_DATA_TYPE_INT8,
                           received[rank].at(), rank == 2 ? from_first : nothing, nothing,
                           HCCL_DATA_TYPE_INT8, ranks.comm(rank), ranks.stream(rank));
    });
    ranks.Synchronize();
    EXPECT_EQ(received[1].Read(), Bytes(8, 9));
    EXPECT_EQ(received[2].Read(), (Bytes{1, 1, 1, 1, 9, 9, 9, 9}));
  });
}

TEST(HcclCollectives, KeepStreamsAtABarrier) {
  WithDevices([] {
    const Ranks ranks(3);
    Gate gate;
    ranks.Use(2);
    gate.Hold(ranks.stream(2));
    ranks.Call([&](std::uint32_t rank) { return HcclBarrier(ranks.comm(rank), ranks.stream(rank)); });
    EXPECT_TRUE(gate.Reached());
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
      ranks.Use(rank);
      EXPECT_OK(aclrtStreamQuery(ranks.stream(rank), &status));
      EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
    }
    gate.Open();
    ranks.Synchronize();
  });
}

TEST(HcclCollectives, QueueManyAtOnce) {
  WithDevices([] {
    const Ranks ranks(2);
    std::vector<DeviceBytes> memory;
    for (std::uint32_t rank = 0; rank < 2; ++rank)
      memory.emplace_back(Encode(HCCL_DATA_TYPE_UINT64, {1}));
    constexpr int kTimes = 60;  // 2^60 at the end
    for (int i = 0; i < kTimes; ++i) {
      ranks.Call([&](std::uint32_t rank) {
        return HcclAllReduce(memory[rank].at(), memory[rank].at(), 1, HCCL_DATA_TYPE_UINT64, HCCL_REDUCE_SUM,
                             ranks.comm(rank), ranks.stream(rank));
      });
    }
    ranks.Synchronize();
    for (const DeviceBytes& one : memory) {
      std::uint64_t value = 0;
      std::memcpy(&value, one.Read().data(), sizeof(value));
      EXPECT_EQ(value, std::uint64_t{1} << kTimes);
    }
  });
}

// Ranks may use any of their streams: the order of the calls counts.
TEST(HcclCollectives, GoByTheOrderOfCallsAcrossStreams) {
  WithDevices([] {
    const Ranks ranks(2);
    std::vector<aclrtStream> others(2);
    std::vector<DeviceBytes> first, second;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      ranks.Use(rank);
      EXPECT_OK(aclrtCreateStream(&others[rank]));
      first.emplace_back(Bytes(4, static_cast<std::uint8_t>(rank + 1)));
      second.emplace_back(Bytes(4, static_cast<std::uint8_t>(10 * (rank + 1))));
    }
    Gate gate;  // the stream of the first call goes on last
    ranks.Use(0);
    gate.Hold(ranks.stream(0));
    ranks.Call([&](std::uint32_t rank) {
      void* const at = first[rank].at();
      EXPECT_HCCL(HcclAllReduce(at, at, 4, HCCL_DATA_TYPE_UINT8, HCCL_REDUCE_SUM, ranks.comm(rank),
                                rank == 0 ? ranks.stream(0) : others[1]));
      void* const next = second[rank].at();
      return HcclAllReduce(next, next, 4, HCCL_DATA_TYPE_UINT8, HCCL_REDUCE_SUM, ranks.comm(rank),
                           rank == 0 ? others[0] : ranks.stream(1));
    });
    ranks.Use(0);
    EXPECT_OK(aclrtSynchronizeStream(others[0]));
    gate.Open();
    ranks.Synchronize();
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      ranks.Use(rank);
      EXPECT_OK(aclrtSynchronizeStream(others[rank]));
      EXPECT_EQ(first[rank].Read(), Bytes(4, 3));
      EXPECT_EQ(second[rank].Read(), Bytes(4, 30));
      EXPECT_OK(aclrtDestroyStream(others[rank]));
    }
  });
}

}  // namespace
