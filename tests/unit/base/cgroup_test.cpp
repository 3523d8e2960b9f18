// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/cgroup.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace foothold {
namespace {

// A machine of files under a directory of its own.
class Cgroup : public ::testing::Test {
 protected:
  Cgroup() {
    std::string name = std::filesystem::temp_directory_path() / "foothold_cgroup_XXXXXX";
    root_ = mkdtemp(name.data());
  }
  ~Cgroup() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ + path).substr(0, (root_ + path).find_last_of('/')));
    std::ofstream(root_ + path) << text;
  }
  void WriteUnified(const std::string& group) {
    Write("/proc/self/cgroup", "0::" + group + "\n");
    Write("/proc/self/mountinfo",
          "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
          "30 23 0:27 / /proc rw - proc proc rw\n");
  }

  std::string root_;
};

TEST_F(Cgroup, SetsNoLimitWhereThereIsNone) {
  EXPECT_EQ(ReadCgroupLimits(root_).cpus, std::nullopt);
  EXPECT_EQ(ReadCgroupLimits(root_).memory_bytes, std::nullopt);
  WriteUnified("/");
  Write("/sys/fs/cgroup/cpu.max", "max 100000\n");
  Write("/sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(ReadCgroupLimits(root_).cpus, std::nullopt);
  EXPECT_EQ(ReadCgroupLimits(root_).memory_bytes, std::nullopt);
}

TEST_F(Cgroup, ReadsVersion2) {
  WriteUnified("/");
  Write("/sys/fs/cgroup/cpu.max", "150000 100000\n");
  Write("/sys/fs/cgroup/memory.max", "1073741824\n");
  EXPECT_DOUBLE_EQ(ReadCgroupLimits(root_).cpus.value(), 1.5);
  EXPECT_EQ(ReadCgroupLimits(root_).memory_bytes, 1u << 30);
}

TEST_F(Cgroup, ReadsHowManyThreadsThereMayBe) {
  WriteUnified("/a");
  Write("/sys/fs/cgroup/pids.max", "max\n");
  EXPECT_EQ(ReadCgroupLimits(root_).tasks, std::nullopt);
  Write("/sys/fs/cgroup/a/pids.max", "100\n");
  EXPECT_EQ(ReadCgroupLimits(root_).tasks, 100u);
}

TEST_F(Cgroup, TakesTheLowestLimitOnTheWayToTheRoot) {
  WriteUnified("/a/b/c");
  Write("/sys/fs/cgroup/a/b/c/cpu.max", "400000 100000\n");
  Write("/sys/fs/cgroup/a/b/cpu.max", "200000 100000\n");
  Write("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
  Write("/sys/fs/cgroup/a/b/c/memory.max", "1000\n");
  Write("/sys/fs/cgroup/a/memory.max", "2000\n");
  EXPECT_DOUBLE_EQ(ReadCgroupLimits(root_).cpus.value(), 2);
  EXPECT_EQ(ReadCgroupLimits(root_).memory_bytes, 1000u);
}

TEST_F(Cgroup, ReadsVersion1) {
  Write("/proc/self/cgroup", "5:memory:/box\n4:cpu,cpuacct:/box\n1:name=systemd:/box\n");
  Write("/proc/self/mountinfo",
        "40 30 0:31 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
        "41 30 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "50000\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  Write("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "4096\n");
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_DOUBLE_EQ(ReadCgroupLimits(root_).cpus.value(), 0.5);
  EXPECT_EQ(ReadCgroupLimits(root_).memory_bytes, 4096u);
}

TEST_F(Cgroup, FollowsAMountOfPartOfTheTree) {
  Write("/proc/self/cgroup", "0::/pods/one/task\n");
  Write("/proc/self/mountinfo", "29 23 0:26 /pods/one /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  Write("/sys/fs/cgroup/task/cpu.max", "300000 100000\n");
  EXPECT_DOUBLE_EQ(ReadCgroupLimits(root_).cpus.value(), 3);
}

TEST_F(Cgroup, LooksAtTheMountPointWhenItsOwnGroupIsNotVisible) {
  Write("/proc/self/cgroup", "0::/../elsewhere\n");
  Write("/proc/self/mountinfo", "29 23 0:26 /pods/one /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  Write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_DOUBLE_EQ(ReadCgroupLimits(root_).cpus.value(), 2);
}

TEST_F(Cgroup, IgnoresFilesItCannotUnderstand) {
  Write("/proc/self/cgroup", "\n::\nnothing\n0::/\n");
  Write("/proc/self/mountinfo", "short - \n29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  for (const char* text : {"", "x y", "100000", "0 100000", "100000 0", "-5 100000", "100000 -5"}) {
    Write("/sys/fs/cgroup/cpu.max", text);
    Write("/sys/fs/cgroup/memory.max", "much");
    EXPECT_EQ(ReadCgroupLimits(root_).cpus, std::nullopt) << text;
    EXPECT_EQ(ReadCgroupLimits(root_).memory_bytes, std::nullopt);
  }
}

}  // namespace
}  // namespace foothold
