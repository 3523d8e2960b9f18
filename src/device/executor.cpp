// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/executor.h"

#include <algorithm>
#include <bit>

#include "base/accept_faults.h"
#include "base/futex.h"
#include "base/library_threads.h"
#include "base/thread_end.h"
#include "device/runner.h"
#include "device/stream.h"
#include "device/wake_cost.h"

namespace foothold {
namespace {

// How long all workers may be inside functions of the program, with streams waiting, before another one is
// started.
constexpr auto kPatience = std::chrono::milliseconds(1);
constexpr unsigned kLeastUrgentEach = 16;

}  // namespace

thread_local Executor::Worker* Executor::current_ = nullptr;

Executor::Executor(int threads) : threads_(threads) {}

Executor::~Executor() {
  Stop();
}

void Executor::Submit(Stream& stream) noexcept {
  {
    std::lock_guard<SpinLock> lock(ready_lock_);
    if (stream.in_ready_list) return;  // a worker was called when it came
    stream.in_ready_list = true;
    stream.next_ready = nullptr;
    const std::uint32_t priority = std::min<std::uint32_t>(stream.priority(), kPriorities - 1);
    List& list = ready_[priority];
    (list.last != nullptr ? list.last->next_ready : list.first) = &stream;
    list.last = &stream;
    ready_mask_.store(ready_mask_.load(std::memory_order_relaxed) | (1u << priority),
                      std::memory_order_relaxed);
    waiting_.fetch_add(1);
  }
  if (searching_.load() == 0) WakeOrStart();
}

Stream* Executor::TryTake() noexcept {
  if (waiting_.load(std::memory_order_relaxed) == 0) return nullptr;
  std::lock_guard<SpinLock> lock(ready_lock_);
  const int next = NextList();
  if (next < 0) return nullptr;
  List& list = ready_[next];
  Stream* stream = list.first;
  list.first = stream->next_ready;
  if (list.first == nullptr) {
    list.last = nullptr;
    ready_mask_.store(ready_mask_.load(std::memory_order_relaxed) & ~(1u << next), std::memory_order_relaxed);
  }
  stream->in_ready_list = false;
  waiting_.fetch_sub(1);
  return stream;
}

// The most urgent, and now and then the least: it is to be late, not to starve. -1: none waits. Precondition:
// ready_lock_ is held.
int Executor::NextList() noexcept {
  const std::uint32_t mask = ready_mask_.load(std::memory_order_relaxed);
  if (mask == 0) return -1;
  return ++taken_ % kLeastUrgentEach == 0 ? std::bit_width(mask) - 1 : std::countr_zero(mask);
}

void Executor::WakeOrStart() noexcept {
  std::lock_guard<std::mutex> lock(workers_mutex_);
  if (!parked_.empty()) {
    Worker* worker = parked_.back();
    parked_.pop_back();
    worker->bed.Disturb();
    worker->parked.store(0);
    FutexWake(worker->parked, 1);
  } else if (!stopping_ && static_cast<int>(workers_.size()) < threads_) {
    TryStartWorker();
  } else if (!stopping_ && AllInUserCode(nullptr)) {
    WatchForBlockedWorkers();
  }
}

// Precondition: workers_mutex_ is held.
bool Executor::AllInUserCode(std::uint64_t* steps) const noexcept {
  std::uint64_t sum = 0;
  bool all = true;
  for (const auto& worker : workers_) {
    const std::uint64_t mine = worker->user_steps.load();
    sum += mine;
    all = all && mine % 2 == 1;
  }
  if (steps != nullptr) *steps = sum;
  return all;
}

void Executor::EnsureWorker() {
  std::lock_guard<std::mutex> lock(workers_mutex_);
  if (workers_.empty() && !stopping_) StartWorker();
}

// Precondition: workers_mutex_ is held.
void Executor::StartWorker() {
  parked_.reserve(workers_.size() + 1);  // so that parking cannot fail
  workers_.push_back(std::make_unique<Worker>(*this));
  Worker& worker = *workers_.back();
  try {
    worker.thread = std::thread([this, &worker] {
      const LibraryThread counted;
      Work(worker);
    });
  } catch (...) {
    workers_.pop_back();
    throw;
  }
}

// Those there are go on. Precondition: workers_mutex_ is held.
void Executor::TryStartWorker() noexcept {
  try {
    StartWorker();
  } catch (...) {
    lacks_thread_ = true;
  }
}

void Executor::WakeOrStartAgain() noexcept {
  lacks_thread_ = false;
  if (waiting_.load() > 0) WakeOrStart();
}

FOOTHOLD_HANDLES_END_OF_THREAD void Executor::Work(Worker& self) {
  current_ = &self;
  AcceptFaults();
  try {
    RunStreams(self);
  } catch (const EndOfThread&) {
    Leave(self);
    throw;
  }
}

// A function of the program ends this thread: another one takes its place.
void Executor::Leave(Worker& self) noexcept {
  std::unique_ptr<Worker> left;
  {
    std::lock_guard<std::mutex> lock(workers_mutex_);
    const auto mine = std::find_if(workers_.begin(), workers_.end(),
                                   [&](const auto& worker) { return worker.get() == &self; });
    if (mine == workers_.end()) return;  // Stop waits for it
    left = std::move(*mine);
    workers_.erase(mine);
  }
  left->thread.detach();
  if (waiting_.load() > 0) WakeOrStart();
}

void Executor::RunStreams(Worker& self) {
  Runner runner(Runner::Role::kWorker);
  for (;;) {
    Stream* stream = runner.TakeKept();
    if (stream == nullptr) stream = TryTake();
    if (stream == nullptr) {
      if (stopping_.load()) return;  // not before the list is empty
      Search(self);
      continue;
    }
    // One searcher may have stood for several submits: pass the rest on.
    if (waiting_.load(std::memory_order_relaxed) > 0 && searching_.load() == 0) WakeOrStart();
    if (stream->TryClaim()) stream->Drain(runner);
  }
}

void Executor::Search(Worker& self) {
  searching_.fetch_add(1);
  const auto found = [this] { return waiting_.load(std::memory_order_relaxed) > 0 || stopping_; };
  if (!self.vigil.Keep(found)) return Park(self);
  searching_.fetch_sub(1);
}

// Ends the search. Registers as parked before the last look at the list, so that a submit either sees a
// searcher, finds this worker parked, or has its stream seen here.
void Executor::Park(Worker& self) {
  {
    std::lock_guard<std::mutex> lock(workers_mutex_);
    self.bed.LieDown();
    self.parked.store(1);
    parked_.push_back(&self);
  }
  searching_.fetch_sub(1);
  if (waiting_.load() > 0 || stopping_.load()) return LeaveParked(self);
  while (self.parked.load() != 0) {
    FutexWait(self.parked, 1);
  }
  self.bed.GetUp();
  self.vigil.WakeUp();
}

void Executor::LeaveParked(Worker& self) {
  std::lock_guard<std::mutex> lock(workers_mutex_);
  auto mine = std::find(parked_.begin(), parked_.end(), &self);
  if (mine != parked_.end()) parked_.erase(mine);
  self.parked.store(0);
}

Executor::UserCode::UserCode() noexcept {
  Worker& self = *current_;
  // Whoever submits a stream looks at this after counting it: one of the two sees the other.
  self.user_steps.store(self.user_steps.load(std::memory_order_relaxed) + 1);
  if (self.executor.waiting_.load() > 0) self.executor.WakeOrStart();
}

Executor::UserCode::~UserCode() {
  Worker& self = *current_;
  self.user_steps.store(self.user_steps.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// Precondition: workers_mutex_ is held.
void Executor::WatchForBlockedWorkers() noexcept {
  watch_ = true;
  if (watcher_.joinable()) {
    watcher_wake_.notify_one();
    return;
  }
  try {
    watcher_ = std::thread([this] {
      const LibraryThread counted;
      Watch();
    });
  } catch (...) {  // the next submit tries again, or a thread that waits
    lacks_thread_ = true;
  }
}

void Executor::Watch() {
  std::unique_lock<std::mutex> lock(workers_mutex_);
  while (!stopping_) {
    watcher_wake_.wait(lock, [this] { return watch_ || stopping_; });
    watch_ = false;
    std::uint64_t before = 0;
    AllInUserCode(&before);
    watcher_wake_.wait_for(lock, kPatience, [this] { return stopping_.load(); });
    if (stopping_ || waiting_.load() == 0) continue;
    std::uint64_t after = 0;
    if (AllInUserCode(&after) && after == before) TryStartWorker();
    watch_ = waiting_.load() > 0;
  }
}

void Executor::Stop() {
  std::vector<std::unique_ptr<Worker>> workers;
  {
    std::lock_guard<std::mutex> lock(workers_mutex_);
    stopping_ = true;
    for (Worker* worker : parked_) {
      worker->parked.store(0);
      FutexWake(worker->parked, 1);
    }
    parked_.clear();
    workers.swap(workers_);
    watcher_wake_.notify_all();
  }
  for (auto& worker : workers)
    worker->thread.join();
  if (watcher_.joinable()) watcher_.join();
}

}  // namespace foothold
