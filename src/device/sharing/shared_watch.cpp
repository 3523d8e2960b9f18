// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/sharing/shared_watch.h"

#include <pthread.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/futex.h"
#include "base/library_threads.h"
#include "base/per_process.h"

namespace foothold {
namespace {

constexpr Nanoseconds kLookForDeath = 100 * kMillisecond;
constexpr Nanoseconds kLookAgain = kMillisecond;  // where the system cannot wait for that many

}  // namespace

SharedWatch& SharedWatch::Get() {
  return PerProcess<SharedWatch>::Get();
}

void SharedWatch::EnsureThread() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this, generation = generation_] {
      const LibraryThread counted;
      Run(generation);
    });
  } catch (const std::system_error& error) {
    Fail(kRtResourceAllocFail, "no thread can be started to wait for other processes: {}", error.what());
  }
}

void SharedWatch::Add(std::shared_ptr<SharedWait> wait) {
  EnsureThread();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    waits_.push_back(std::move(wait));
  }
  changed_.fetch_add(1);
  FutexWakeAll(changed_);
}

void SharedWatch::Stop() {
  std::vector<std::shared_ptr<SharedWait>> waits;
  std::thread thread;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ++generation_;
    thread.swap(thread_);
    waits.swap(waits_);
  }
  changed_.fetch_add(1);
  FutexWakeAll(changed_);
  if (thread.joinable()) thread.join();
}

void SharedWatch::Run(std::uint64_t generation) {
  pthread_setname_np(pthread_self(), "foothold-watch");
  std::vector<std::shared_ptr<SharedWait>> waits;
  std::vector<std::uint32_t> seen;
  Nanoseconds looked = Now();
  for (;;) {
    const std::uint32_t own = changed_.load();
    bool has_all = true;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (generation_ != generation) return;
      try {
        waits.reserve(waits.size() + waits_.size());
        seen.reserve(waits.capacity());
        std::move(waits_.begin(), waits_.end(), std::back_inserter(waits));
        waits_.clear();
      } catch (const std::bad_alloc&) {  // the others come at the next look
        has_all = false;
      }
    }
    seen.clear();
    for (const auto& wait : waits)
      seen.push_back(wait->changes().load());
    watched_.store(waits.size(), std::memory_order_relaxed);
    const bool look_for_death = Now() - looked >= kLookForDeath;
    if (look_for_death) looked = Now();
    const std::size_t before = waits.size();
    std::erase_if(waits, [&](const auto& wait) { return wait->IsOver(look_for_death); });
    if (!has_all) {
      FutexWait(changed_, own, Now() + kLookAgain);
    } else if (waits.size() == before) {
      Sleep(waits, seen, own);
    }
  }
}

void SharedWatch::Sleep(const std::vector<std::shared_ptr<SharedWait>>& waits,
                        const std::vector<std::uint32_t>& seen, std::uint32_t own) noexcept {
  if (waits.empty()) return FutexWait(changed_, own);
  FutexAny any;
  bool room = any.Add(changed_, own, FutexAny::kPrivate);
  for (std::size_t i = 0; room && i < waits.size(); ++i)
    room = any.Add(waits[i]->changes(), seen[i], FutexAny::kShared);
  if (!room || !any.Wait(Now() + kLookForDeath)) FutexWait(changed_, own, Now() + kLookAgain);
}

}  // namespace foothold
