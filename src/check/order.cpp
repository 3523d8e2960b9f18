// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/order.h"

#include <fmt/format.h>

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "base/per_process.h"
#include "base/thread_id.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/failed_tasks.h"
#include "check/history.h"
#include "check/race_reports.h"

namespace foothold::check {
namespace {

constinit thread_local FunctionScope* function_of_thread = nullptr;

Site SiteOfCall() {
  const CallScope* const call = CallScope::Current();
  return call == nullptr ? Site{} : call->site();
}

}  // namespace

class Order {
 public:
  static Order& Get() { return PerProcess<Order>::Get(); }

  void Queue(const StreamName& name, std::uint32_t task, const char* call, std::vector<Touch> touches) {
    const Site site = SiteOfCall();
    const std::lock_guard<std::mutex> lock(mutex_);
    StreamState& stream = StateOf(name);
    auto deed = std::make_shared<Deed>();
    deed->agent = stream.agent;
    deed->epoch = ++stream.queued;
    deed->clock = KnownHere();
    deed->clock.Join(stream.next);
    stream.next = {};
    deed->sequence = ++sequence_;
    deed->site = site ? site : Site{call, 0, KernelThreadId()};
    deed->call = call;
    deed->where = stream.name;
    deed->task = task;
    deed->stream = name.id;
    deed->on_default_stream = name.is_default;
    std::erase_if(touches, [](const Touch& touch) { return touch.serial == 0 || touch.bytes == 0; });
    stream.pending.push_back({std::move(deed), std::move(touches)});
  }

  // What the task has no order with, by a look at all it touches.
  std::vector<std::pair<Hazard, RaceFacts>> Begin(const StreamName& name, std::uint32_t task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Pending* const pending = Front(name, task);
    if (pending == nullptr || pending->begun) return {};
    StreamState& stream = streams_.at(name.key);
    pending->begun = true;
    stream.clock.Join(pending->deed->clock);
    stream.begun = pending->deed->epoch;
    pending->deed->clock = stream.clock;
    return Touched(pending->deed, pending->touches);
  }

  void End(const StreamName& name, std::uint32_t task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (Pending* const pending = Front(name, task)) {
      StreamState& stream = streams_.at(name.key);
      stream.begun = std::max(stream.begun, pending->deed->epoch);
      stream.pending.pop_front();
    }
  }

  DeedPtr DeedOf(const StreamName& name, std::uint32_t task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Pending* const pending = Front(name, task);
    return pending == nullptr ? nullptr : pending->deed;
  }

  void KeepFailure(const StreamName& name, DeedPtr deed, const std::string& message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    StreamState& stream = StateOf(name);
    stream.failed = std::move(deed);
    stream.failure = message;
  }

  void SeeFailure(const StreamName& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto found = streams_.find(name.key); found != streams_.end()) {
      found->second.failed = nullptr;
      found->second.failure.clear();
    }
  }

  // What the stream leaves behind: the host knows its end, and it is forgotten.
  std::pair<DeedPtr, std::string> Close(const StreamName& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = streams_.find(name.key);
    if (found == streams_.end()) return {};
    std::pair<DeedPtr, std::string> failed{found->second.failed, found->second.failure};
    LearnHere(found->second.Reached());
    over_[found->second.agent] = sequence_;
    if (found->second.callbacks != 0) over_[found->second.callbacks] = sequence_;
    streams_.erase(found);
    ForgetOver();
    return failed;
  }

  void Reach(const StreamName& name, const std::shared_ptr<const void>& point, Point how) {
    const std::lock_guard<std::mutex> lock(mutex_);
    PointState& state = points_[point.get()];
    if (how == Point::kReplace || state.alive.expired()) state.clock = {};
    state.alive = point;
    state.clock.Join(StateOf(name).Reached());
    if (points_.size() >= purge_at_) Purge();
  }

  const Clock* Find(const void* point) const {
    const auto found = points_.find(point);
    return found == points_.end() || found->second.alive.expired() ? nullptr : &found->second.clock;
  }

  void Learn(const StreamName& name, const void* point) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const Clock* const clock = Find(point)) StateOf(name).clock.Join(*clock);
  }

  void LearnValue(const StreamName& name, const Touch& value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = memory_.find(value.serial);
    if (found == memory_.end()) return;
    const Access* const write = found->second.LastWrite(value.address);
    if (write == nullptr) return;
    Clock clock = write->deed->clock;
    clock.Raise(write->deed->agent, write->deed->epoch);
    StateOf(name).clock.Join(clock);
  }

  void WillKnow(const StreamName& name, const void* point) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const Clock* const clock = Find(point)) StateOf(name).next.Join(*clock);
  }

  void LearnStream(const StreamName& name, const StreamName& other, bool later) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Clock reached = StateOf(other).Reached();
    StreamState& stream = StateOf(name);
    (later ? stream.next : stream.clock).Join(reached);
  }

  Ticket Last(const StreamName& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const StreamState& stream = StateOf(name);
    return {stream.agent, stream.queued};
  }
  bool KnowsOver(const Ticket& ticket) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return over_.contains(ticket.agent) || KnownHere().Knows(ticket.agent, ticket.epoch);
  }
  std::uint64_t Waits(const StreamName& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return StateOf(name).waits;
  }
  // By stream: how many tasks this thread does not know to be over.
  std::vector<std::pair<const void*, std::uint64_t>> Unknown() {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Clock known = KnownHere();
    std::vector<std::pair<const void*, std::uint64_t>> unknown;
    for (const auto& [key, stream] : streams_)
      if (stream.queued > known.Of(stream.agent))
        unknown.emplace_back(key, stream.queued - known.Of(stream.agent));
    return unknown;
  }

  void HostLearn(const void* point) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const Clock* const clock = Find(point)) LearnHere(*clock);
  }

  void HostLearnStream(const StreamName& name) {
    const Site site = SiteOfCall();
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = streams_.find(name.key);
    if (site) synchronized_ = site, synchronized_stream_ = fmt::format("stream {}", name.id);
    if (found == streams_.end()) return;
    ++found->second.waits;
    LearnHere(found->second.Reached());
    if (found->second.callbacks != 0) {
      Clock called;
      called.Raise(found->second.callbacks, found->second.called);
      LearnHere(called);
    }
  }

  std::vector<std::pair<Hazard, RaceFacts>> HostTouch(const std::vector<Touch>& touches) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return Touched(DeedOfHost(), touches);
  }

  void Forget(std::uint64_t serial) {
    const std::lock_guard<std::mutex> lock(mutex_);
    memory_.erase(serial);
  }

  struct Freed {
    DeedPtr free;
    std::optional<Access> use;
    bool pending = false;
  };
  Freed Free(const BlockRecord& block) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Freed freed{DeedOfHost(), {}, false};
    const Clock known = KnownHere();
    if (const auto found = memory_.find(block.serial); found != memory_.end()) {
      if (const Access* const use = found->second.NotOver(known)) freed.use = *use;
      memory_.erase(found);
    }
    for (const auto& [key, stream] : streams_)
      for (const Pending& pending : stream.pending)
        LookAtPending(pending, block.serial, known, freed);
    return freed;
  }

  void Leave(const StreamName& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    StreamState& stream = StateOf(name);
    stream.letters.push_back(stream.Reached());
  }

  void Enter(FunctionScope& scope) {
    const std::lock_guard<std::mutex> lock(mutex_);
    StreamState& stream = StateOf(scope.stream_);
    if (scope.holds_stream_) {
      // It may tell other threads at any moment what it knows.
      host_.Join(stream.Reached());
    } else {
      if (stream.callbacks == 0) stream.callbacks = next_agent_++;
      ++stream.called;
      scope.agent_ = stream.callbacks;
      if (!stream.letters.empty()) {
        scope.clock_ = std::move(stream.letters.front());
        stream.letters.pop_front();
      }
      host_.Join(scope.clock_);
    }
  }

  void Exit(FunctionScope& scope) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = streams_.find(scope.stream_.key);
    if (found == streams_.end()) return;
    if (!scope.holds_stream_) return host_.Raise(scope.agent_, found->second.called);
    found->second.clock.Raise(kHost, host_epoch_);
    found->second.clock.Join(scope.clock_);
  }

 private:
  template <typename T>
  friend class ::foothold::PerProcess;
  Order() = default;

  struct Pending {
    std::shared_ptr<Deed> deed;  // its clock is what the host knew when it was queued, until it begins
    std::vector<Touch> touches;
    bool begun = false;
  };

  struct StreamState {
    Agent agent = 0;
    std::string name;
    bool is_default = false;
    Clock clock;  // of tasks that have begun, without the stream's own
    Epoch queued = 0, begun = 0;
    std::uint64_t waits = 0;
    Clock next;  // what the next task to be queued knows beside the host
    std::deque<Pending> pending;
    std::deque<Clock> letters;
    Agent callbacks = 0;  // the agent of those that do not hold it up; 0: none yet
    Epoch called = 0;
    DeedPtr failed;
    std::string failure;
    bool failure_seen = false;

    // All it has done so far.
    Clock Reached() const {
      Clock reached = clock;
      reached.Raise(agent, begun);
      return reached;
    }
  };

  struct PointState {
    std::weak_ptr<const void> alive;
    Clock clock;
  };

  StreamState& StateOf(const StreamName& name) {
    StreamState& stream = streams_[name.key];
    if (stream.agent != 0) return stream;
    stream.agent = next_agent_++;
    stream.name = fmt::format("{} {}", name.what, name.id);
    return stream;
  }

  // The task at the head, if it was queued while the program was checked. Some before it may not have been.
  Pending* Front(const StreamName& name, std::uint32_t task) {
    const auto found = streams_.find(name.key);
    if (found == streams_.end() || found->second.pending.empty()) return nullptr;
    Pending& front = found->second.pending.front();
    return front.deed->task == task ? &front : nullptr;
  }

  // What this thread knows.
  Clock KnownHere() const {
    Clock known = host_;
    known.Raise(kHost, host_epoch_);
    if (function_of_thread != nullptr) known.Join(function_of_thread->clock_);
    return known;
  }
  void LearnHere(const Clock& clock) {
    host_.Join(clock);
    if (function_of_thread != nullptr) function_of_thread->clock_.Join(clock);
  }

  std::shared_ptr<Deed> DeedOfHost() {
    auto deed = std::make_shared<Deed>();
    deed->clock = KnownHere();
    deed->sequence = ++sequence_;
    deed->site = SiteOfCall();
    if (deed->site) deed->call = deed->site.call;
    FunctionScope* const function = function_of_thread;
    if (function != nullptr && !function->holds_stream_) {
      StreamState& stream = StateOf(function->stream_);
      deed->agent = function->agent_;
      deed->epoch = stream.called;
      deed->in_callback = true;
      deed->where = fmt::format("a callback of {}", stream.name);
      host_.Raise(deed->agent, deed->epoch);  // it may tell others before it returns
    } else {
      deed->epoch = ++host_epoch_;
    }
    return deed;
  }

  std::vector<std::pair<Hazard, RaceFacts>> Touched(const DeedPtr& deed, const std::vector<Touch>& touches) {
    std::vector<Hazard> hazards;
    for (const Touch& touch : touches)
      if (touch.serial != 0) memory_[touch.serial].Add({deed, touch}, hazards);
    std::vector<std::pair<Hazard, RaceFacts>> found;
    for (Hazard& hazard : hazards)
      if (!IsOver(*hazard.before.deed, *hazard.now.deed)) found.emplace_back(hazard, FactsOf(hazard));
    return found;
  }

  // Streams that have ended are known to all that came since.
  bool IsOver(const Deed& before, const Deed& now) const {
    const auto over = over_.find(before.agent);
    return over != over_.end() && now.sequence > over->second;
  }

  RaceFacts FactsOf(const Hazard& hazard) const {
    const bool turned = hazard.now.deed->sequence < hazard.before.deed->sequence;
    const Deed& before = turned ? *hazard.now.deed : *hazard.before.deed;
    const Deed& now = turned ? *hazard.before.deed : *hazard.now.deed;
    RaceFacts facts;
    const Epoch known = now.clock.Of(before.agent);
    if (known > 0 && before.task)
      facts.known = static_cast<std::int64_t>(known + *before.task) - static_cast<std::int64_t>(before.epoch);
    facts.synchronized = synchronized_;
    facts.synchronized_stream = synchronized_stream_;
    return facts;
  }

  static void LookAtPending(const Pending& pending, std::uint64_t serial, const Clock& known, Freed& freed) {
    if (known.Knows(pending.deed->agent, pending.deed->epoch)) return;
    for (const Touch& touch : pending.touches) {
      if (touch.serial != serial) continue;
      if (freed.use && freed.use->deed->sequence >= pending.deed->sequence) continue;
      freed.use = Access{pending.deed, touch};
      freed.pending = !pending.begun;
    }
  }

  // Nobody asks about agents that have ended, but for accesses that are still remembered; those count as
  // over.
  void ForgetOver() {
    if (over_.size() % 64 != 0) return;
    const auto is_over = [this](Agent agent) { return over_.contains(agent); };
    host_.Forget(is_over);
    for (auto& [key, stream] : streams_)
      if (stream.pending.empty()) stream.clock.Forget(is_over);
  }

  void Purge() {
    std::erase_if(points_, [](const auto& entry) { return entry.second.alive.expired(); });
    purge_at_ = 2 * points_.size() + 1024;
  }

  std::mutex mutex_;  // guards all below
  std::uint64_t sequence_ = 0;
  Agent next_agent_ = kHost + 1;
  Clock host_;
  Epoch host_epoch_ = 0;
  std::unordered_map<const void*, StreamState> streams_;
  std::unordered_map<Agent, std::uint64_t> over_;  // with the sequence of their end
  std::unordered_map<const void*, PointState> points_;
  std::size_t purge_at_ = 1024;
  std::unordered_map<std::uint64_t, Accesses> memory_;  // by serial
  Site synchronized_;
  std::string synchronized_stream_;
};

namespace {

bool Report(std::vector<std::pair<Hazard, RaceFacts>> hazards) {
  bool fails = false;
  for (auto& [hazard, facts] : hazards)
    fails = ReportRace(std::move(hazard), facts) || fails;
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

void TaskQueued(const StreamName& stream, std::uint32_t task, const char* call,
                std::vector<Touch> touches) noexcept {
  Quietly([&](Order& order) { order.Queue(stream, task, call, std::move(touches)); });
}

bool TaskBegins(const StreamName& stream, std::uint32_t task) noexcept {
  bool fails = false;
  Quietly([&](Order& order) { fails = Report(order.Begin(stream, task)); });
  return !fails;
}

void TaskEnds(const StreamName& stream, std::uint32_t task) noexcept {
  Quietly([&](Order& order) { order.End(stream, task); });
}

void TaskDropped(const StreamName& stream, std::uint32_t task) noexcept {
  TaskEnds(stream, task);
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

void StreamWillKnow(const StreamName& stream, const void* point) noexcept {
  Quietly([&](Order& order) { order.WillKnow(stream, point); });
}

void StreamLearnsStream(const StreamName& stream, const StreamName& other) noexcept {
  Quietly([&](Order& order) { order.LearnStream(stream, other, false); });
}

void StreamWillKnowStream(const StreamName& stream, const StreamName& other) noexcept {
  Quietly([&](Order& order) { order.LearnStream(stream, other, true); });
}

Ticket LastQueued(const StreamName& stream) noexcept {
  Ticket ticket;
  Quietly([&](Order& order) { ticket = order.Last(stream); });
  return ticket;
}

bool IsKnownOver(const Ticket& ticket) noexcept {
  bool over = true;
  Quietly([&](Order& order) { over = order.KnowsOver(ticket); });
  return over;
}

std::uint64_t UnknownTasks(const StreamName& stream) noexcept {
  std::uint64_t tasks = 0;
  Quietly([&](Order& order) {
    for (const auto& [key, count] : order.Unknown())
      if (key == stream.key) tasks = count;
  });
  return tasks;
}

std::uint64_t UnknownStreams() noexcept {
  std::uint64_t streams = 0;
  Quietly([&](Order& order) { streams = order.Unknown().size(); });
  return streams;
}

std::uint64_t WaitsFor(const StreamName& stream) noexcept {
  std::uint64_t waits = 0;
  Quietly([&](Order& order) { waits = order.Waits(stream); });
  return waits;
}

void HostLearns(const void* point) noexcept {
  Quietly([&](Order& order) { order.HostLearn(point); });
}

void HostLearnsStream(const StreamName& stream) noexcept {
  Quietly([&](Order& order) { order.HostLearnStream(stream); });
}

void FailureSeen(const StreamName& stream) noexcept {
  Quietly([&](Order& order) { order.SeeFailure(stream); });
}

void HostTouches(const std::vector<Touch>& touches) {
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

void MemoryTaken(std::uint64_t serial) noexcept {
  Quietly([&](Order& order) { order.Forget(serial); });
}

void LetterLeaves(const StreamName& stream) noexcept {
  Quietly([&](Order& order) { order.Leave(stream); });
}

DeedPtr DeedOfTask(const StreamName& stream, std::uint32_t task) {
  return Order::Get().DeedOf(stream, task);
}

void KeepFailure(const StreamName& stream, DeedPtr deed, const std::string& message) {
  Order::Get().KeepFailure(stream, std::move(deed), message);
}

std::pair<DeedPtr, std::string> CloseStream(const StreamName& stream) {
  return Order::Get().Close(stream);
}

FunctionScope::FunctionScope(const StreamName& stream, bool holds_stream) noexcept
    : stream_(stream), holds_stream_(holds_stream) {
  if (!On()) return;
  Quietly([&](Order& order) {
    order.Enter(*this);
    on_ = true;
  });
  if (!on_) return;
  outer_ = function_of_thread;
  function_of_thread = this;
}

FunctionScope::~FunctionScope() {
  if (!on_) return;
  function_of_thread = outer_;
  Quietly([&](Order& order) { order.Exit(*this); });
}

}  // namespace foothold::check
