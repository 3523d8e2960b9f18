// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/hccl/processes.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <list>
#include <sstream>

namespace {

constexpr const char* kRank = "HCCL_TEST_RANK";

// Both ends are inherited by what is started.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() { EXPECT_EQ(pipe(ends), 0); }
  ~Pipe() {
    close(ends[0]);
    close(ends[1]);
  }
};

void WriteAll(int to, const void* from, std::size_t bytes) {
  EXPECT_EQ(write(to, from, bytes), static_cast<ssize_t>(bytes));
}

bool ReadAll(int from, void* to, std::size_t bytes) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = read(from, at, bytes);
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

// Where ranks run. HCCL_TEST_HOSTS set to anything: each as if on a host of its own. Set to processes, with
// commas: in the namespaces of these, in turn. Empty in the first case.
std::string HostOf(std::uint32_t rank) {
  const char* const text = std::getenv("HCCL_TEST_HOSTS");
  std::vector<std::string> hosts;
  for (std::istringstream all(text == nullptr ? "" : text); all.good();)
    std::getline(all, hosts.emplace_back(), ',');
  return hosts.size() < 2 ? "" : hosts[rank % hosts.size()];
}

pid_t StartRank(std::uint32_t rank, std::uint32_t size, int pipe, const Settings& settings) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string filter = std::string("--gtest_filter=") + test->test_suite_name() + "." + test->name();
  std::vector<std::string> own = {
      std::string(kRank) + "=" + std::to_string(rank), "HCCL_TEST_SIZE=" + std::to_string(size),
      "HCCL_TEST_PIPE=" + std::to_string(pipe), "HCCL_SOCKET_IFNAME=lo", "HCCL_HOST_SOCKET_PORT_RANGE=auto"};
  const std::string host = HostOf(rank);
  if (host.empty() && std::getenv("HCCL_TEST_HOSTS") != nullptr)
    own.push_back("FOOTHOLD_HCCL_HOST=" + std::to_string(rank));
  if (!host.empty()) own[3] = "HCCL_SOCKET_IFNAME=eth0";
  for (const auto& [name, value] : settings)
    own.insert(own.begin(), name + "=" + value);
  std::vector<char*> env;
  for (auto& one : own)
    env.push_back(one.data());
  for (char** old = environ; *old != nullptr; ++old)
    env.push_back(*old);
  env.push_back(nullptr);
  std::vector<std::string> words;
  if (!host.empty()) words = {"nsenter", "--target", host, "--net", "--uts", "--ipc", "--pid", "--mount"};
  words.insert(words.end(), {std::filesystem::canonical("/proc/self/exe"), filter, "--gtest_brief=1"});
  std::vector<char*> args;
  for (auto& word : words)
    args.push_back(word.data());
  args.push_back(nullptr);
  pid_t child = 0;
  EXPECT_EQ(posix_spawnp(&child, args[0], nullptr, nullptr, args.data(), env.data()), 0);
  return child;
}

// Rank 0 writes the root information to its parent; the others read it from there.
void BeRank(const std::function<void(const RankProcess&)>& body) {
  RankProcess self;
  self.rank_ = static_cast<std::uint32_t>(std::atoi(std::getenv(kRank)));
  self.size_ = static_cast<std::uint32_t>(std::atoi(std::getenv("HCCL_TEST_SIZE")));
  const int pipe = std::atoi(std::getenv("HCCL_TEST_PIPE"));
  ASSERT_OK(aclInit(nullptr));
  ASSERT_OK(aclrtSetDevice(0));
  if (self.rank_ == 0) {
    ASSERT_HCCL(HcclGetRootInfo(&self.root_info_));
    WriteAll(pipe, &self.root_info_, sizeof(self.root_info_));
  } else {
    ASSERT_TRUE(ReadAll(pipe, &self.root_info_, sizeof(self.root_info_)));
  }
  body(self);
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_OK(aclFinalize());
}

}  // namespace

HcclComm RankProcess::Join() const {
  HcclComm comm = nullptr;
  EXPECT_HCCL(HcclCommInitRootInfo(size_, &root_info_, rank_, &comm));
  return comm;
}

void AsProcesses(std::uint32_t count, const std::function<void(const RankProcess&)>& body,
                 const std::vector<std::uint32_t>& ended, const Settings& settings) {
  if (std::getenv(kRank) != nullptr) return BeRank(body);
  std::list<Pipe> pipes(count);  // the first is written by rank 0, the others are read by their rank
  std::vector<pid_t> children;
  auto pipe = pipes.begin();
  for (std::uint32_t rank = 0; rank < count; ++rank)
    children.push_back(StartRank(rank, count, pipe++->ends[rank == 0 ? 1 : 0], settings));
  HcclRootInfo info;
  pipe = pipes.begin();
  EXPECT_TRUE(ReadAll(pipe->ends[0], &info, sizeof(info)));
  while (++pipe != pipes.end())
    WriteAll(pipe->ends[1], &info, sizeof(info));
  for (std::uint32_t rank = 0; rank < count; ++rank) {
    int status = 0;
    EXPECT_EQ(waitpid(children[rank], &status, 0), children[rank]);
    const bool killed = std::find(ended.begin(), ended.end(), rank) != ended.end();
    EXPECT_EQ(killed, WIFSIGNALED(status)) << "rank " << rank;
    if (!killed) {
      EXPECT_EQ(WEXITSTATUS(status), 0) << "rank " << rank;
    }
  }
}

void AsRanks(std::uint32_t count, const std::function<void(const Ranks&)>& body) {
  AsProcesses(count, [&](const RankProcess& process) {
    HcclComm comm = process.Join();
    ASSERT_NE(comm, nullptr);
    const Ranks ranks(count, process.rank(), 0, comm);
    body(ranks);
  });
}
