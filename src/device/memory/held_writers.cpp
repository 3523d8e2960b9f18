// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/held_writers.h"

#include <signal.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/error.h"
#include "base/futex.h"
#include "base/process_events.h"

namespace foothold {
namespace {

// What the handler reads. It may run in any thread at any time, so there are no locks, and nothing is freed:
// the list of a move stays until the next one, for threads that have met a page and come late.
constexpr std::size_t kMostPieces = 4096;
struct Piece {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
};
Piece held[kMostPieces];
std::atomic<std::size_t> held_count{0};
std::atomic<std::uint32_t> moving{0};  // futex; odd while a move goes on
// After a move, threads that met a page during it try again; a page that cannot be written then either is
// not ours to explain. More threads than this do not come late.
constexpr int kLateComers = 4096;
std::atomic<int> late{0};

std::atomic<const struct sigaction*> before{nullptr};
std::mutex* moves = new std::mutex;  // never freed: programs call from destructors of static objects

// The child has none of the threads that moved or waited.
void StartAnewInChild() {
  moves = new (moves) std::mutex;
  held_count.store(0);
  moving.store(moving.load() & ~1u);
}
const AtFork at_fork(ForkStage::kThreads, {.in_child = StartAnewInChild});

bool IsHeld(std::uintptr_t address) noexcept {
  const std::size_t count = held_count.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i) {
    if (address >= held[i].begin.load(std::memory_order_relaxed) &&
        address < held[i].end.load(std::memory_order_relaxed))
      return true;
  }
  return false;
}

bool ShallTryAgain(const siginfo_t& info) noexcept {
  if (info.si_code != SEGV_ACCERR || !IsHeld(reinterpret_cast<std::uintptr_t>(info.si_addr))) return false;
  const std::uint32_t move = moving.load(std::memory_order_acquire);
  if (move % 2 == 0) return late.fetch_add(1) < kLateComers;
  while (moving.load(std::memory_order_acquire) == move)
    FutexWait(moving, move);
  return true;
}

void PassOn(int number, siginfo_t* info, void* context) {
  const struct sigaction* const next = before.load(std::memory_order_acquire);
  if (next != nullptr && (next->sa_flags & SA_SIGINFO) != 0) return next->sa_sigaction(number, info, context);
  if (next != nullptr && next->sa_handler != SIG_DFL && next->sa_handler != SIG_IGN)
    return next->sa_handler(number);
  signal(number, SIG_DFL);  // the fault comes again at once and ends the process as it would have
}

void OnFault(int number, siginfo_t* info, void* context) {
  const int error = errno;
  if (!ShallTryAgain(*info)) PassOn(number, info, context);
  errno = error;
}

// On top of whatever handler there is now. Never taken away: a thread may have met a page already and not
// have come to the handler yet.
void SetHandler() {
  struct sigaction now {};
  if (sigaction(SIGSEGV, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
      now.sa_sigaction == OnFault)
    return;
  before.store(new struct sigaction(now), std::memory_order_release);  // never freed: a handler may be in it
  struct sigaction ours {};
  ours.sa_sigaction = OnFault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&ours.sa_mask);
  if (sigaction(SIGSEGV, &ours, nullptr) != 0)
    Fail(kRtInternalError, "no handler of SIGSEGV can be set: {}", std::strerror(errno));
}

bool Protect(const HeldPages& pages, int protection) noexcept {
  return mprotect(reinterpret_cast<void*>(pages.address), pages.bytes, protection) == 0;
}

}  // namespace

HeldWriters::HeldWriters(std::vector<HeldPages> pages) : pages_(std::move(pages)), turn_(*moves) {
  if (pages_.size() > kMostPieces) {
    Fail(kRtMemoryAllocation, "memory that is mapped at {} places cannot be moved; at most {} can be held",
         pages_.size(), kMostPieces);
  }
  SetHandler();
  held_count.store(0, std::memory_order_release);
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    held[i].begin.store(pages_[i].address, std::memory_order_relaxed);
    held[i].end.store(pages_[i].address + pages_[i].bytes, std::memory_order_relaxed);
  }
  moving.fetch_add(1);
  late.store(0);
  held_count.store(pages_.size(), std::memory_order_release);
  for (const HeldPages& one : pages_) {
    if (Protect(one, one.protection & ~PROT_WRITE)) continue;
    const int reason = errno;
    Release();
    Fail(kRtMemoryAllocation, "{} bytes of device memory cannot be held to be moved: {}", one.bytes,
         std::strerror(reason));
  }
}

HeldWriters::~HeldWriters() {
  Release();
}

void HeldWriters::Release() noexcept {
  for (const HeldPages& one : pages_) {
    if (!moved_) Protect(one, one.protection);
  }
  moving.fetch_add(1);
  FutexWakeAll(moving);
}

}  // namespace foothold
