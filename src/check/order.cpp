// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/order.h"

#include "base/error.h"
#include "check/call_scope.h"
#include "check/callback_rules.h"
#include "check/check.h"
#include "check/failed_tasks.h"
#include "check/guards.h"
#include "check/history.h"
#include "check/initialised.h"
#include "check/order_state.h"
#include "check/pool_blocks.h"
#include "check/race_reports.h"
#include "check/reporter.h"
#include "check/source_sums.h"
#include "check/stillness.h"
#include "check/thread_state.h"

namespace foothold::check {
namespace {

constexpr Nanoseconds kHeldUpLong = kSecond;

bool Report(std::vector<std::pair<Hazard, RaceFacts>> hazards) {
  bool fails = false;
  for (auto& [hazard, facts] : hazards)
    fails = ReportRace(std::move(hazard), facts) || fails;
  return fails;
}

bool Report(Order::Begun begun) {
  bool fails = Report(std::move(begun.races));
  for (const SyncFault& fault : begun.faults)
    fails = ReportSync(fault) || fails;
  return fails;
}

// There is no memory to look closer: the program goes on unwatched here.
template <typename Body>
void Quietly(Body&& body) noexcept {
  try {
    body(Order::Get());
  } catch (...) {
  }
}

}  // namespace

FunctionScope* FunctionOfThread() noexcept {
  return thread_state.function;
}

void TaskQueued(const StreamName& stream, QueuedTask&& task) noexcept {
  const ThreadState& thread = thread_state;
  if (thread.ignored == 0) LookAtPoolBlocks(task.touches);
  Quietly([&](Order& order) { order.Queue(stream, task, thread); });
}

bool InnerBegins(const StreamName& stream, InnerTask task) noexcept {
  bool fails = false;
  Quietly([&](Order& order) { fails = Report(order.BeginInner(stream, std::move(task))); });
  return !fails;
}

TaskStart TaskBegins(const StreamName& stream, std::uint32_t task) noexcept {
  TaskStart start;
  Quietly([&](Order& order) {
    Order::Begun begun;
    order.Begin(stream, task, start, begun);
    if (!begun.races.empty() || !begun.faults.empty()) start.may_run = !Report(std::move(begun));
  });
  return start;
}

void TaskEnds(const StreamName& stream, std::uint32_t task) noexcept {
  Quietly([&](Order& order) { order.End(stream, task); });
}

void TaskDropped(const StreamName& stream, std::uint32_t task) noexcept {
  Quietly([&](Order& order) { order.Drop(stream, task); });
}

DeedPtr DeedOfTask(const StreamName& stream, std::uint32_t task) noexcept {
  DeedPtr deed;
  Quietly([&](Order& order) { deed = order.DeedOf(stream, task); });
  return deed;
}

std::vector<Access> OpenPagesAt(std::uintptr_t address) {
  return Order::Get().OpenPages(address);
}

void ChangeTold(std::uintptr_t begin, std::uintptr_t end) noexcept {
  Quietly([&](Order& order) { order.TellChange(begin, end); });
}

bool IsHostWriteAwaited(std::uint64_t serial) noexcept {
  bool awaited = true;
  Quietly([&](Order& order) { awaited = order.IsHostWriteAwaited(serial); });
  return awaited;
}

bool IsAwaited(std::uint64_t serial, Awaited what, const DeedPtr& but) noexcept {
  bool awaited = true;
  Quietly([&](Order& order) { awaited = order.IsAwaited(serial, what, but); });
  return awaited;
}

void StreamReaches(const StreamName& stream, const std::shared_ptr<const void>& point, Point how) noexcept {
  Quietly([&](Order& order) { order.Reach(stream, point, how); });
}

void StreamLearns(const StreamName& stream, const void* point) noexcept {
  Quietly([&](Order& order) { order.Learn(stream, point); });
}

void StreamLearnsValue(const StreamName& stream, const Touch& value) noexcept {
  Quietly([&](Order& order) { order.LearnValue(stream, value); });
}

void StreamPassesWait(const StreamName& stream, const SyncUse& wait) noexcept {
  Quietly([&](Order& order) { order.PassWait(stream, wait); });
}

void StreamWillKnow(const StreamName& stream, const void* point) noexcept {
  Quietly([&](Order& order) { order.WillKnow(stream, point); });
}

void StreamLearnsStream(const StreamName& stream, const StreamName& other) noexcept {
  Quietly([&](Order& order) { order.LearnStream(stream, other, false); });
}

void StreamWillKnowStream(const StreamName& stream, const StreamName& other) noexcept {
  Quietly([&](Order& order) { order.LearnStream(stream, other, true); });
}

void HostLearns(const void* point) noexcept {
  Quietly([&](Order& order) { order.HostLearn(point); });
}

void HostLearnsStream(const StreamName& stream) noexcept {
  Quietly([&](Order& order) { order.HostLearnStream(stream); });
  LookAtGuardsSometimes();
}

void HostTimesOut(const StreamName& stream) noexcept {
  Quietly([&](Order& order) { order.TimeOut(stream); });
}

void FailureSeen(const StreamName& stream) noexcept {
  Quietly([&](Order& order) { order.SeeFailure(stream); });
}

void HostTouches(Touches touches) {
  if (Ignoring()) return;
  LookAtPoolBlocks(touches);
  bool fails = false;
  Quietly([&](Order& order) { fails = Report(order.HostTouch(touches)); });
  if (fails) Fail(kRtParamInvalid, "the memory is in use by a task the program has not waited for");
}

void MemoryFreed(const void* address) {
  bool fails = false;
  Quietly([&](Order& order) {
    const auto block = FindBlockAt(address);
    if (!block || block->freed || block->base != reinterpret_cast<std::uintptr_t>(address) ||
        !IsPrograms(*block))
      return;
    const Order::Freed freed = order.Free(*block);
    if (freed.use) fails = ReportFree(*freed.free, *freed.use, freed.pending);
  });
  if (fails) Fail(kRtParamInvalid, "the memory is in use by a task the program has not waited for");
}

std::optional<Access> LastWriteOf(std::uint64_t serial) noexcept {
  std::optional<Access> write;
  Quietly([&](Order& order) { write = order.LastWrite(serial); });
  return write;
}

void MemoryTaken(std::uint64_t serial) noexcept {
  Quietly([&](Order& order) { order.Forget(serial); });
}

void MemoryShared(std::uint64_t serial) noexcept {
  Quietly([&](Order& order) { order.Share(serial); });
}

std::size_t SharedBlocks() noexcept {
  std::size_t count = 0;
  Quietly([&](Order& order) { count = order.shared(); });
  return count;
}

void LetterLeaves(const StreamName& stream) noexcept {
  Quietly([&](Order& order) { order.Leave(stream); });
}

void KeepFailure(const StreamName& stream, DeedPtr deed, const std::string& message) {
  Order::Get().KeepFailure(stream, std::move(deed), message);
}

std::pair<DeedPtr, std::string> CloseStream(const StreamName& stream) {
  return Order::Get().Close(stream);
}

// Now, less what is no function's fault: reports of this thread, and others on the machine.
static Nanoseconds TimeOfFunctions() noexcept {
  static const bool asked = Wanted("ACL-CB-004") != nullptr;
  return Now() - ReportTime::OfThread() - (asked ? WaitedForProcessor() : 0);
}

FunctionScope::FunctionScope(const StreamName& stream, bool holds_stream, const void* function) noexcept
    : stream_(stream), holds_stream_(holds_stream), function_(function) {
  if (!On()) return;
  begin_ = TimeOfFunctions();
  Quietly([&](Order& order) {
    order.Enter(*this);
    on_ = true;
  });
  if (!on_) return;
  outer_ = thread_state.function;
  thread_state.function = this;
  FunctionPasses();
}

FunctionScope::~FunctionScope() {
  if (!on_) return;
  thread_state.function = outer_;
  FunctionPasses();
  Quietly([&](Order& order) { order.Exit(*this); });
  const Nanoseconds held = TimeOfFunctions() - begin_;
  if (holds_stream_ && held > kHeldUpLong) FunctionWasLong(stream_, function_, held);
}

}  // namespace foothold::check
