// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/stream_failures.h"

#include <mutex>
#include <utility>

namespace foothold {
namespace {

// On its own, so that looking for nothing needs no room.
[[gnu::noinline]] Failure CopyUnder(SpinLock& guard, const Failure& failure) noexcept {
  std::lock_guard<SpinLock> lock(guard);
  return failure;
}

}  // namespace

void StreamFailures::Open() {
  if (!spare_) spare_ = std::make_shared<Error>(kBadAlloc, "");
  gate_ = 0;
  interrupted_ = mode_chosen_ = false;
  stop_at_ = UINT64_MAX;
  mode_ = Mode::kContinue;
  std::lock_guard<SpinLock> lock(lock_);
  first_ = drop_failure_ = stop_failure_ = stop_task_failure_ = nullptr;
  failed_ = false;
}

Failure StreamFailures::Take() noexcept {
  if (!failed_.load(std::memory_order_acquire)) return nullptr;
  std::lock_guard<SpinLock> lock(lock_);
  Failure taken = std::exchange(first_, nullptr);
  failed_.store(stopped());
  return taken || !stopped() ? taken : stop_failure_;
}

// Whoever records an event asks for the first failure: where there is none, one look tells.
Failure StreamFailures::Read(const Failure& failure) const noexcept {
  if (&failure == &first_ && !failed_.load(std::memory_order_acquire)) [[likely]]
    return nullptr;
  return CopyUnder(lock_, failure);
}

void StreamFailures::Keep(const Failure& failure) noexcept {
  std::lock_guard<SpinLock> lock(lock_);
  KeepFirst(failure);
}

// Precondition: lock_ is held.
void StreamFailures::KeepFirst(const Failure& failure) noexcept {
  if (!first_) first_ = failure;
  failed_.store(true, std::memory_order_release);
}

Failure StreamFailures::Undescribed(const Error& cause) noexcept {
  std::lock_guard<SpinLock> lock(lock_);
  std::shared_ptr<Error> spare = std::move(spare_);
  if (!spare) return first_ ? first_ : Share(cause);
  *spare = cause;
  return spare;
}

void StreamFailures::Drop(std::uint64_t until, const Failure& failure) noexcept {
  std::lock_guard<SpinLock> lock(lock_);
  drop_failure_ = failure;
  drop_until_ = until;
  KeepFirst(failure);
  interrupted_.store(true, std::memory_order_release);
}

void StreamFailures::StopTask(std::uint64_t number, const Failure& failure) noexcept {
  std::lock_guard<SpinLock> lock(lock_);
  stop_task_failure_ = failure;
  stop_at_.store(number);
  KeepFirst(failure);
  interrupted_.store(true, std::memory_order_release);
}

bool StreamFailures::StopForGood(const Failure& failure) noexcept {
  std::lock_guard<SpinLock> lock(lock_);
  if (gate_.fetch_or(kStopped) & kStopped) return false;
  stop_failure_ = failure;
  failed_.store(true);
  interrupted_.store(true, std::memory_order_release);
  return true;
}

Failure StreamFailures::LookForInterruption(std::uint64_t head) noexcept {
  std::lock_guard<SpinLock> lock(lock_);
  if (stopped()) return stop_failure_;
  if (IsDropped(head)) return drop_failure_;
  if (head == stop_at_.load()) return stop_task_failure_;
  interrupted_.store(false);
  return nullptr;
}

void StreamFailures::ThrowStopped() const {
  std::lock_guard<SpinLock> lock(lock_);
  throw Error(*stop_task_failure_);
}

bool StreamFailures::ChooseMode(Mode mode) noexcept {
  if (mode_chosen_.exchange(true)) return false;
  mode_.store(mode);
  return true;
}

}  // namespace foothold
