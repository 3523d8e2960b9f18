// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Calls that no program should make: all are answered, and nothing else suffers.
#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <limits>
#include <thread>

#include "conformance/hccl/collectives.h"
#include "hccl/hcom.h"

namespace {

constexpr auto kFloat = HCCL_DATA_TYPE_FP32;
constexpr auto kSum = HCCL_REDUCE_SUM;
constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

TEST(HcclAdversary, PassesPlacesBehindTheEndOfNumbers) {
  WithDevices([] {
    const Ranks ranks(1);
    const DeviceBytes memory(1024);
    void *const at = memory.at(), *const other = memory.at(512);
    const HcclComm comm = ranks.comm(0);
    const aclrtStream stream = ranks.stream(0);
    const std::uint64_t one = 1, none = 0;
    for (const std::uint64_t huge : {kHuge, kHuge / 4, kHuge / 4 + 1, kHuge / 2 + 1}) {
      EXPECT_EQ(HcclAllReduce(at, at, huge, kFloat, kSum, comm, stream), HCCL_E_PARA);
      EXPECT_EQ(HcclBroadcast(at, huge, kFloat, 0, comm, stream), HCCL_E_PARA);
      EXPECT_EQ(HcclReduceScatterV(at, &one, &huge, other, 1, kFloat, kSum, comm, stream), HCCL_E_PARA);
      EXPECT_EQ(HcclReduceScatterV(at, &huge, &none, other, huge, kFloat, kSum, comm, stream), HCCL_E_PARA);
      EXPECT_EQ(HcclAllGatherV(at, 1, other, &one, &huge, kFloat, comm, stream), HCCL_E_PARA);
      EXPECT_EQ(HcclAllGatherV(at, huge, other, &huge, &none, kFloat, comm, stream), HCCL_E_PARA);
      EXPECT_EQ(HcclAlltoAllV(at, &one, &huge, kFloat, other, &one, &none, kFloat, comm, stream),
                HCCL_E_PARA);
      EXPECT_EQ(HcclAlltoAllV(at, &one, &none, kFloat, other, &one, &huge, kFloat, comm, stream),
                HCCL_E_PARA);
      EXPECT_EQ(HcclAlltoAllV(at, &huge, &none, kFloat, other, &huge, &none, kFloat, comm, stream),
                HCCL_E_PARA);
      EXPECT_EQ(HcclAlltoAllVC(at, &huge, kFloat, other, kFloat, comm, stream), HCCL_E_PARA);
    }
    RecentError();
    AllReduce(ranks, TypeOf(kFloat), 100, kSum, false);
  });
}

TEST(HcclAdversary, PassesNothingWhereNothingIsAskedFor) {
  WithDevices([] {
    const Ranks ranks(1);
    const HcclComm comm = ranks.comm(0);
    const aclrtStream stream = ranks.stream(0);
    const std::uint64_t none = 0;
    EXPECT_EQ(HcclAllReduce(nullptr, nullptr, 0, kFloat, kSum, comm, stream), HCCL_E_PTR);
    EXPECT_EQ(HcclBroadcast(nullptr, 0, kFloat, 0, comm, stream), HCCL_E_PTR);
    EXPECT_HCCL(HcclAllGatherV(nullptr, 0, nullptr, &none, &none, kFloat, comm, stream));
    EXPECT_HCCL(HcclReduceScatterV(nullptr, &none, &none, nullptr, 0, kFloat, kSum, comm, stream));
    EXPECT_HCCL(HcclAlltoAllV(nullptr, &none, &none, kFloat, nullptr, &none, &none, kFloat, comm, stream));
    EXPECT_HCCL(HcclAlltoAllVC(nullptr, &none, kFloat, nullptr, kFloat, comm, stream));
    EXPECT_EQ(HcclBatchSendRecv(nullptr, 1, comm, stream), HCCL_E_PTR);
    ranks.Synchronize();
    RecentError();
  });
}

TEST(HcclAdversary, UsesAndDestroysWhatWasDestroyed) {
  WithDevices([] {
    int32_t device = 0;
    HcclComm comm = nullptr;
    ASSERT_HCCL(HcclCommInitAll(1, &device, &comm));
    ASSERT_OK(aclrtSetDevice(0));
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStream(&stream));
    EXPECT_HCCL(HcclGroupStart());
    EXPECT_HCCL(HcclCommDestroy(comm));
    EXPECT_HCCL(HcclCommDestroy(comm));
    EXPECT_EQ(HcclGroupEnd(), HCCL_E_PARA) << "the second time";
    const DeviceBytes memory(64);
    std::uint32_t number = 0;
    char name[COMM_NAME_MAX_LENGTH];
    HcclResult error = HCCL_SUCCESS;
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    HcclComm part = nullptr;
    std::uint32_t own[] = {0};
    HcclSendRecvItem item{HCCL_SEND, memory.at(), 1, kFloat, 0};
    EXPECT_EQ(HcclAllReduce(memory.at(), memory.at(), 1, kFloat, kSum, comm, stream), HCCL_E_PARA);
    EXPECT_EQ(HcclSend(memory.at(), 1, kFloat, 0, comm, stream), HCCL_E_PARA);
    EXPECT_EQ(HcclBatchSendRecv(&item, 1, comm, stream), HCCL_E_PARA);
    EXPECT_EQ(HcclBarrier(comm, stream), HCCL_E_PARA);
    EXPECT_EQ(HcclGetRankId(comm, &number), HCCL_E_PARA);
    EXPECT_EQ(HcclGetCommName(comm, name), HCCL_E_PARA);
    EXPECT_EQ(HcclGetCommAsyncError(comm, &error), HCCL_E_PARA);
    EXPECT_EQ(HcclCommSuspend(comm), HCCL_E_PARA);
    EXPECT_EQ(HcclCommResume(comm), HCCL_E_PARA);
    EXPECT_EQ(HcclCreateSubCommConfig(&comm, 1, own, 1, 0, &config, &part), HCCL_E_PARA);
    EXPECT_OK(aclrtDestroyStream(stream));
    RecentError();
  });
}

TEST(HcclAdversary, DestroysInCallbacks) {
  WithDevices([] {
    struct Work {
      HcclComm comms[2] = {};
      aclrtStream stream = nullptr;
      HcclResult answers[2] = {};
    } work;
    int32_t devices[] = {0, 1};
    ASSERT_HCCL(HcclCommInitAll(2, devices, work.comms));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtCreateStream(&work.stream));
    // Rank 1 never comes, and its communicator goes: the task of rank 0 fails.
    ASSERT_OK(aclrtLaunchHostFunc(
        work.stream,
        [](void* data) {
          auto& [comms, stream, answers] = *static_cast<Work*>(data);
          answers[1] = HcclCommDestroy(comms[1]);
        },
        &work));
    EXPECT_HCCL(HcclBarrier(work.comms[0], work.stream));
    EXPECT_EQ(aclrtSynchronizeStream(work.stream), ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);
    ASSERT_OK(aclrtLaunchHostFunc(
        work.stream,
        [](void* data) {
          auto& [comms, stream, answers] = *static_cast<Work*>(data);
          answers[0] = HcclCommDestroy(comms[0]);
        },
        &work));
    EXPECT_OK(aclrtSynchronizeStream(work.stream));
    EXPECT_EQ(work.answers[0], HCCL_SUCCESS);
    EXPECT_EQ(work.answers[1], HCCL_SUCCESS);
    EXPECT_OK(aclrtDestroyStream(work.stream));
    RecentError();
  });
}

TEST(HcclAdversary, InitialisesOneRankTwiceAtATime) {
  InChild({{"HCCL_SOCKET_IFNAME", "lo"}, {"HCCL_HOST_SOCKET_PORT_RANGE", "auto"}}, [] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    for (int i = 0; i < 20; ++i) {
      HcclRootInfo info;
      ASSERT_HCCL(HcclGetRootInfo(&info));
      std::atomic<int> made{0};
      std::vector<std::thread> threads;
      for (int one = 0; one < 2; ++one) {
        threads.emplace_back([&] {
          EXPECT_OK(aclrtSetDevice(0));
          HcclComm comm = nullptr;
          if (HcclCommInitRootInfo(1, &info, 0, &comm) != HCCL_SUCCESS) return;
          ++made;
          EXPECT_HCCL(HcclCommDestroy(comm));
        });
      }
      for (std::thread& thread : threads)
        thread.join();
      EXPECT_EQ(made.load(), 1);
    }
    EXPECT_OK(aclFinalize());
    RecentError();
  });
}

TEST(HcclAdversary, ChangesRootInformation) {
  InChild({{"HCCL_SOCKET_IFNAME", "lo"}, {"HCCL_CONNECT_TIMEOUT", "1"}}, [] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    HcclRootInfo info;
    ASSERT_HCCL(HcclGetRootInfo(&info));
    HcclComm comm = nullptr;
    constexpr std::size_t kText = 64, kPort = 76, kUnused = 78, kSecret = 80, kEnd = 96;
    for (std::size_t at = kText; at < kEnd; ++at) {
      if (at >= kUnused && at < kSecret) continue;
      HcclRootInfo changed = info;
      changed.internal[at] ^= static_cast<char>(at < kPort || at >= kUnused ? 0x41 : 1);
      EXPECT_NE(HcclCommInitRootInfo(1, &changed, 0, &comm), HCCL_SUCCESS) << "byte " << at;
    }
    for (const char* const text : {"", "127.0.0.1.1", "::::", "fe80::1%nowhere", "256.1.1.1", "localhost"}) {
      HcclRootInfo changed = info;
      std::memset(changed.internal, 0, kText);
      std::strcpy(changed.internal, text);
      EXPECT_NE(HcclCommInitRootInfo(1, &changed, 0, &comm), HCCL_SUCCESS) << text;
    }
    HcclRootInfo endless = info;
    std::memset(endless.internal, '1', kText);
    EXPECT_EQ(HcclCommInitRootInfo(1, &endless, 0, &comm), HCCL_E_PARA);
    EXPECT_EQ(comm, nullptr);
    EXPECT_HCCL(HcclCommInitRootInfo(1, &info, 0, &comm)) << "the true one still serves";
    EXPECT_HCCL(HcclCommDestroy(comm));
    EXPECT_OK(aclFinalize());
    RecentError();
  });
}

TEST(HcclAdversary, OffersFilesThatAreNoRankTables) {
  WithDevices([] {
    EXPECT_OK(aclrtSetDevice(0));
    HcclComm comm = nullptr;
    for (const char* const path : {"/", "", "/dev/null", "/dev/zero", "/proc/self/mem", "/nowhere/at/all"}) {
      EXPECT_NE(HcclCommInitClusterInfo(path, 0, &comm), HCCL_SUCCESS) << path;
      EXPECT_NE(HcomInitByRankTable(path, 0), HCCL_SUCCESS) << path;
    }
    const std::string deep(1'000'000, '[');
    for (
        const std::string& text :
        {std::string("{"), "{\"status\":" + deep, std::string("{\"status\":\"completed\"}"),
         std::string(
             R"({"status":"completed","server_list":[{"device":[{"rank_id":"-1","device_id":"0"}]}]})"),
         std::string(
             R"({"status":"completed","server_list":[{"device":[{"rank_id":"99999999999999999999","device_id":"0"}]}]})"),
         std::string(R"({"status":"completed","server_list":[{"device":[{"rank_id":{},"device_id":"0"}]}]})"),
         std::string(R"({"status":"completed","rank_list":[{"rank_id":1e999,"device_id":0}]})"),
         std::string(R"({"status":"completed","rank_list":{}})")})
      EXPECT_NE(HcomInitByRankTable(text.c_str(), 0), HCCL_SUCCESS) << text.substr(0, 100);
    RecentError();
  });
}

TEST(HcclAdversary, NamesMoreRanksThanThereAre) {
  InChild({{"HCCL_IF_BASE_PORT", "20180"}}, [] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    ASSERT_HCCL(HcomInitByRankTable(
        R"({"status":"completed","version":"1.0","server_count":"1","server_list":[{"server_id":"a","device":[{"device_id":"0","rank_id":"0"}]}]})",
        0));
    u32 ranks[] = {0, 0};
    EXPECT_EQ(HcomCreateGroup("two", 2, ranks), HCCL_E_PARA);
    EXPECT_EQ(HcomCreateGroup("all there could be", UINT32_MAX, ranks), HCCL_E_PARA);
    EXPECT_HCCL(HcomCreateGroup("one", 1, ranks));
    EXPECT_HCCL(HcomDestroy());
    EXPECT_OK(aclFinalize());
    RecentError();
  });
}

}  // namespace
