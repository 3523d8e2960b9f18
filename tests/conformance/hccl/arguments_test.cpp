// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What collectives answer to arguments that cannot be right: a code, a text that says what is wrong, and the
// next call works.
#include <gmock/gmock.h>

#include "conformance/hccl/collectives.h"

namespace {

using ::testing::HasSubstr;

#define EXPECT_REFUSED(code, words, call)                  \
  do {                                                     \
    RecentError();                                         \
    EXPECT_EQ(call, code) << #call;                        \
    EXPECT_THAT(RecentError(), HasSubstr(words)) << #call; \
  } while (false)

constexpr auto kFloat = HCCL_DATA_TYPE_FP32;
constexpr auto kSum = HCCL_REDUCE_SUM;
constexpr auto kNoType = static_cast<HcclDataType>(13);
constexpr auto kNoOperation = static_cast<HcclReduceOp>(4);

class OneRank {
 public:
  OneRank() : ranks_(1), memory_(Bytes(1024, 1)) {}
  HcclComm comm() const { return ranks_.comm(0); }
  aclrtStream stream() const { return ranks_.stream(0); }
  void* at(std::size_t offset = 0) const { return memory_.at(offset); }
  const Ranks& ranks() const { return ranks_; }

 private:
  Ranks ranks_;
  DeviceBytes memory_;
};

TEST(HcclArguments, OfReductionsAreChecked) {
  WithDevices([] {
    const OneRank one;
    HcclComm comm = one.comm();
    aclrtStream stream = one.stream();
    void* at = one.at();
    EXPECT_REFUSED(HCCL_E_PTR, "comm", HcclAllReduce(at, at, 1, kFloat, kSum, nullptr, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "sendBuf", HcclAllReduce(nullptr, at, 1, kFloat, kSum, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "recvBuf", HcclAllReduce(at, nullptr, 1, kFloat, kSum, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "recvBuf", HcclReduce(at, nullptr, 1, kFloat, kSum, 0, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "sendBuf", HcclReduceScatter(nullptr, at, 1, kFloat, kSum, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "13", HcclAllReduce(at, at, 1, kNoType, kSum, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "HcclReduceOp", HcclAllReduce(at, at, 1, kFloat, kNoOperation, comm, stream));
    EXPECT_REFUSED(HCCL_E_NOT_SUPPORT, "int128",
                   HcclAllReduce(at, at, 1, HCCL_DATA_TYPE_INT128, kSum, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "root", HcclReduce(at, at, 1, kFloat, kSum, 1, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "HcclAllReduce", HcclAllReduce(at, at, 1000, kFloat, kSum, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "larger than any memory",
                   HcclAllReduce(at, at, UINT64_MAX, kFloat, kSum, comm, stream));
    int on_stack = 0;
    EXPECT_REFUSED(HCCL_E_PARA, "host memory", HcclAllReduce(at, &on_stack, 1, kFloat, kSum, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "not a communicator", HcclAllReduce(at, at, 1, kFloat, kSum, stream, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "not a stream", HcclAllReduce(at, at, 1, kFloat, kSum, comm, comm));
    const std::uint64_t count = 1, place = 0;
    EXPECT_REFUSED(HCCL_E_PTR, "sendCounts",
                   HcclReduceScatterV(at, nullptr, &place, at, 1, kFloat, kSum, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "sendDispls",
                   HcclReduceScatterV(at, &count, nullptr, at, 1, kFloat, kSum, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "recvCount is 2",
                   HcclReduceScatterV(at, &count, &place, at, 2, kFloat, kSum, comm, stream));
    EXPECT_HCCL(HcclAllReduce(at, at, 1, kFloat, kSum, comm, stream));
    one.ranks().Synchronize();
  });
}

TEST(HcclArguments, OfMovesAreChecked) {
  WithDevices([] {
    const OneRank one;
    HcclComm comm = one.comm();
    aclrtStream stream = one.stream();
    void *at = one.at(), *other = one.at(512);
    const std::uint64_t count = 1, place = 0;
    EXPECT_REFUSED(HCCL_E_PTR, "buf", HcclBroadcast(nullptr, 1, kFloat, 0, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "root", HcclBroadcast(at, 1, kFloat, 5, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "sendBuf", HcclScatter(nullptr, at, 1, kFloat, 0, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "recvBuf", HcclScatter(at, nullptr, 1, kFloat, 0, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "recvBuf", HcclAllGather(at, nullptr, 1, kFloat, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "HcclDataType", HcclAllGather(at, at, 1, kNoType, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "sendCount is 2",
                   HcclAllGatherV(at, 2, other, &count, &place, kFloat, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "sendBuf",
                   HcclAllGatherV(nullptr, 1, other, &count, &place, kFloat, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "2 of type", HcclAlltoAll(at, 1, kFloat, other, 2, kFloat, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "int8",
                   HcclAlltoAll(at, 1, kFloat, other, 1, HCCL_DATA_TYPE_INT8, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "same memory", HcclAlltoAll(at, 1, kFloat, at, 1, kFloat, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "same memory",
                   HcclAlltoAllV(at, &count, &place, kFloat, at, &count, &place, kFloat, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "rdispls",
                   HcclAlltoAllV(at, &count, &place, kFloat, other, &count, nullptr, kFloat, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "sendCountMatrix",
                   HcclAlltoAllVC(at, nullptr, kFloat, other, kFloat, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "comm", HcclBarrier(nullptr, stream));
    EXPECT_HCCL(HcclAlltoAllVC(at, &count, kFloat, other, kFloat, comm, stream));
    one.ranks().Synchronize();
  });
}

TEST(HcclArguments, OfMessagesAreChecked) {
  WithDevices([] {
    const OneRank one;
    HcclComm comm = one.comm();
    aclrtStream stream = one.stream();
    void* at = one.at();
    EXPECT_REFUSED(HCCL_E_PTR, "sendBuf", HcclSend(nullptr, 1, kFloat, 0, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "recvBuf", HcclRecv(nullptr, 1, kFloat, 0, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "destRank", HcclSend(at, 1, kFloat, 1, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "srcRank", HcclRecv(at, 1, kFloat, 1, comm, stream));
    EXPECT_REFUSED(HCCL_E_PARA, "itself", HcclSend(at, 1, kFloat, 0, comm, stream));
    EXPECT_REFUSED(HCCL_E_PTR, "sendRecvInfo", HcclBatchSendRecv(nullptr, 0, comm, stream));
    HcclSendRecvItem item{HCCL_SEND, at, 1, kFloat, 0};
    EXPECT_REFUSED(HCCL_E_PARA, "to itself", HcclBatchSendRecv(&item, 1, comm, stream));
    item.buf = nullptr;
    EXPECT_REFUSED(HCCL_E_PTR, "buf", HcclBatchSendRecv(&item, 1, comm, stream));
    item = {HCCL_SEND_RECV_RESERVED, at, 1, kFloat, 0};
    EXPECT_REFUSED(HCCL_E_PARA, "sendRecvType", HcclBatchSendRecv(&item, 1, comm, stream));
  });
}

TEST(HcclArguments, MayBeTheDefaultStream) {
  WithDevices([] {
    const Ranks ranks(2);
    std::vector<DeviceBytes> memory;
    memory.emplace_back(Bytes(4, 1));
    memory.emplace_back(Bytes(4, 2));
    ranks.Call([&](std::uint32_t rank) {
      return HcclAllReduce(memory[rank].at(), memory[rank].at(), 4, HCCL_DATA_TYPE_INT8, kSum,
                           ranks.comm(rank), nullptr);
    });
    ranks.Use(0);
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(memory[0].Read(), Bytes(4, 3));
    EXPECT_REFUSED(HCCL_E_PARA, "device 1", HcclBarrier(ranks.comm(1), nullptr));
    EXPECT_REFUSED(HCCL_E_PARA, "device 1", HcclBarrier(ranks.comm(1), ranks.stream(0)));
  });
}

// One thread may call for all devices without making each current.
TEST(HcclArguments, NeedNoCurrentDeviceForAStream) {
  WithDevices([] {
    const Ranks ranks(2);
    ranks.Use(0);
    EXPECT_HCCL(HcclBarrier(ranks.comm(0), ranks.stream(0)));
    EXPECT_HCCL(HcclBarrier(ranks.comm(1), ranks.stream(1)));
    ranks.Synchronize();
  });
}

}  // namespace
