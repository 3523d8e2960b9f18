// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What this process uses, for tests of long runs that must not grow.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>

struct Use {
  std::size_t pages = 0, files = 0, threads = 0;

  static Use Now() {
    Use use;
    std::size_t all = 0;
    std::ifstream("/proc/self/statm") >> all >> use.pages;
    for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator("/proc/self/fd"))
      ++use.files;
    for ([[maybe_unused]] const auto& thread : std::filesystem::directory_iterator("/proc/self/task"))
      ++use.threads;
    return use;
  }
};

constexpr std::size_t kPagesOfSlack = 1024;  // 4 MiB

inline void ExpectNoGrowth(const Use& before) {
  const Use now = Use::Now();
  EXPECT_LE(now.files, before.files + 2);
  EXPECT_LE(now.threads, before.threads + 1);
#ifndef __SANITIZE_ADDRESS__  // which keeps what is freed for a while
  EXPECT_LE(now.pages, before.pages + kPagesOfSlack);
#endif
}
