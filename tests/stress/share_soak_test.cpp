// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Exports and imports, again and again: nothing may grow. With --long a hundred thousand rounds, otherwise as
// many as fit into a moment.
#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include "acl/acl.h"

namespace {

bool is_long = false;

struct Use {
  std::size_t resident_pages = 0;
  std::size_t descriptors = 0;
  std::size_t mappings = 0;
};

Use Look() {
  Use use;
  std::size_t all = 0;
  std::ifstream("/proc/self/statm") >> all >> use.resident_pages;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    ++use.mappings;
  DIR* const opened = opendir("/proc/self/fd");
  while (readdir(opened) != nullptr)
    ++use.descriptors;
  closedir(opened);
  return use;
}

// Connections are closed by a thread of the library, which may come to that later: the fewest descriptors
// that a few looks find.
Use LookWhenClosed() {
  Use least = Look();
  for (int look = 0; look < 50; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    least.descriptors = std::min(least.descriptors, Look().descriptors);
  }
  return least;
}

void ExpectNoGrowth(const Use& before) {
  const Use after = LookWhenClosed();
  EXPECT_EQ(after.descriptors, before.descriptors);
#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // which map memory of their own as they go
  EXPECT_LE(after.mappings, before.mappings + 8);
  EXPECT_LE(after.resident_pages, before.resident_pages + 512) << "pages of 4 KiB";
#endif
}

constexpr std::size_t kBytes = 100'000;

bool ReadAll(int from, void* to, std::size_t bytes) {
  return read(from, to, bytes) == static_cast<ssize_t>(bytes);
}

// The other process: a key comes, the memory is changed, and a byte goes back.
int ImportUntilTheEnd(int keys, int answers) {
  EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  char key[65];
  Use before;
  for (int round = 0; ReadAll(keys, key, sizeof(key)); ++round) {
    if (round == 200) before = LookWhenClosed();
    void* there = nullptr;
    EXPECT_EQ(aclrtIpcMemImportByKey(&there, key, 0), ACL_SUCCESS) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtMemset(there, kBytes, round % 251, kBytes), ACL_SUCCESS);
    EXPECT_EQ(aclrtIpcMemClose(key), ACL_SUCCESS);
    if (write(answers, "+", 1) != 1) break;
  }
  ExpectNoGrowth(before);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  return testing::Test::HasFailure() ? 1 : 0;
}

struct Pipe {
  Pipe() { EXPECT_EQ(pipe(ends), 0); }
  int ends[2];
};

bool GoesOn(int round, std::chrono::steady_clock::time_point since) {
  if (is_long) return round < 100'000;
  return round < 400 || std::chrono::steady_clock::now() - since < std::chrono::milliseconds(1500);
}

TEST(Sharing, DoesNotGrow) {
  Pipe keys, answers;
  const pid_t child = fork();
  if (child == 0) {
    close(keys.ends[1]);
    close(answers.ends[0]);
    const std::string in = std::to_string(keys.ends[0]), out = std::to_string(answers.ends[1]);
    execl("/proc/self/exe", "share_soak_tests", "--import", in.c_str(), out.c_str(), nullptr);
    _exit(127);
  }
  close(keys.ends[0]);
  close(answers.ends[1]);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  Use before;
  const auto start = std::chrono::steady_clock::now();
  int round = 0;
  for (; GoesOn(round, start); ++round) {
    if (round == 200) before = LookWhenClosed();
    void* block = nullptr;
    char key[65], answer = 0;
    ASSERT_EQ(aclrtMalloc(&block, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemset(block, kBytes, 255, kBytes), ACL_SUCCESS);
    ASSERT_EQ(aclrtIpcMemGetExportKey(block, kBytes, key, sizeof(key), 1), ACL_SUCCESS);
    ASSERT_EQ(write(keys.ends[1], key, sizeof(key)), static_cast<ssize_t>(sizeof(key)));
    ASSERT_TRUE(ReadAll(answers.ends[0], &answer, 1)) << "the importer failed in round " << round;
    unsigned char last = 0;
    ASSERT_EQ(aclrtMemcpy(&last, 1, static_cast<char*>(block) + kBytes - 1, 1, ACL_MEMCPY_DEVICE_TO_HOST),
              ACL_SUCCESS);
    ASSERT_EQ(last, round % 251);
    if (round % 2 == 0) {  // not all programs do
      ASSERT_EQ(aclrtIpcMemClose(key), ACL_SUCCESS);
    }
    ASSERT_EQ(aclrtFree(block), ACL_SUCCESS);
  }
  ExpectNoGrowth(before);
  close(keys.ends[1]);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "the importer failed";
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  if (is_long) std::printf("%d rounds\n", round);
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 4 && std::strcmp(argv[1], "--import") == 0)
    return ImportUntilTheEnd(std::stoi(argv[2]), std::stoi(argv[3]));
  is_long = argc == 2 && std::strcmp(argv[1], "--long") == 0;
  return RUN_ALL_TESTS();
}
