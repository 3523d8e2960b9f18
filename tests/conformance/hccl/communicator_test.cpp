// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Communicators of one process: making, asking, parts and ends.
#include <gmock/gmock.h>

#include <set>
#include <string>

#include "conformance/hccl/collectives.h"
#include "conformance/in_fork.h"

namespace {

using ::testing::HasSubstr;

std::string NameOf(HcclComm comm) {
  char name[COMM_NAME_MAX_LENGTH] = {};
  EXPECT_HCCL(HcclGetCommName(comm, name));
  return name;
}

HcclCommConfig Config(const char* name = "") {
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  std::strcpy(config.hcclCommName, name);
  return config;
}

TEST(HcclCommunicators, KnowTheirRanks) {
  WithDevices([] {
    const Ranks ranks(3);
    std::set<std::string> names;
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      std::uint32_t size = 0, own = 9;
      EXPECT_HCCL(HcclGetRankSize(ranks.comm(rank), &size));
      EXPECT_HCCL(HcclGetRankId(ranks.comm(rank), &own));
      EXPECT_EQ(size, 3u);
      EXPECT_EQ(own, rank);
      names.insert(NameOf(ranks.comm(rank)));
    }
    EXPECT_EQ(names.size(), 1u) << "all ranks have one name";
    HcclComm found = nullptr;
    ranks.Use(1);
    EXPECT_HCCL(HcclCommGetHandleWithName(names.begin()->c_str(), &found));
    EXPECT_EQ(found, ranks.comm(1)) << "that of the current device";
    EXPECT_EQ(HcclCommGetHandleWithName("nobody", &found), HCCL_E_NOT_FOUND);
    HcclCommStatus status;
    EXPECT_HCCL(HcclCommGetStatus(names.begin()->c_str(), &status));
    EXPECT_EQ(status, HCCL_COMM_STATUS_READY);
    EXPECT_HCCL(HcclCommGetStatus("nobody", &status));
    EXPECT_EQ(status, HCCL_COMM_STATUS_INVALID);
    EXPECT_EQ(HcclGetRankSize(nullptr, nullptr), HCCL_E_PTR);
    EXPECT_EQ(HcclGetRankSize(ranks.comm(0), nullptr), HCCL_E_PTR);
    EXPECT_EQ(HcclGetRankId(ranks.comm(0), nullptr), HCCL_E_PTR);
    EXPECT_EQ(HcclGetCommName(ranks.comm(0), nullptr), HCCL_E_PTR);
    EXPECT_EQ(HcclGetCommAsyncError(nullptr, nullptr), HCCL_E_PTR);
    HcclResult error = HCCL_E_PARA;
    EXPECT_HCCL(HcclGetCommAsyncError(ranks.comm(0), &error));
    EXPECT_EQ(error, HCCL_SUCCESS);
    RecentError();
  });
}

TEST(HcclCommunicators, AreMadeForDifferentDevicesOnly) {
  WithDevices([] {
    HcclComm comms[2] = {};
    int32_t devices[2] = {1, 1};
    EXPECT_EQ(HcclCommInitAll(0, devices, comms), HCCL_E_PARA);
    EXPECT_EQ(HcclCommInitAll(2, nullptr, comms), HCCL_E_PTR);
    EXPECT_EQ(HcclCommInitAll(2, devices, nullptr), HCCL_E_PTR);
    RecentError();
    EXPECT_EQ(HcclCommInitAll(2, devices, comms), HCCL_E_PARA);
    EXPECT_THAT(RecentError(), HasSubstr("twice"));
    devices[1] = 100;
    EXPECT_EQ(HcclCommInitAll(2, devices, comms), HCCL_E_PARA);
    EXPECT_THAT(RecentError(), HasSubstr("100"));
  });
}

TEST(HcclCommunicators, EndWithTheirHandles) {
  WithDevices([] {
    EXPECT_HCCL(HcclCommDestroy(nullptr));
    int32_t device = 0;
    HcclComm comm = nullptr;
    ASSERT_HCCL(HcclCommInitAll(1, &device, &comm));
    EXPECT_HCCL(HcclCommDestroy(comm));
    EXPECT_EQ(HcclCommDestroy(comm), HCCL_E_PARA);
    EXPECT_THAT(RecentError(), HasSubstr("was destroyed"));
    int other = 0;
    EXPECT_EQ(HcclCommDestroy(&other), HCCL_E_PARA);
  });
}

TEST(HcclCommunicators, AreMadeAThousandTimes) {
  WithDevices([] {
    int32_t devices[2] = {0, 1};
    for (int i = 0; i < 1000; ++i) {
      HcclComm comms[2] = {};
      ASSERT_HCCL(HcclCommInitAll(2, devices, comms));
      ASSERT_HCCL(HcclCommDestroy(comms[0]));
      ASSERT_HCCL(HcclCommDestroy(comms[1]));
    }
  });
}

TEST(HcclCommunicators, HaveParts) {
  WithDevices([] {
    const Ranks ranks(5);
    std::uint32_t members[] = {1, 2, 4};
    HcclComm parts[3] = {};
    const HcclCommConfig config = Config();
    for (std::uint32_t i = 0; i < 3; ++i) {
      HcclComm whole = ranks.comm(members[i]);
      HcclCommConfig own = config;
      ASSERT_HCCL(HcclCreateSubCommConfig(&whole, 3, members, 77, i, &own, &parts[i]));
      EXPECT_EQ(NameOf(parts[i]), NameOf(whole) + "_sub_77");
    }
    std::vector<DeviceBytes> memory;
    for (std::uint32_t i = 0; i < 3; ++i)
      memory.emplace_back(Bytes(4, static_cast<std::uint8_t>(i + 1)));
    for (std::uint32_t i = 0; i < 3; ++i) {
      EXPECT_HCCL(HcclAllReduce(memory[i].at(), memory[i].at(), 4, HCCL_DATA_TYPE_INT8, HCCL_REDUCE_SUM,
                                parts[i], ranks.stream(members[i])));
    }
    ranks.Synchronize();
    for (std::uint32_t i = 0; i < 3; ++i) {
      EXPECT_EQ(memory[i].Read(), Bytes(4, 6));
      EXPECT_HCCL(HcclCommDestroy(parts[i]));
    }
  });
}

TEST(HcclCommunicators, RefusePartsThatMakeNoSense) {
  WithDevices([] {
    const Ranks ranks(2);
    HcclComm whole = ranks.comm(0), part = nullptr;
    HcclCommConfig config = Config();
    std::uint32_t own[] = {0}, wrong[] = {0, 7};
    const auto make = [&](HcclComm* comm, std::uint32_t count, std::uint32_t* ids, std::uint64_t id,
                          std::uint32_t rank, HcclCommConfig* with) {
      return HcclCreateSubCommConfig(comm, count, ids, id, rank, with, &part);
    };
    EXPECT_EQ(make(nullptr, 1, own, 1, 0, &config), HCCL_E_PTR);
    EXPECT_EQ(make(&whole, 1, own, 1, 0, nullptr), HCCL_E_PTR);
    EXPECT_EQ(make(&whole, 1, nullptr, 1, 0, &config), HCCL_E_PARA);
    EXPECT_EQ(make(&whole, 1, own, 0xFFFFFFFF, 0, &config), HCCL_E_PARA);
    EXPECT_EQ(make(&whole, 1, nullptr, 0xFFFFFFFF, 0, &config), HCCL_SUCCESS) << "a rank outside";
    EXPECT_EQ(make(&whole, 0, own, 1, 0, &config), HCCL_E_PARA);
    EXPECT_EQ(make(&whole, 1, own, 1, 1, &config), HCCL_E_PARA);
    EXPECT_EQ(make(&whole, 2, wrong, 1, 0, &config), HCCL_E_PARA);
    ASSERT_EQ(make(&whole, 1, own, 1, 0, &config), HCCL_SUCCESS) << RecentError();
    HcclComm again = nullptr;
    EXPECT_EQ(HcclCreateSubCommConfig(&part, 1, own, 1, 0, &config, &again), HCCL_E_NOT_SUPPORT);
    EXPECT_HCCL(HcclCommDestroy(part));
    RecentError();
  });
}

TEST(HcclCommunicators, ReadConfigurationsOfEverySize) {
  WithDevices([] {
    const Ranks ranks(1);
    HcclComm whole = ranks.comm(0);
    std::uint32_t own[] = {0};
    std::uint64_t id = 1;
    for (const std::size_t size : {std::size_t{160}, std::size_t{300}, std::size_t{2232},
                                   sizeof(HcclCommConfig), sizeof(HcclCommConfig) + 100}) {
      std::vector<char> room(sizeof(HcclCommConfig) + 200, '\x7f');  // behind its end is something else
      HcclCommConfig config = Config("mine");
      std::memcpy(&config, &size, sizeof(size));
      std::memcpy(room.data(), &config, std::min(size, sizeof(config)));
      HcclComm part = nullptr;
      ASSERT_HCCL(HcclCreateSubCommConfig(&whole, 1, own, id++, 0,
                                          reinterpret_cast<HcclCommConfig*>(room.data()), &part));
      EXPECT_EQ(NameOf(part), "mine");
      HcclComm twin = nullptr;
      EXPECT_EQ(HcclCreateSubCommConfig(&whole, 1, own, id++, 0, &config, &twin), HCCL_E_PARA)
          << "its name is taken";
      EXPECT_HCCL(HcclCommDestroy(part));
    }
    HcclCommConfig empty{};
    HcclComm part = nullptr;
    EXPECT_EQ(HcclCreateSubCommConfig(&whole, 1, own, id, 0, &empty, &part), HCCL_E_PARA);
    EXPECT_THAT(RecentError(), HasSubstr("HcclCommConfigInit"));
    EXPECT_EQ(HcclGetCommConfigCapability(), std::uint32_t{HCCL_COMM_CONFIG_RESERVED});
  });
}

TEST(HcclCommunicators, CanBeSuspended) {
  WithDevices([] {
    const Ranks ranks(1);
    HcclResult error = HCCL_SUCCESS;
    EXPECT_HCCL(HcclCommSuspend(ranks.comm(0)));
    EXPECT_EQ(HcclBarrier(ranks.comm(0), ranks.stream(0)), HCCL_E_SUSPENDING);
    EXPECT_HCCL(HcclGetCommAsyncError(ranks.comm(0), &error));
    EXPECT_EQ(error, HCCL_E_SUSPENDING);
    HcclCommStatus status;
    EXPECT_HCCL(HcclCommGetStatus(NameOf(ranks.comm(0)).c_str(), &status));
    EXPECT_EQ(status, HCCL_COMM_STATUS_SUSPENDING);
    EXPECT_HCCL(HcclCommResume(ranks.comm(0)));
    EXPECT_HCCL(HcclBarrier(ranks.comm(0), ranks.stream(0)));
    ranks.Synchronize();
    RecentError();
  });
}

TEST(HcclCommunicators, KeepTheSettingOfTheProcess) {
  HcclConfigValue value{2}, read{-1};
  EXPECT_HCCL(HcclSetConfig(HCCL_DETERMINISTIC, value));
  EXPECT_HCCL(HcclGetConfig(HCCL_DETERMINISTIC, &read));
  EXPECT_EQ(read.value, 2);
  value.value = 3;
  EXPECT_EQ(HcclSetConfig(HCCL_DETERMINISTIC, value), HCCL_E_PARA);
  EXPECT_EQ(HcclSetConfig(HCCL_CONFIG_RESERVED, value), HCCL_E_PARA);
  EXPECT_EQ(HcclGetConfig(HCCL_DETERMINISTIC, nullptr), HCCL_E_PTR);
  value.value = 0;
  EXPECT_HCCL(HcclSetConfig(HCCL_DETERMINISTIC, value));
  RecentError();
}

TEST(HcclCommunicators, HavePhrasesForResults) {
  EXPECT_STREQ(HcclGetErrorString(HCCL_SUCCESS), "no error");
  EXPECT_STREQ(HcclGetErrorString(HCCL_E_PARA), "parameter error");
  EXPECT_STREQ(HcclGetErrorString(HCCL_E_TIMEOUT), "timeout");
  EXPECT_STREQ(HcclGetErrorString(static_cast<HcclResult>(77)), "unknown error");
}

TEST(HcclCommunicators, AreToldOfMemoryInAdvance) {
  WithDevices([] {
    const Ranks ranks(1);
    HcclComm comm = ranks.comm(0);
    const DeviceBytes memory(Bytes(1024, 1));
    EXPECT_HCCL(HcclCommSetMemoryRange(comm, memory.at(), 1024, 0, 0));
    EXPECT_EQ(HcclCommSetMemoryRange(comm, memory.at(), 1024, 1, 0), HCCL_E_PARA);
    EXPECT_EQ(HcclCommSetMemoryRange(comm, nullptr, 1024, 0, 0), HCCL_E_PTR);
    EXPECT_HCCL(HcclCommActivateCommMemory(comm, memory.at(), 1024, 0, nullptr, 0));
    EXPECT_HCCL(HcclCommDeactivateCommMemory(comm, memory.at()));
    EXPECT_HCCL(HcclCommUnsetMemoryRange(comm, memory.at()));
    HcclCommSymWindow window = nullptr, found = nullptr;
    std::size_t offset = 0;
    EXPECT_HCCL(HcclCommSymWinRegister(comm, memory.at(), 512, &window, 1));
    EXPECT_HCCL(HcclCommSymWinGet(comm, memory.at(100), 412, &found, &offset));
    EXPECT_EQ(found, window);
    EXPECT_EQ(offset, 100u);
    EXPECT_EQ(HcclCommSymWinGet(comm, memory.at(100), 413, &found, &offset), HCCL_E_NOT_FOUND);
    EXPECT_HCCL(HcclCommSymWinDeregister(window));
    EXPECT_EQ(HcclCommSymWinDeregister(window), HCCL_E_PARA);
    EXPECT_EQ(HcclCommSymWinRegister(comm, memory.at(), 0, &window, 1), HCCL_E_PARA);
    RecentError();
  });
}

TEST(HcclCommunicators, TakeMemoryForOneSidedUse) {
  WithDevices([] {
    const Ranks ranks(2);
    const DeviceBytes memory(1024);
    const HcclComm comm = ranks.comm(0);
    void* handle = nullptr;
    std::uint32_t peers[] = {1, 2};
    bool backup[] = {false, true};
    EXPECT_HCCL(HcclCommRegister(comm, memory.at(), 512, &handle, 0));
    EXPECT_HCCL(HcclCommExchangeMem(comm, handle, peers, 1));
    EXPECT_EQ(HcclCommExchangeMem(comm, handle, peers, 2), HCCL_E_PARA) << "there is no rank 2";
    EXPECT_EQ(HcclCommExchangeMem(comm, handle, nullptr, 1), HCCL_E_PTR);
    EXPECT_EQ(HcclCommExchangeMem(ranks.comm(1), handle, peers, 1), HCCL_E_PARA) << "it is another's memory";
    EXPECT_EQ(HcclCommDeregister(ranks.comm(1), handle), HCCL_E_PARA);
    EXPECT_HCCL(HcclCommDeregister(comm, handle));
    EXPECT_EQ(HcclCommDeregister(comm, handle), HCCL_E_PARA);
    EXPECT_EQ(HcclCommDeregister(comm, nullptr), HCCL_E_PTR);
    EXPECT_EQ(HcclCommRegister(comm, memory.at(), 0, &handle, 0), HCCL_E_PARA);
    EXPECT_EQ(HcclCommRegister(comm, memory.at(), 1, nullptr, 0), HCCL_E_PTR);
    EXPECT_EQ(HcclCommRegister(nullptr, memory.at(), 1, &handle, 0), HCCL_E_PTR);
    EXPECT_HCCL(HcclCommWorkingDevNicSet(comm, peers, backup, 1));
    EXPECT_EQ(HcclCommWorkingDevNicSet(comm, peers, backup, 2), HCCL_E_PARA);
    EXPECT_EQ(HcclCommWorkingDevNicSet(comm, nullptr, backup, 1), HCCL_E_PTR);
    EXPECT_EQ(HcclCommWorkingDevNicSet(comm, peers, nullptr, 1), HCCL_E_PTR);
    RecentError();
  });
}

TEST(HcclCommunicators, AreNotThoseOfAForkedChild) {
  WithDevices([] {
    const Ranks ranks(2);
    ranks.Call([&](std::uint32_t rank) { return HcclBarrier(ranks.comm(rank), ranks.stream(rank)); });
    ranks.Synchronize();
    SKIP_WHERE_FORKS_HAVE_NO_THREADS();
    SKIP_WHERE_FORKS_KEEP_ALLOCATORS_LOCKED();  // threads of the library free what the collectives took
    const int status = InFork({}, [&] {
      EXPECT_EQ(HcclBarrier(ranks.comm(0), nullptr), HCCL_E_PARA);
      EXPECT_OK(aclInit(nullptr));
      {
        const Ranks own(2);
        AllReduce(own, TypeOf(HCCL_DATA_TYPE_FP32), 100, HCCL_REDUCE_SUM, false);
      }
      EXPECT_OK(aclFinalize());
    });
    EXPECT_EQ(status, 0);
    AllReduce(ranks, TypeOf(HCCL_DATA_TYPE_FP32), 100, HCCL_REDUCE_SUM, false);
  });
}

}  // namespace
