// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/crash_watch.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "base/thread_id.h"

namespace foothold {
namespace {

// Not thread-local storage: that may be made when it is first touched, which a signal handler must not do.
struct Slot {
  std::atomic<std::uint32_t> thread{0};  // 0: free
  std::atomic<const CrashNote*> note{nullptr};
};
constexpr std::uint32_t kSlots = 256;
constexpr std::uint32_t kBeingTaken = UINT32_MAX;  // no thread has this number
Slot slots[kSlots];

struct Watched {
  int number;
  const char* name;
  struct sigaction before;
};
Watched watched[] = {{SIGSEGV, "SIGSEGV", {}},
                     {SIGBUS, "SIGBUS", {}},
                     {SIGFPE, "SIGFPE", {}},
                     {SIGILL, "SIGILL", {}},
                     {SIGABRT, "SIGABRT", {}}};

// A line put together without memory, locks or the C library's formatting.
class Line {
 public:
  void Add(const char* text) {
    while (*text != '\0' && used_ < sizeof text_ - 1)
      text_[used_++] = *text++;
  }
  void Add(std::uint64_t number, unsigned base = 10) {
    char digits[24];
    char* at = std::end(digits);
    *--at = '\0';
    do
      *--at = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    Add(at);
  }
  void Write() {
    text_[used_++] = '\n';
    // Nobody is left to be told if this fails.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text_, used_);
  }

 private:
  char text_[1024];
  std::size_t used_ = 0;
};

// -1 if all are taken.
int Take(const CrashNote& note) {
  const std::uint32_t thread = KernelThreadId();
  for (std::uint32_t i = 0; i < kSlots; ++i) {
    Slot& slot = slots[(thread + i) % kSlots];
    std::uint32_t free = 0;
    if (slot.thread.load(std::memory_order_relaxed) != 0) continue;
    if (!slot.thread.compare_exchange_strong(free, kBeingTaken)) continue;
    slot.note.store(&note, std::memory_order_relaxed);
    slot.thread.store(thread, std::memory_order_release);
    return static_cast<int>((thread + i) % kSlots);
  }
  return -1;
}

const CrashNote* NoteOfThread(std::uint32_t thread) {
  for (const Slot& slot : slots)
    if (slot.thread.load(std::memory_order_relaxed) == thread) return slot.note.load();
  return nullptr;
}

void Describe(Line& line, const CrashNote& note) {
  line.Add(note.what);
  if (note.name != nullptr) {
    line.Add(" \"");
    line.Add(note.name);
    line.Add("\"");
  }
  if (note.file != nullptr) {
    line.Add(" of ");
    line.Add(note.file);
  }
  if (note.blocks != 0) {
    line.Add(", block ");
    line.Add(note.block);
    line.Add(" of ");
    line.Add(note.blocks);
  }
  if (note.api == nullptr) return;
  line.Add(", launched by ");
  line.Add(note.api);
  line.Add(" as task ");
  line.Add(note.task);
  line.Add(" of stream ");
  line.Add(static_cast<std::uint64_t>(note.stream));
  line.Add(" on device ");
  line.Add(static_cast<std::uint64_t>(note.device));
}

void Tell(const Watched& signal, const siginfo_t* info, const CrashNote& note) {
  Line line;
  line.Add("foothold: ");
  line.Add(signal.name);
  if (info != nullptr && info->si_code > 0) {
    line.Add(" (address 0x");
    line.Add(reinterpret_cast<std::uintptr_t>(info->si_addr), 16);
    line.Add(")");
  }
  line.Add(" in ");
  Describe(line, note);
  line.Write();
}

// What is left to the system happens again when the handler returns: the instruction is repeated, or the
// signal was sent and is sent again.
void PassOn(const Watched& signal, siginfo_t* info, void* context) {
  const struct sigaction& before = signal.before;
  if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(signal.number, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal.number);
  if (before.sa_handler == SIG_IGN && info->si_code <= 0) return;
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  sigaction(signal.number, &plain, nullptr);
  if (info->si_code <= 0) syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal.number);
}

void Handle(int number, siginfo_t* info, void* context) {
  const auto thread = static_cast<std::uint32_t>(syscall(SYS_gettid));
  for (const Watched& signal : watched) {
    if (signal.number != number) continue;
    if (const CrashNote* const note = NoteOfThread(thread)) Tell(signal, info, *note);
    return PassOn(signal, info, context);
  }
}

}  // namespace

void WatchForCrashes() noexcept {
  static std::atomic<bool> set{false};
  if (set.exchange(true)) return;
  for (Watched& signal : watched) {
    // First what was there: the handler may be called as soon as it is set.
    if (sigaction(signal.number, nullptr, &signal.before) != 0) continue;
    struct sigaction ours {};
    ours.sa_sigaction = &Handle;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    ours.sa_mask = signal.before.sa_mask;
    sigaction(signal.number, &ours, nullptr);
  }
}

// The outer note of a thread stays the one that is told.
CrashScope::CrashScope(const CrashNote& note) noexcept : slot_(Take(note)) {}

CrashScope::~CrashScope() {
  if (slot_ >= 0) slots[slot_].thread.store(0, std::memory_order_release);
}

}  // namespace foothold
