// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Communicators from rank tables, and groups by name.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "conformance/hccl/collectives.h"
#include "conformance/hccl/processes.h"
#include "hccl/hcom.h"

namespace {

using ::testing::HasSubstr;

std::string Server(std::uint32_t ranks) {
  std::string devices;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const std::string number = std::to_string(rank);
    devices += (rank == 0 ? "" : ",") + std::string(R"({"device_id":"0","device_ip":"192.0.2.)") + number +
               R"(","rank_id":")" + number + R"("})";
  }
  return R"({"server_id":"node-a","device":[)" + devices + "]}";
}

std::string Version1(std::uint32_t ranks) {
  return R"({"status":"completed","version":"1.0","server_count":"1","server_list":[)" + Server(ranks) + "]}";
}

std::string Version2(std::uint32_t ranks) {
  std::string list;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    list += (rank == 0 ? "" : ",") + std::string(R"({"rank_id":)") + std::to_string(rank) +
            R"(,"local_id":0,"device_id":0,"level_list":[{"net_layer":0,"net_instance_id":"node-a",)" +
            R"("rank_addr_list":[{"addr_type":"IPV4","addr":"192.0.2.1"}]}]})";
  }
  return R"({"status":"completed","version":"2.0","rank_count":)" + std::to_string(ranks) +
         R"(,"rank_list":[)" + list + "]}";
}

class TableFile {
 public:
  explicit TableFile(const std::string& text) {
    const int file = mkstemp(path_);
    EXPECT_EQ(write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    close(file);
  }
  ~TableFile() { unlink(path_); }
  const char* path() const { return path_; }

 private:
  char path_[32] = "/var/tmp/rank_table_XXXXXX";
};

// Each test has ports of its own, so that several may run at a time.
Settings Ports(const char* first) {
  return {{"HCCL_HOST_SOCKET_PORT_RANGE", ""}, {"HCCL_IF_BASE_PORT", first}};
}

TEST(HcclRankTable, MakesACommunicatorOfProcesses) {
  AsProcesses(
      3,
      [](const RankProcess& process) {
        for (const std::string& text : {Version1(3), Version2(3)}) {
          const TableFile file(text);
          HcclComm comm = nullptr;
          ASSERT_HCCL(HcclCommInitClusterInfo(file.path(), process.rank(), &comm));
          EXPECT_EQ(HcclCommInitClusterInfo(file.path(), process.rank(), &comm), HCCL_E_UNAVAIL);
          const Ranks ranks(3, process.rank(), 0, comm);
          AllReduce(ranks, TypeOf(HCCL_DATA_TYPE_FP32), 1000, HCCL_REDUCE_SUM, false);
        }
      },
      {}, Ports("20100"));
}

TEST(HcclRankTable, IsChecked) {
  InChild({}, [] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    HcclComm comm = nullptr;
    const auto make = [&](const std::string& text, std::uint32_t rank = 0) {
      const TableFile file(text);
      RecentError();
      return HcclCommInitClusterInfo(file.path(), rank, &comm);
    };
    EXPECT_EQ(HcclCommInitClusterInfo(nullptr, 0, &comm), HCCL_E_PTR);
    EXPECT_EQ(HcclCommInitClusterInfo("no such file", 0, &comm), HCCL_E_INTERNAL);
    EXPECT_THAT(RecentError(), HasSubstr("EI0004"));
    EXPECT_EQ(HcclCommInitClusterInfo("x", 0, nullptr), HCCL_E_PTR);
    EXPECT_EQ(make("no JSON"), HCCL_E_INTERNAL);
    EXPECT_EQ(make(R"({"status":"initializing","server_list":[]})"), HCCL_E_PARA);
    EXPECT_THAT(RecentError(), HasSubstr("initializing"));
    EXPECT_EQ(make(R"({"status":"completed","server_list":[]})"), HCCL_E_PARA);
    EXPECT_EQ(make(Version1(2), 2), HCCL_E_PARA);
    EXPECT_THAT(RecentError(), HasSubstr("rank 2"));
    std::string twice = Version1(2);
    twice.replace(twice.find(R"("rank_id":"1")"), 13, R"("rank_id":"0")");
    EXPECT_EQ(make(twice), HCCL_E_PARA);
    EXPECT_THAT(RecentError(), HasSubstr("twice"));
    RecentError();
    EXPECT_OK(aclFinalize());
  });
}

TEST(Hcom, HasTheWorldAndGroupsByName) {
  AsProcesses(
      3,
      [](const RankProcess& process) {
        const TableFile file(Version1(3));
        u32 value = 9;
        EXPECT_EQ(HcomGetRankSize(nullptr, &value), HCCL_E_NOT_FOUND);
        ASSERT_HCCL(HcomInitByRankTable(file.path(), process.rank()));
        EXPECT_EQ(HcomInitByRankTable(file.path(), process.rank()), HCCL_E_UNAVAIL);
        EXPECT_HCCL(HcomGetRankSize("hccl_world_group", &value));
        EXPECT_EQ(value, 3u);
        EXPECT_HCCL(HcomGetRankId(nullptr, &value));
        EXPECT_EQ(value, process.rank());
        EXPECT_HCCL(HcomGetLocalRankSize(nullptr, &value));
        EXPECT_EQ(value, 3u);
        EXPECT_HCCL(HcomGetLocalRankId(nullptr, &value));
        EXPECT_EQ(value, process.rank());
        u32 members[] = {0, 2};
        if (process.rank() == 1) {
          EXPECT_EQ(HcomCreateGroup("ends", 2, members), HCCL_E_PARA) << "it is not in it";
        } else {
          ASSERT_HCCL(HcomCreateGroup("ends", 2, members));
          EXPECT_EQ(HcomCreateGroup("ends", 2, members), HCCL_E_PARA);
          EXPECT_HCCL(HcomGetWorldRankFromGroupRank("ends", 1, &value));
          EXPECT_EQ(value, 2u);
          EXPECT_HCCL(HcomGetGroupRankFromWorldRank(2, "ends", &value));
          EXPECT_EQ(value, 1u);
          EXPECT_EQ(HcomGetGroupRankFromWorldRank(1, "ends", &value), HCCL_E_PARA);
          HcclComm comm = nullptr;
          ASSERT_HCCL(HcomGetCommHandleByGroup("ends", &comm));
          const DeviceBytes memory(Bytes(4, 1));
          EXPECT_HCCL(HcclAllReduce(memory.at(), memory.at(), 4, HCCL_DATA_TYPE_INT8, HCCL_REDUCE_SUM, comm,
                                    nullptr));
          EXPECT_OK(aclrtSynchronizeStream(nullptr));
          EXPECT_EQ(memory.Read(), Bytes(4, 2));
          EXPECT_HCCL(HcomDestroyGroup("ends"));
        }
        const u32 index = 1;
        const float part = 100;
        EXPECT_HCCL(HcomSetGradFusionByIndex(nullptr, 1, &index));
        EXPECT_HCCL(HcomSetGradFusionBySize(nullptr, 1, &part));
        EXPECT_EQ(HcomSetGradFusionBySize(nullptr, 1, nullptr), HCCL_E_PTR);
        EXPECT_EQ(HcomDestroyGroup("nobody"), HCCL_E_NOT_FOUND);
        EXPECT_HCCL(HcomDestroy());
        RecentError();
      },
      {}, Ports("20140"));
}

}  // namespace
