// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/forbidden_memory.h"
#include "base/library_threads.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>

#include "base/clock.h"
#include "base/futex.h"
#include "base/library_threads.h"
#include "base/process_events.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

// What the handler reads. It may run in any thread at any time: no locks, and nothing is freed.
constexpr std::size_t kMostRanges = 1 << 14;
struct Range {
  std::atomic<std::uintptr_t> begin{0}, end{0};
  std::atomic<Judge> judge{nullptr};
  std::atomic<void*> about{nullptr};
};
Range ranges[kMostRanges];
std::atomic<std::size_t> used{0};
std::mutex* changes = new std::mutex;  // never freed: programs call from destructors of static objects
struct sigaction before {};
std::atomic<bool> handles{false};

// One question at a time.
enum State : std::uint32_t { kFree, kTaken, kAsked, kAnswered };
std::atomic<std::uint32_t> state{kFree};    // futex
std::atomic<std::uint32_t> answers_for{0};  // the process whose thread answers, if there is one
std::atomic<std::uint32_t> answerer{0};     // that thread
constexpr Nanoseconds kPatience = 20 * kSecond;

struct Question {
  const Range* range;
  Fault fault;
  bool last;  // nobody is there to keep the process from ending
  std::size_t count;
  const void* frames[kMaxFrames];
  Verdict verdict;
};
Question question;

const Range* RangeAt(std::uintptr_t address) noexcept {
  const std::size_t count = used.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i)
    if (address >= ranges[i].begin.load(std::memory_order_acquire) && address < ranges[i].end.load())
      return &ranges[i];
  return nullptr;
}

const void* PlaceOf(const ucontext_t& context) noexcept {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(context.uc_mcontext.pc);
#else
  (void)context;
  return nullptr;
#endif
}

bool IsWrite(const ucontext_t& context) noexcept {
#if defined(__x86_64__)
  return (context.uc_mcontext.gregs[REG_ERR] & 2) != 0;
#elif defined(__aarch64__)
  constexpr std::uint32_t kSyndrome = 0x45535201;
  const unsigned char* at = context.uc_mcontext.__reserved;
  for (const unsigned char* const end = at + sizeof context.uc_mcontext.__reserved; at < end;) {
    std::uint32_t head[2];
    std::uint64_t syndrome;
    std::memcpy(head, at, sizeof head);
    if (head[0] == 0 || head[1] == 0) return false;
    std::memcpy(&syndrome, at + sizeof head, sizeof syndrome);
    if (head[0] == kSyndrome) return (syndrome >> 6 & 1) != 0;
    at += head[1];
  }
  return false;
#else
  (void)context;
  return false;
#endif
}

struct Walk {
  const void* from;
  bool found = false;
};

_Unwind_Reason_Code Step(_Unwind_Context* context, void* argument) {
  Walk& walk = *static_cast<Walk*>(argument);
  const auto address = reinterpret_cast<const char*>(_Unwind_GetIP(context));
  if (address == nullptr || question.count == kMaxFrames) return _URC_END_OF_STACK;
  const bool first = !walk.found && address == walk.from;
  walk.found = walk.found || first;
  // Frames are where calls return to, behind the call; this one is where it stopped.
  if (walk.found) question.frames[question.count++] = first ? address + 1 : address;
  return _URC_NO_REASON;
}

void TakeFrames(const void* place) noexcept {
  question.count = 0;
  Walk walk{place};
  _Unwind_Backtrace(&Step, &walk);
  if (question.count == 0) question.frames[question.count++] = static_cast<const char*>(place) + 1;
}

// Not from base/thread_id.h: a thread that meets it first in here would need memory.
std::uint32_t ThisThread() noexcept {
  return static_cast<std::uint32_t>(syscall(SYS_gettid));
}

bool IsMineToJudge() noexcept {
  return answers_for.load() == static_cast<std::uint32_t>(getpid()) && answerer.load() != ThisThread();
}

void Take() noexcept {
  for (std::uint32_t seen = kFree; !state.compare_exchange_weak(seen, kTaken); seen = kFree)
    if (seen != kFree) FutexWait(state, seen);
}

// False if nobody answers: whoever holds the locks of the library is stopped itself.
bool AwaitAnswer() noexcept {
  const Nanoseconds deadline = Now() + kPatience;
  for (std::uint32_t seen; (seen = state.load()) != kAnswered;) {
    if (Now() > deadline) return false;
    FutexWait(state, seen, deadline);
  }
  return true;
}

char* Append(char* at, const char* text) noexcept {
  while (*text != '\0')
    *at++ = *text++;
  return at;
}

char* AppendHex(char* at, std::uintptr_t value) noexcept {
  at = Append(at, "0x");
  for (int shift = 60; shift >= 0; shift -= 4)
    *at++ = "0123456789abcdef"[value >> shift & 15];
  return at;
}

// What can be said without anybody's help.
void TellAlone(std::uintptr_t address, const void* place) noexcept {
  char text[160];
  char* at = Append(text, "== foothold check == host code at ");
  at = AppendHex(at, reinterpret_cast<std::uintptr_t>(place));
  at = Append(at, " follows the address ");
  at = AppendHex(at, address);
  at = Append(at, " of the library, which it must not\n");
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, static_cast<std::size_t>(at - text));
}

bool EndsProcess() noexcept {
  return (before.sa_flags & SA_SIGINFO) == 0 &&
         (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN);
}

Verdict Ask(const Range& range, std::uintptr_t address, const ucontext_t& context) noexcept {
  if (!IsMineToJudge()) return TellAlone(address, PlaceOf(context)), Verdict::kPassOn;
  Take();
  question.range = &range;
  question.fault = {address, IsWrite(context), {"host code", 0, ThisThread()}};
  question.last = EndsProcess();
  TakeFrames(PlaceOf(context));
  state.store(kAsked);
  FutexWakeAll(state);
  if (!AwaitAnswer()) return TellAlone(address, PlaceOf(context)), Verdict::kPassOn;
  const Verdict verdict = question.verdict;
  state.store(kFree);
  FutexWakeAll(state);
  return verdict;
}

void PassOn(int number, siginfo_t* info, void* context) {
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(number, info, context);
  if (!EndsProcess()) return before.sa_handler(number);
  signal(number, SIG_DFL);  // the fault comes again at once and ends the process as it would have
}

void OnFault(int number, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const Range* const range = info->si_code > 0 ? RangeAt(address) : nullptr;
  if (range == nullptr || Ask(*range, address, *static_cast<const ucontext_t*>(context)) == Verdict::kPassOn)
    PassOn(number, info, context);
  errno = error;
}

void SetHandler() noexcept {
  if (handles.exchange(true)) return;
  struct sigaction ours {};
  ours.sa_sigaction = OnFault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&ours.sa_mask);
  sigaction(SIGSEGV, nullptr, &before);
  sigaction(SIGSEGV, &ours, nullptr);
}

// Functions of the system's library come first where they were given the address; the program's are wanted.
bool IsOfSystem(const void* frame) {
  Dl_info info;
  if (dladdr(static_cast<const char*>(frame) - 1, &info) == 0 || info.dli_fname == nullptr) return false;
  const char* const name = std::strrchr(info.dli_fname, '/');
  return name != nullptr && (std::strncmp(name, "/libc.", 6) == 0 || std::strncmp(name, "/libc-", 6) == 0);
}

StackId KeepFrames() {
  std::size_t first = 0;
  while (first + 1 < question.count && IsOfSystem(question.frames[first]))
    ++first;
  return KeepStack({question.frames + first, question.count - first});
}

void Answer() {
  Fault fault = question.fault;
  fault.site.stack = KeepFrames();
  question.verdict = question.range->judge.load()(fault, question.range->about.load());
  if (question.verdict == Verdict::kPassOn && question.last) Reporter::Get().WriteEnd();
}

void* AnswerForEver(void*) {
  const LibraryThread counted;
  answerer.store(ThisThread());
  answers_for.store(static_cast<std::uint32_t>(getpid()));
  FutexWakeAll(answers_for);
  for (;;) {
    for (std::uint32_t seen; (seen = state.load()) != kAsked;)
      FutexWait(state, seen);
    question.verdict = Verdict::kPassOn;
    try {
      Answer();
    } catch (...) {  // no memory for a report
    }
    state.store(kAnswered);
    FutexWakeAll(state);
  }
}

// No signal of the program's comes to it.
void StartThread() noexcept {
  if (answers_for.load() == static_cast<std::uint32_t>(getpid())) return;
  sigset_t all, mine;
  sigfillset(&all);
  sigdelset(&all, SIGSEGV);
  pthread_sigmask(SIG_SETMASK, &all, &mine);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, &AnswerForEver, nullptr) == 0) {
    pthread_detach(thread);
    for (std::uint32_t seen; (seen = answers_for.load()) != static_cast<std::uint32_t>(getpid());)
      FutexWait(answers_for, seen);
  }
  pthread_sigmask(SIG_SETMASK, &mine, nullptr);
}

// The child has none of the threads that asked or answered.
void StartAnewInChild() {
  changes = new (changes) std::mutex;
  state.store(kFree);
}
const AtFork at_fork(ForkStage::kThreads, {.in_child = StartAnewInChild});

Range* UnusedRange() noexcept {
  const std::size_t count = used.load();
  for (std::size_t i = 0; i < count; ++i)
    if (ranges[i].end.load() == 0) return &ranges[i];
  return count == kMostRanges ? nullptr : &ranges[count];
}

}  // namespace

bool Forbid(std::uintptr_t begin, std::size_t bytes, Judge judge, void* about) noexcept {
  const std::lock_guard<std::mutex> lock(*changes);
  Range* const range = UnusedRange();
  if (range == nullptr) return false;
  StartThread();
  SetHandler();
  range->judge.store(judge);
  range->about.store(about);
  range->begin.store(begin, std::memory_order_release);
  range->end.store(begin + bytes, std::memory_order_release);
  const auto place = static_cast<std::size_t>(range - ranges);
  if (place == used.load()) used.store(place + 1, std::memory_order_release);
  return true;
}

void Permit(std::uintptr_t begin) noexcept {
  const std::lock_guard<std::mutex> lock(*changes);
  for (std::size_t i = 0; i < used.load(); ++i)
    if (ranges[i].end.load() != 0 && ranges[i].begin.load() == begin) ranges[i].end.store(0);
}

}  // namespace foothold::check
