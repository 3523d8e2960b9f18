// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/accept_faults.h"
#include "base/environment.h"
#include "base/futex.h"
#include "base/library_threads.h"
#include "base/log.h"
#include "base/process_events.h"
#include "base/spin.h"

namespace foothold {
namespace {

using thread_pool_detail::Chunk;

thread_local bool inside_loop = false;
constinit thread_local int most_threads = 1024;

// Loops of one run follow each other after tens of microseconds, and a loop's last pieces take longer than
// what one place allows to spin. A thread that sleeps instead halts its core, and waking it costs as much.
// Calls `done` until it says so, or the time is up; true if it did.
template <typename Done>
bool SpinUntil(int places, const Done& done) {
  for (; places > 0; --places) {
    SpinPlace place;
    if (!place.taken()) return done();
    while (place.Spin())
      if (done()) return true;
  }
  return false;
}
constexpr int kPlacesForNews = 5;  // of some 40 us each
constexpr int kPlacesForHelpers = 25;

// The kernel wakes a thread where it fell asleep, and leaves it there for milliseconds, even if the one it is
// to help runs on that very core and another one is idle. Moves this thread elsewhere; where to stays the
// kernel's choice.
void LeaveCore(int core) {
  cpu_set_t allowed;
  if (core != sched_getcpu() || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  cpu_set_t others = allowed;
  CPU_CLR(core, &others);
  if (CPU_COUNT(&others) == 0) return;
  sched_setaffinity(0, sizeof others, &others);
  sched_setaffinity(0, sizeof allowed, &allowed);
}

// One loop; lives on its caller's stack.
struct Loop {
  std::size_t count;
  std::size_t grain;
  Chunk chunk;
  void* body;
  int most_helpers = most_threads - 1;
  int core = sched_getcpu();  // of the caller
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure{};  // written by the one that set `failed`, read after helpers are gone
  Loop* newer = nullptr;         // guarded by Pool::lock_
  int helpers = 0;               // guarded by Pool::lock_

  enum State : std::uint32_t { kBusy, kCallerSleeps, kIdle };
  std::atomic<std::uint32_t> state{kBusy};  // futex: kIdle once the last helper left a loop off the list

  bool HasWork() const { return next.load(std::memory_order_relaxed) < count; }

  void Work() noexcept {
    inside_loop = true;
    for (;;) {
      const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
      if (begin >= count) break;
      try {
        chunk(body, begin, std::min(begin + grain, count));
      } catch (...) {
        if (!failed.exchange(true)) failure = std::current_exception();
        next.store(count, std::memory_order_relaxed);
      }
    }
    inside_loop = false;
  }
};

class Pool {
 public:
  Pool() : threads_(static_cast<int>(GetEnvInt("FOOTHOLD_THREADS", UsableCpus(), 1, 1024))) {}

  int threads() const { return threads_; }

  void Run(Loop& loop) {
    Announce(loop);
    loop.Work();
    Withdraw(loop);
  }

 private:
  void Announce(Loop& loop) {
    const auto pieces = (loop.count + loop.grain - 1) / loop.grain;
    const int wanted =
        std::min(static_cast<int>(std::min<std::size_t>(pieces, static_cast<std::size_t>(threads_)) - 1),
                 loop.most_helpers);
    {
      std::lock_guard<SpinLock> hold(lock_);
      loop.newer = loops_;
      loops_ = &loop;
    }
    news_.fetch_add(1, std::memory_order_seq_cst);
    const int missing = wanted - spinners_.load(std::memory_order_seq_cst);
    if (missing <= 0) return;
    const int sleepers = sleepers_.load(std::memory_order_seq_cst);
    if (sleepers > 0) FutexWake(news_, missing);
    if (sleepers < missing) StartHelpers(missing - sleepers);
  }

  // Takes the loop off the list, so that nobody joins any more, and waits for those that did.
  void Withdraw(Loop& loop) {
    bool alone;
    {
      std::lock_guard<SpinLock> hold(lock_);
      Loop** link = &loops_;
      while (*link != &loop)
        link = &(*link)->newer;
      *link = loop.newer;
      alone = loop.helpers == 0;
      if (!alone) loop.newer = &loop;  // tells the last helper that it is to say so
    }
    if (alone) return;
    SpinUntil(kPlacesForHelpers, [&] { return loop.state.load(std::memory_order_acquire) == Loop::kIdle; });
    std::uint32_t busy = Loop::kBusy;
    if (loop.state.compare_exchange_strong(busy, Loop::kCallerSleeps, std::memory_order_acq_rel)) {
      while (loop.state.load(std::memory_order_acquire) != Loop::kIdle)
        FutexWait(loop.state, Loop::kCallerSleeps);
    }
    // The last helper may still hold the lock it said so under; it must be out before the loop goes away.
    std::lock_guard<SpinLock> hold(lock_);
  }

  Loop* Join() {
    std::lock_guard<SpinLock> hold(lock_);
    for (Loop* loop = loops_; loop != nullptr; loop = loop->newer) {
      if (!loop->HasWork() || loop->helpers >= loop->most_helpers) continue;
      ++loop->helpers;
      return loop;
    }
    return nullptr;
  }

  void Leave(Loop& loop) {
    std::lock_guard<SpinLock> hold(lock_);
    if (--loop.helpers > 0 || loop.newer != &loop) return;
    if (loop.state.exchange(Loop::kIdle, std::memory_order_acq_rel) == Loop::kCallerSleeps) {
      FutexWake(loop.state, 1);
    }
  }

  void StartHelpers(int count) {
    std::lock_guard<std::mutex> hold(start_mutex_);
    try {
      for (; count > 0 && helpers_ < threads_ - 1; --count) {
        std::thread([this] {
          const LibraryThread counted;
          Help();
        }).detach();
        ++helpers_;
      }
    } catch (const std::exception& error) {  // loops go on with the threads there are
      Log(LogLevel::kWarning, "no further thread for parallel loops: {}", error.what());
    }
  }

  [[noreturn]] void Help() {
    pthread_setname_np(pthread_self(), "foothold-loop");
    AcceptFaults();
    for (;;) {
      const std::uint32_t news = news_.load(std::memory_order_seq_cst);
      if (Loop* loop = Join()) {
        LeaveCore(loop->core);
        loop->Work();
        Leave(*loop);
      } else {
        AwaitNews(news);
      }
    }
  }

  void AwaitNews(std::uint32_t seen) {
    spinners_.fetch_add(1, std::memory_order_seq_cst);
    const bool found =
        SpinUntil(kPlacesForNews, [&] { return news_.load(std::memory_order_acquire) != seen; });
    spinners_.fetch_sub(1, std::memory_order_seq_cst);
    if (found) return;
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    while (news_.load(std::memory_order_seq_cst) == seen)
      FutexWait(news_, seen);
    sleepers_.fetch_sub(1, std::memory_order_seq_cst);
  }

  const int threads_;
  SpinLock lock_;  // guards loops_, Loop::newer and Loop::helpers
  Loop* loops_ = nullptr;
  alignas(64) std::atomic<std::uint32_t> news_{0};  // futex: bumped for every loop
  std::atomic<int> spinners_{0};
  std::atomic<int> sleepers_{0};
  std::mutex start_mutex_;  // guards helpers_
  int helpers_ = 0;
};

std::atomic<Pool*> pool{nullptr};

// Helpers do not exist in a forked child and may have left anything behind, so it makes a pool of its own.
const AtFork at_fork(ForkStage::kThreads, {.in_child = [] { pool.store(nullptr); }});

Pool& ThePool() {
  Pool* existing = pool.load(std::memory_order_acquire);
  if (existing != nullptr) return *existing;
  Pool* fresh = new Pool;  // never freed: helpers run until the process ends
  if (pool.compare_exchange_strong(existing, fresh)) return *fresh;
  delete fresh;
  return *existing;
}

}  // namespace

namespace thread_pool_detail {

void Run(std::size_t count, std::size_t grain, Chunk chunk, void* body) {
  grain = std::max<std::size_t>(grain, 1);
  Pool& threads = ThePool();
  if (inside_loop || threads.threads() == 1 || most_threads == 1) {
    for (std::size_t begin = 0; begin < count; begin += std::min(grain, count - begin)) {
      chunk(body, begin, begin + std::min(grain, count - begin));
    }
    return;
  }
  Loop loop{count, grain, chunk, body};
  threads.Run(loop);
  if (loop.failed.load()) std::rethrow_exception(loop.failure);
}

}  // namespace thread_pool_detail

int ParallelThreads() {
  return ThePool().threads();
}

CoreLimit::CoreLimit(int most) noexcept : outer_(most_threads) {
  most_threads = std::max(most, 1);
}

CoreLimit::~CoreLimit() {
  most_threads = outer_;
}

}  // namespace foothold
