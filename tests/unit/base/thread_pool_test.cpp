// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace foothold {
namespace {

TEST(ThreadPool, CoversEveryIndexOnce) {
  for (const std::size_t count : {0, 1, 7, 64, 1000, 4097}) {
    for (const std::size_t grain : {1, 3, 64, 5000}) {
      std::vector<std::atomic<int>> seen(count);
      ParallelFor(count, grain, [&](std::size_t begin, std::size_t end) {
        ASSERT_LT(begin, end);
        ASSERT_LE(end - begin, grain);
        for (std::size_t i = begin; i < end; ++i)
          ++seen[i];
      });
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(seen[i], 1) << i << " of " << count << " by " << grain;
    }
  }
}

TEST(ThreadPool, AGrainOfZeroMeansOne) {
  std::atomic<int> calls{0};
  ParallelFor(5, 0, [&](std::size_t begin, std::size_t end) { calls += static_cast<int>(end - begin); });
  EXPECT_EQ(calls, 5);
}

// Two pieces that each wait for the other can only end on two threads.
void RunOnTwoThreads() {
  std::atomic<int> arrived{0};
  ParallelFor(2, 1, [&](std::size_t, std::size_t) {
    ++arrived;
    while (arrived < 2)
      std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 2);
}

TEST(ThreadPool, UsesASecondThreadWhenThereIsOne) {
  if (ParallelThreads() < 2) GTEST_SKIP() << "one thread only";
  RunOnTwoThreads();
}

TEST(ThreadPool, HasNoMoreThreadsThanTheLimitOfItsCaller) {
  const auto threads_of_a_loop = [] {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    ParallelFor(64, 1, [&](std::size_t, std::size_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::lock_guard<std::mutex> lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
    return threads;
  };
  {
    const CoreLimit one(1);
    EXPECT_EQ(threads_of_a_loop(), std::set{std::this_thread::get_id()});
    {
      const CoreLimit two(2);
      EXPECT_LE(threads_of_a_loop().size(), 2u);
    }
    EXPECT_EQ(threads_of_a_loop().size(), 1u);
  }
  if (ParallelThreads() >= 2) RunOnTwoThreads();  // the limit is gone
}

TEST(ThreadPool, RethrowsTheFirstException) {
  std::atomic<int> begun{0};
  const auto loop = [&] {
    ParallelFor(1000, 1, [&](std::size_t, std::size_t) {
      ++begun;
      throw std::runtime_error("piece");
    });
  };
  EXPECT_THROW(loop(), std::runtime_error);
  EXPECT_LE(begun, ParallelThreads());
  std::atomic<int> after{0};
  ParallelFor(10, 1, [&](std::size_t, std::size_t) { ++after; });
  EXPECT_EQ(after, 10);
}

TEST(ThreadPool, ALoopInsideALoopRunsOnItsCaller) {
  std::atomic<int> total{0};
  ParallelFor(8, 1, [&](std::size_t, std::size_t) {
    const auto self = std::this_thread::get_id();
    ParallelFor(8, 1, [&](std::size_t, std::size_t) {
      EXPECT_EQ(std::this_thread::get_id(), self);
      ++total;
    });
  });
  EXPECT_EQ(total, 64);
}

TEST(ThreadPool, ServesSeveralCallersAtATime) {
  std::vector<std::thread> callers;
  std::atomic<long> total{0};
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        ParallelFor(64, 4,
                    [&](std::size_t begin, std::size_t end) { total += static_cast<long>(end - begin); });
      }
    });
  }
  for (auto& caller : callers)
    caller.join();
  EXPECT_EQ(total, 4L * 200 * 64);
}

TEST(ThreadPool, WorksInAForkedChild) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the sanitizer ends children that start threads";
#endif
  std::atomic<int> warm{0};
  ParallelFor(64, 1, [&](std::size_t, std::size_t) { ++warm; });
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::atomic<int> count{0};
    ParallelFor(64, 1, [&](std::size_t, std::size_t) { ++count; });
    _exit(count == 64 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace foothold
