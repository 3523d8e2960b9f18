// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// aclrtIpcMem*: device memory of one process in another.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "conformance/device_fixture.h"
#include "conformance/in_fork.h"
#include "conformance/sharing/share_peer.h"

namespace {

constexpr int kNoPermission = ACL_ERROR_RT_NO_PERMISSION;
constexpr int kNotShared = ACL_ERROR_RT_IPC_ERROR;
constexpr const char* kNever = "foothold-share-m-0123456789abcdef0123456789abcdef0123456789.....";

std::string Number(std::size_t value) {
  return std::to_string(value);
}

// A block of each kind: of a slab, of pages of its own, and in a file from the start.
struct Size {
  std::size_t bytes;
  aclrtMemMallocPolicy policy;
};
class SharedMemory : public testing::TestWithParam<Size> {
 protected:
  std::string bytes() const { return Number(GetParam().bytes); }
  std::string Allocate(const char* name) const {
    return std::string("allocate ") + name + " " + bytes() + " " + Number(GetParam().policy);
  }
};
INSTANTIATE_TEST_SUITE_P(Sizes, SharedMemory,
                         testing::Values(Size{200, ACL_MEM_MALLOC_HUGE_FIRST},
                                         Size{100'000, ACL_MEM_MALLOC_HUGE_FIRST},
                                         Size{5'000'000, ACL_MEM_MALLOC_HUGE_FIRST},
                                         Size{5'000'000, ACL_MEM_MALLOC_HUGE_FIRST_P2P}));

TEST_P(SharedMemory, IsTheSameInBothProcesses) {
  SharePeer one, other;
  one.Get(Allocate("block"));
  one.Get("fill block 7");
  const std::string key = one.Get("export block 1");
  EXPECT_EQ(key.size(), 63u);
  other.Get("import block " + bytes() + " " + key);
  EXPECT_EQ(other.Get("see block"), "7");
  other.Get("fill block 9");
  EXPECT_EQ(one.Get("see block"), "9");
  other.Get("close " + key);
  one.Get("close " + key);
  EXPECT_EQ(one.Get("see block"), "9");
  one.Get("free block");
}

TEST_P(SharedMemory, StaysWithTheImporterWhenItsOwnerIsKilled) {
  SharePeer one, other;
  one.Get(Allocate("block"));
  one.Get("fill block 7");
  const std::string key = one.Get("export block 1");
  other.Get("import block " + bytes() + " " + key);
  one.Kill();
  EXPECT_EQ(other.Get("see block"), "7");
  other.Get("fill block 3");
  EXPECT_EQ(other.Get("see block"), "3");
  EXPECT_EQ(other.Do("import again " + bytes() + " " + key), ACL_SUCCESS) << "it is here already";
  other.Get("close " + key);
  other.Get("close " + key);
  EXPECT_EQ(other.Do("import again " + bytes() + " " + key), kNotShared);
}

TEST_P(SharedMemory, IsTheOwnersAgainOnceItIsFreed) {
  SharePeer one, other;
  one.Get(Allocate("neighbour"));
  one.Get(Allocate("block"));
  one.Get("fill neighbour 1");
  one.Get("fill block 7");
  const std::string key = one.Get("export block 1");
  other.Get("import block " + bytes() + " " + key);
  one.Get("free block");
  EXPECT_EQ(other.Do("import again 8 " + key), ACL_SUCCESS);
  EXPECT_EQ(one.Get("see neighbour"), "1");
  one.Get(Allocate("next"));
  one.Get("fill next 8");
  EXPECT_EQ(other.Get("see block"), "7") << "the importer keeps what there was";
  other.Get("fill block 5");
  EXPECT_EQ(one.Get("see next"), "8") << "and cannot reach what comes after it";
  SharePeer third;
  EXPECT_EQ(third.Do("import block 8 " + key), kNotShared);
}

TEST_P(SharedMemory, DoesNotCareWhenAnImporterIsKilled) {
  SharePeer one;
  one.Get(Allocate("block"));
  for (int step = 0; step < 4; ++step) {
    SharePeer other;
    one.Get("fill block 7");
    const std::string key = one.Get("export block 1");
    if (step == 0) other.Kill();
    if (step >= 1) other.Get("import block " + bytes() + " " + key);
    if (step == 1) other.Kill();
    if (step >= 2) other.Get("fill block 4");
    if (step == 2) other.Kill();
    if (step == 3) other.Get("close " + key), other.Kill();
    EXPECT_EQ(one.Get("see block"), step >= 2 ? "4" : "7");
    one.Get("close " + key);
  }
  one.Get("free block");
}

TEST(SharedMemoryKey, IsForThoseOnTheWhiteList) {
  SharePeer one, other;
  one.Get("allocate block 4096 0");
  one.Get("fill block 7");
  const std::string key = one.Get("export block 0");
  EXPECT_EQ(other.Do("import block 4096 " + key), kNoPermission);
  EXPECT_NE(other.answer().find("white list"), std::string::npos) << other.answer();
  one.Get("admit " + key + " " + Number(static_cast<std::size_t>(one.pid())));
  EXPECT_EQ(other.Do("import block 4096 " + key), kNoPermission);
  one.Get("admit " + key + " " + Number(static_cast<std::size_t>(other.pid())));
  other.Get("import block 4096 " + key);
  EXPECT_EQ(other.Get("see block"), "7");
}

TEST(SharedMemoryKey, IsWorthNothingWhenForgedClosedOrDead) {
  SharePeer one, other;
  one.Get("allocate block 4096 0");
  const std::string key = one.Get("export block 1");
  EXPECT_EQ(other.Do("import block 4096 nonsense"), kNotShared);
  EXPECT_EQ(other.Do(std::string("import block 4096 ") + kNever), kNotShared);
  std::string forged = key;
  forged[40] = forged[40] == 'a' ? 'b' : 'a';
  EXPECT_EQ(other.Do("import block 4096 " + forged), kNotShared);
  EXPECT_EQ(other.Do("admit " + key + " 1"), kNotShared) << "only the exporter admits";
  EXPECT_EQ(other.Do("close " + key), kNotShared);
  one.Get("close " + key);
  EXPECT_EQ(one.Do("close " + key), kNotShared);
  EXPECT_EQ(other.Do("import block 4096 " + key), kNotShared);
  const std::string second = one.Get("export block 1");
  EXPECT_NE(key, second);
  one.Kill();
  EXPECT_EQ(other.Do("import block 4096 " + second), kNotShared);
}

TEST(SharedMemoryKey, IsNotForOtherUsers) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can start programs of another user";
  constexpr uid_t kNobody = 65534;
  SharePeer one, stranger(kNobody);
  one.Get("allocate block 4096 0");
  EXPECT_EQ(stranger.Do("import block 4096 " + one.Get("export block 1")), kNoPermission);
  stranger.Get("allocate block 4096 0");
  EXPECT_EQ(one.Do("import other 4096 " + stranger.Get("export block 1")), kNoPermission);
}

TEST(SharedMemoryKey, NamesAPartOfABlock) {
  SharePeer one, other;
  one.Get("allocate block 1000000 0");
  one.Get("fill block 7");
  const std::string key = one.Get("export block 1 5003 777");
  other.Get("import part 777 " + key);
  other.Get("fill part 9");
  EXPECT_EQ(other.Get("see part"), "9");
  EXPECT_EQ(one.Get("see block"), "mixed");
  other.Get("import more 778 " + key);
  EXPECT_EQ(other.Do("see more"), ACL_ERROR_RT_PARAM_INVALID) << "one byte more than was exported";
}

TEST(SharedMemoryKey, LeavesNothingBehind) {
  SharePeer one, other;
  one.Get("allocate block 100000 0");
  other.Get("rounds 1 " + one.Get("export block 1"));
  ASSERT_TRUE(one.Comes("connections", "0"));
  const std::string before = other.Get("descriptors"), left = other.Get("left");
  const std::string before_one = one.Get("descriptors");
  for (int i = 0; i < 20; ++i)
    other.Get("rounds 1 " + one.Get("export block 1"));
  one.Get("exportrounds 100 100000");
  EXPECT_TRUE(other.ComesDownTo("descriptors", before)) << other.answer() << " instead of " << before;
  EXPECT_TRUE(one.ComesDownTo("descriptors", before_one)) << one.answer() << " instead of " << before_one;
  EXPECT_EQ(other.Get("left"), left);
  EXPECT_TRUE(one.Comes("threads foothold-share", "1"));
  EXPECT_TRUE(other.Comes("threads foothold-share", "0"));
}

TEST(SharedMemoryKey, EndsItsThreadWithTheLibrary) {
  SharePeer one;
  one.Get("allocate block 100000 0");
  one.Get("export block 1");
  EXPECT_TRUE(one.Comes("threads foothold-share", "1"));
  one.Get("stop");
  EXPECT_TRUE(one.Comes("threads foothold-share", "0"));
  one.Get("start");
  one.Get("allocate block 100000 0");
  one.Get("export block 1");
  EXPECT_TRUE(one.Comes("threads foothold-share", "1"));
}

TEST(SharedMemoryKey, RefusesWrongArguments) {
  Session session;
  char key[65];
  uint64_t* const cell = session.Cell(1);
  int host = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(nullptr, 8, key, 65, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(cell, 0, key, 65, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(cell, 8, nullptr, 65, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(cell, 8, key, 64, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(cell, 8, key, 65, 2));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(cell, 9000, key, 65, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(&host, 4, key, 65, 0));
  ASSERT_OK(aclrtIpcMemGetExportKey(cell, 8, key, 65, 0));
  int32_t pids[] = {getpid(), 0};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemSetImportPid(nullptr, pids, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemSetImportPid(key, nullptr, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemSetImportPid(key, pids, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemSetImportPid(key, pids, 2));
  EXPECT_FAILS(kNotShared, aclrtIpcMemSetImportPid(kNever, pids, 1));
  void* there = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemImportByKey(nullptr, key, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemImportByKey(&there, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemImportByKey(&there, key, 2));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemClose(nullptr));
  EXPECT_FAILS(kNotShared, aclrtIpcMemClose(kNever));
}

TEST(SharedMemoryKey, TakesAttributesThatChangeNothing) {
  Session session;
  char key[65];
  ASSERT_OK(aclrtIpcMemGetExportKey(session.Cell(1), 8, key, 65, 1));
  for (uint64_t link = 0; link < 4; ++link)
    EXPECT_OK(aclrtIpcMemSetAttr(key, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, link));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemSetAttr(key, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 4));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemSetAttr(key, static_cast<aclrtIpcMemAttrType>(1), 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemSetAttr(nullptr, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 0));
  EXPECT_FAILS(kNotShared, aclrtIpcMemSetAttr(kNever, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 0));
  int32_t pid = getpid();
  aclrtServerPid server{0, &pid, 1};
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtIpcMemImportPidInterServer(key, &server, 1));
}

TEST(SharedMemoryKey, WorksInTheProcessThatMadeIt) {
  Session session;
  uint64_t* const cell = session.Cell(5);
  char key[65];
  ASSERT_OK(aclrtIpcMemGetExportKey(cell, 8, key, 65, 0));
  void* there = nullptr;
  ASSERT_OK(aclrtIpcMemImportByKey(&there, key, 0));
  EXPECT_NE(there, static_cast<void*>(cell));
  EXPECT_EQ(session.Read(static_cast<uint64_t*>(there)), 5u);
  EXPECT_OK(aclrtIpcMemClose(key));  // the import
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(there, 8, 0, 8));
  EXPECT_OK(aclrtIpcMemClose(key));  // the export
  EXPECT_FAILS(kNotShared, aclrtIpcMemClose(key));
}

// A block goes on being written while its pages move.
TEST(SharedMemoryKey, LosesNoStoreWhileItIsMade) {
  Session session;
  constexpr std::size_t kCells = std::size_t{1} << 21, kAtOnce = 512;
  void* block = nullptr;
  ASSERT_OK(aclrtMalloc(&block, kCells * 8, ACL_MEM_MALLOC_HUGE_FIRST));
  std::vector<uint64_t> expected(kCells), found(kCells);
  ASSERT_OK(aclrtMemset(block, kCells * 8, 0, kCells * 8));
  std::atomic<bool> begun{false}, exported{false};
  std::thread writer([&] {
    EXPECT_OK(aclrtSetCurrentContext(session.context()));
    for (std::size_t number = 0; !exported.load() || number % kCells != 0; number += kAtOnce) {
      const std::size_t first = number % kCells;
      for (std::size_t i = 0; i < kAtOnce; ++i)
        expected[first + i] = number + i + 1;
      EXPECT_OK(aclrtMemcpy(static_cast<uint64_t*>(block) + first, kAtOnce * 8, &expected[first], kAtOnce * 8,
                            ACL_MEMCPY_HOST_TO_DEVICE));
      begun.store(true);
    }
  });
  while (!begun.load())
    std::this_thread::yield();
  char key[65];
  EXPECT_OK(aclrtIpcMemGetExportKey(block, kCells * 8, key, 65, 1));
  exported.store(true);
  writer.join();
  ASSERT_OK(aclrtMemcpy(found.data(), kCells * 8, block, kCells * 8, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_TRUE(found == expected);
}

TEST(SharedMemoryKey, IsNotInheritedByForks) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const int status = InFork({}, [] {
    Session session;
    char key[65];
    ASSERT_OK(aclrtIpcMemGetExportKey(session.Cell(3), 8, key, 65, 1));
    EXPECT_EQ(InFork({},
                     [&] {
                       EXPECT_FAILS(kNotShared, aclrtIpcMemClose(key));
                       EXPECT_OK(aclInit(nullptr));
                       EXPECT_OK(aclrtSetDevice(0));
                       void* there = nullptr;
                       EXPECT_OK(aclrtIpcMemImportByKey(&there, key, 0));  // as any other process
                       uint64_t value = 0;
                       EXPECT_OK(aclrtMemcpy(&value, 8, there, 8, ACL_MEMCPY_DEVICE_TO_HOST));
                       EXPECT_EQ(value, 3u);
                       char own[65];
                       EXPECT_OK(aclrtMalloc(&there, 100'000, ACL_MEM_MALLOC_HUGE_FIRST));
                       EXPECT_OK(aclrtIpcMemGetExportKey(there, 100'000, own, 65, 1));
                     }),
              0);
    EXPECT_OK(aclrtIpcMemClose(key));
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
