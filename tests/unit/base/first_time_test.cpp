// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/first_time.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace foothold {
namespace {

TEST(FirstTime, IsOnceForEachName) {
  EXPECT_TRUE(FirstTime("first time: one"));
  EXPECT_TRUE(FirstTime("first time: two"));
  EXPECT_FALSE(FirstTime("first time: one"));
  EXPECT_FALSE(FirstTime(std::string("first time: ") + "two"));
}

TEST(FirstTime, IsOneThreads) {
  std::atomic<int> first{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { first += FirstTime("first time: of threads"); });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(first, 1);
}

}  // namespace
}  // namespace foothold
