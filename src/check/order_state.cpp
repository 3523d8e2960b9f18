// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/order_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/per_process.h"
#include "base/thread_id.h"
#include "check/call_scope.h"

namespace foothold::check {
namespace {

Site SiteOfCall() {
  const CallScope* const call = CallScope::Current();
  return call == nullptr ? Site{} : call->site();
}

}  // namespace

Order& Order::Get() {
  return PerProcess<Order>::Get();
}

std::string Order::StreamState::Text() const {
  return fmt::format("{} {}", name.what, name.id);
}

Clock Order::StreamState::Reached() const {
  Clock reached = clock;
  reached.Raise(agent, begun);
  if (inner != 0) reached.Raise(inner, inner_begun);
  return reached;
}

// Most questions are about the stream of the last one.
Order::StreamState* Order::FindState(const void* key) {
  if (key == last_key_) return last_state_;
  const auto found = streams_.find(key);
  if (found == streams_.end()) return nullptr;
  last_key_ = key;
  return last_state_ = &found->second;
}

Order::StreamState* Order::FindQueuing(const void* key) {
  if (key == queue_key_) return queue_state_;
  const auto found = streams_.find(key);
  if (found == streams_.end()) return nullptr;
  queue_key_ = key;
  return queue_state_ = &found->second;
}

Order::StreamState& Order::StateOf(const StreamName& name) {
  if (StreamState* const known = FindState(name.key)) return *known;
  StreamState& stream = streams_[name.key];
  stream.name = name;
  stream.agent = NewAgent();
  return stream;
}

Order::StreamState& Order::StateInOrder(const StreamName& name) {
  if (StreamState* const known = FindState(name.key)) return *known;
  const std::lock_guard<SpinLock> lock(queue_lock_);
  return StateOf(name);
}

// The lock of the queue is held.
std::uint64_t Order::NextSequence() {
  const std::uint64_t next = sequence_.load(std::memory_order_relaxed) + 1;
  sequence_.store(next, std::memory_order_relaxed);
  return next;
}

Agent Order::NewAgent() {
  live_.insert(next_agent_);
  return next_agent_++;
}

// Who is queued from now on knows that it is over. When all that were queued before are over too, it need not
// be remembered: who does not live is over.
void Order::EndAgent(Agent agent) {
  live_.erase(agent);
  over_[agent] = sequence_.load();
  ForgetOver();
}

std::uint64_t Order::OldestPending() {
  std::uint64_t oldest = sequence_.load(std::memory_order_relaxed);
  for (auto& [key, stream] : streams_)
    if (const LoggedTask* const front = stream.log.Front()) oldest = std::min(oldest, front->sequence);
  return oldest;
}

// Runs follow one another in a lane, and that is no order of the program's: each is an agent of its own.
void Order::BeginLane(StreamState& stream) {
  stream.clock = {};
  if (stream.inner != 0) stream.left.emplace_back(stream.inner, stream.inner_begun);
  stream.inner = 0;
  stream.inner_begun = 0;
  std::erase_if(stream.left, [this](const auto& run) {
    if (!host_.Knows(run.first, run.second)) return false;
    EndAgent(run.first);
    return true;
  });
}

Order::Begun Order::BeginInner(const StreamName& name, InnerTask task) {
  const std::lock_guard<SpinLock> lock(lock_);
  StreamState& stream = StateInOrder(name);
  const LoggedTask* const runs = stream.log.Front();
  if (stream.inner == 0) stream.inner = NewAgent();
  Deed deed;
  deed.clock = stream.clock;
  deed.clock.Raise(stream.agent, stream.begun);
  deed.agent = stream.inner;
  deed.epoch = ++stream.inner_begun;
  if (runs == nullptr) {
    const std::lock_guard<SpinLock> queue_lock(queue_lock_);
    deed.sequence = NextSequence();
  } else {
    deed.sequence = runs->sequence;
    deed.run_by = runs->site;
  }
  deed.site = task.site ? task.site : Site{task.call, 0, 0};
  deed.call = task.call;
  deed.what = name.what;
  deed.task = task.number;
  deed.stream = name.id;
  deed.instance = task.instance;
  deed.run = task.run;
  const DeedPtr kept = DeedPtr::Make(std::move(deed));
  Begun begun;
  Touched(kept, task.touches, begun.races);
  LookAtSync(kept, task.sync, begun.faults);
  return begun;
}

void Order::LookAtSync(const DeedPtr& deed, const SyncUse& sync, std::vector<SyncFault>& faults) {
  using Kind = SyncUse::Kind;
  const bool event = sync.what == SyncUse::What::kEvent;
  if (event && sync.kind == Kind::kResets) LookAtWaits(deed, sync, SyncFault::Kind::kResetUnderWait, faults);
  if (event && sync.kind == Kind::kTells && sync.plain)
    LookAtWaits(deed, sync, SyncFault::Kind::kRecordUnderWait, faults);
  if (sync.what == SyncUse::What::kNotify && sync.kind == Kind::kTells && !sync.outside)
    LookAtNotify(deed, sync, faults);
}

// Waits that were asked for before, and nothing says that they are over.
void Order::LookAtWaits(const DeedPtr& deed, const SyncUse& sync, SyncFault::Kind kind,
                        std::vector<SyncFault>& faults) {
  const std::lock_guard<SpinLock> lock(queue_lock_);
  const auto found = events_.find(sync.object);
  if (found == events_.end()) return;
  const std::vector<Deed>& waits = found->second.waits;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const Deed& wait = waits[(found->second.oldest + i) % waits.size()];
    if (wait.agent == deed->agent || wait.sequence > deed->sequence) continue;
    if (!IsOver(wait, deed->clock)) faults.push_back({kind, sync, deed, DeedPtr::Make(wait)});
  }
}

void Order::LookAtNotify(const DeedPtr& deed, const SyncUse& sync, std::vector<SyncFault>& faults) {
  NotifyUses& uses = notifies_[sync.object];
  if (uses.record && !uses.take)
    faults.push_back({SyncFault::Kind::kRecordTwice, sync, deed, uses.record});
  else if (uses.take && uses.take->agent != deed->agent && !IsOver(*uses.take, deed->clock))
    faults.push_back({SyncFault::Kind::kRecordTwice, sync, deed, uses.take});
  uses = {deed, nullptr};
}

void Order::KeepFailure(const StreamName& name, DeedPtr deed, const std::string& message) {
  const std::lock_guard<SpinLock> lock(lock_);
  StreamState& stream = StateInOrder(name);
  stream.failed = std::move(deed);
  stream.failure = message;
}

void Order::SeeFailure(const StreamName& name) {
  const std::lock_guard<SpinLock> lock(lock_);
  if (const auto found = streams_.find(name.key); found != streams_.end()) {
    found->second.failed = nullptr;
    found->second.failure.clear();
  }
}

std::pair<DeedPtr, std::string> Order::Close(const StreamName& name) {
  const Whole lock(*this);
  // Who waited for it did not mean what is used from now on.
  if (synchronized_stream_ == fmt::format("{} {}", name.what, name.id)) synchronized_ = {};
  const auto found = streams_.find(name.key);
  if (found == streams_.end()) return {};
  StreamState& stream = found->second;
  std::pair<DeedPtr, std::string> failed{stream.failed, stream.failure};
  LearnHere(stream.Reached());
  stream.log.ForEach([this](const LoggedTask& task) { UncountHostWrites(task); });
  std::vector<Agent> ended{stream.agent, stream.callbacks, stream.inner};
  for (const auto& [agent, epoch] : stream.left)
    ended.push_back(agent);
  last_key_ = queue_key_ = nullptr;
  const LoggedTask* const front = stream.log.Front();
  if (front != nullptr && front->begun)
    ending_.insert(streams_.extract(found));
  else
    streams_.erase(found);
  for (const Agent agent : ended)
    if (agent != 0) EndAgent(agent);
  return failed;
}

void Order::Reach(const StreamName& name, const std::shared_ptr<const void>& point, Point how) {
  const std::lock_guard<SpinLock> lock(lock_);
  PointState& state = points_[point.get()];
  const StreamState& stream = StateInOrder(name);
  const bool joins = how == Point::kJoin && !state.alive.expired();
  state.alive = point;
  if (joins || stream.inner != 0) {
    if (!joins) state.clock = {};
    state.clock.Raise(std::exchange(state.agent, kHost), std::exchange(state.epoch, 0));
    state.clock.Join(stream.Reached());
  } else {
    state.clock.Become(stream.clock);
    state.agent = stream.agent;
    state.epoch = stream.begun;
  }
  if (points_.size() >= purge_at_) Purge();
}

bool Order::AddPoint(Clock& clock, const void* point, Agent self) const {
  const auto found = points_.find(point);
  if (found == points_.end() || found->second.alive.expired()) return false;
  const PointState& state = found->second;
  clock.Join(state.clock, self);
  if (state.agent != self) clock.Raise(state.agent, state.epoch);
  return true;
}

void Order::Learn(const StreamName& name, const void* point) {
  const std::lock_guard<SpinLock> lock(lock_);
  StreamState& stream = StateInOrder(name);
  AddPoint(stream.clock, point, stream.agent);
  if (notifies_.empty()) return;
  const auto notify = notifies_.find(point);
  const LoggedTask* const front = stream.log.Front();
  if (notify != notifies_.end() && front != nullptr) notify->second.take = DeedFor(stream, *front);
}

void Order::LearnValue(const StreamName& name, const Touch& value) {
  const std::lock_guard<SpinLock> lock(lock_);
  const auto found = memory_.find(value.serial);
  if (found == memory_.end()) return;
  const Access* const write = found->second.LastWrite(value.address);
  if (write == nullptr) return;
  Clock clock = write->deed->clock;
  clock.Raise(write->deed->agent, write->deed->epoch);
  StateInOrder(name).clock.Join(clock);
}

void Order::WillKnow(const StreamName& name, const void* point) {
  const Whole lock(*this);
  StreamState& stream = StateOf(name);
  stream.has_next = AddPoint(stream.next, point) || stream.has_next;
}

void Order::LearnStream(const StreamName& name, const StreamName& other, bool later) {
  const Whole lock(*this);
  const Clock reached = StateOf(other).Reached();
  StreamState& stream = StateOf(name);
  (later ? stream.next : stream.clock).Join(reached);
  stream.has_next = stream.has_next || later;
}

void Order::HostLearn(const void* point) {
  const Whole lock(*this);
  Clock known;
  if (AddPoint(known, point)) LearnHere(known);
}

void Order::HostLearnStream(const StreamName& name) {
  const Site site = SiteOfCall();
  const Whole lock(*this);
  const auto found = streams_.find(name.key);
  if (site) {
    synchronized_ = site;
    synchronized_stream_ = found == streams_.end() ? fmt::format("stream {}", name.id) : found->second.Text();
    synchronized_nothing_ =
        found == streams_.end() || KnownHere().Knows(found->second.agent, found->second.queued);
  }
  if (found == streams_.end()) return;
  found->second.timed_out = {};
  ++found->second.waits;
  LearnHere(found->second.Reached());
  if (found->second.callbacks != 0) {
    Clock called;
    called.Raise(found->second.callbacks, found->second.called);
    LearnHere(called);
  }
}

void Order::TimeOut(const StreamName& name) {
  const Site site = SiteOfCall();
  const std::lock_guard<SpinLock> lock(lock_);
  StateInOrder(name).timed_out = site;
}

std::vector<std::pair<Hazard, RaceFacts>> Order::HostTouch(std::span<const Touch> touches) {
  const Whole lock(*this);
  Races races;
  Touched(DeedOfHost(), touches, races);
  return races;
}

void Order::Forget(std::uint64_t serial) {
  const std::lock_guard<SpinLock> lock(lock_);
  memory_.erase(serial);
  recent_ = {};
}

void Order::Share(std::uint64_t serial) {
  const std::lock_guard<SpinLock> lock(lock_);
  shared_.insert(serial);
}

std::size_t Order::shared() const {
  const std::lock_guard<SpinLock> lock(lock_);
  return shared_.size();
}

Order::Freed Order::Free(const BlockRecord& block) {
  const Whole lock(*this);
  Freed freed{DeedOfHost(), {}, false};
  const Clock known = KnownHere();
  if (const auto found = memory_.find(block.serial); found != memory_.end()) {
    found->second.Forget([this, now = sequence_.load()](const Deed& one) { return IsOverForAll(one, now); });
    if (const Access* const use = found->second.NotOver(known)) freed.use = *use;
    memory_.erase(found);
    recent_ = {};
  }
  for (auto& [key, stream] : streams_)
    stream.log.ForEach([&, &stream = stream](const LoggedTask& task) {
      LookAtPending(stream, task, block.serial, known, freed);
    });
  return freed;
}

void Order::Leave(const StreamName& name) {
  const std::lock_guard<SpinLock> lock(lock_);
  StreamState& stream = StateInOrder(name);
  stream.letters.push_back(stream.Reached());
}

void Order::Enter(FunctionScope& scope) {
  const Whole lock(*this);
  StreamState& stream = StateOf(scope.stream_);
  if (scope.holds_stream_) {
    // It may tell other threads at any moment what it knows.
    host_.Join(stream.Reached());
    closed_.OpenKnown(host_);
    stream.function = KernelThreadId();
  } else {
    if (stream.callbacks == 0) stream.callbacks = NewAgent();
    ++stream.called;
    scope.agent_ = stream.callbacks;
    if (!stream.letters.empty()) {
      scope.clock_ = std::move(stream.letters.front());
      stream.letters.pop_front();
    }
    host_.Join(scope.clock_);
    closed_.OpenKnown(host_);
  }
}

void Order::Exit(FunctionScope& scope) {
  const Whole lock(*this);
  const auto found = streams_.find(scope.stream_.key);
  if (found == streams_.end()) return;
  if (!scope.holds_stream_) return host_.Raise(scope.agent_, found->second.called);
  found->second.function = 0;
  found->second.clock.Raise(kHost, host_epoch_);
  found->second.clock.Join(scope.clock_);
}

// What this thread knows.
Clock Order::KnownHere() const {
  Clock known = host_;
  known.Raise(kHost, host_epoch_);
  if (const FunctionScope* const function = FunctionOfThread()) known.Join(function->clock_);
  return known;
}

void Order::LearnHere(const Clock& clock) {
  host_.Join(clock);
  closed_.OpenKnown(host_);
  if (FunctionScope* const function = FunctionOfThread()) function->clock_.Join(clock);
}

DeedPtr Order::DeedOfHost() {
  Deed deed;
  deed.clock = KnownHere();
  deed.sequence = NextSequence();
  deed.site = SiteOfCall();
  if (deed.site) deed.call = deed.site.call;
  FunctionScope* const function = FunctionOfThread();
  if (function != nullptr && !function->holds_stream_) {
    StreamState& stream = StateOf(function->stream_);
    deed.agent = function->agent_;
    deed.epoch = stream.called;
    deed.in_callback = true;
    deed.what = function->stream_.what;
    deed.stream = function->stream_.id;
    host_.Raise(deed.agent, deed.epoch);  // it may tell others before it returns
  } else {
    deed.epoch = ++host_epoch_;
  }
  return DeedPtr::Make(std::move(deed));
}

Accesses& Order::AccessesOf(std::uint64_t serial) {
  Recent& recent = recent_[serial % recent_.size()];
  if (recent.serial != serial) recent = {serial, &memory_[serial]};
  return *recent.accesses;
}

void Order::Remember(const DeedPtr& deed, const Touch& touch, std::vector<Hazard>& hazards) {
  Accesses& accesses = AccessesOf(touch.serial);
  accesses.Add(deed, touch, hazards);
  if (!accesses.crowded()) return;
  accesses.Forget([this, oldest = OldestPending()](const Deed& one) { return IsOverForAll(one, oldest); });
}

void Order::Touched(const DeedPtr& deed, std::span<const Touch> touches, Races& races) {
  std::vector<Hazard> hazards;
  for (const Touch& touch : touches)
    if (touch.serial != 0 && touch.bytes != 0) Remember(deed, touch, hazards);
  if (hazards.empty()) return;
  // What another process does there, and what orders it, is not known.
  std::erase_if(hazards, [this](const Hazard& hazard) { return shared_.contains(hazard.now.touch.serial); });
  for (Hazard& hazard : hazards)
    if (!IsOver(*hazard.before.deed, *hazard.now.deed)) races.emplace_back(hazard, FactsOf(hazard));
}

// Streams that have ended are known to all that came since.
bool Order::IsOver(const Deed& before, const Deed& now) const {
  return IsOverForAll(before, now.sequence);
}

bool Order::IsOver(const Deed& before, const Clock& known) const {
  return known.Knows(before.agent, before.epoch) || (before.agent != kHost && !live_.contains(before.agent));
}

// For all that were queued as this one in the sequence of calls, or later.
bool Order::IsOverForAll(const Deed& deed, std::uint64_t oldest) const {
  if (deed.agent == kHost || live_.contains(deed.agent)) return false;
  const auto over = over_.find(deed.agent);
  return over == over_.end() || oldest > over->second;
}

RaceFacts Order::FactsOf(const Hazard& hazard) const {
  const bool turned = hazard.now.deed->sequence < hazard.before.deed->sequence;
  const Deed& before = turned ? *hazard.now.deed : *hazard.before.deed;
  const Deed& now = turned ? *hazard.before.deed : *hazard.now.deed;
  RaceFacts facts;
  const Epoch known = now.clock.Of(before.agent);
  if (known > 0 && before.task && before.instance == 0)
    facts.known = static_cast<std::int64_t>(known + *before.task) - static_cast<std::int64_t>(before.epoch);
  facts.synchronized = synchronized_;
  facts.synchronized_stream = synchronized_stream_;
  facts.synchronized_nothing = synchronized_nothing_;
  for (const auto& [key, stream] : streams_)
    if (stream.agent == before.agent || stream.agent == now.agent) facts.timed_out = stream.timed_out;
  return facts;
}

void Order::LookAtPending(const StreamState& stream, const LoggedTask& task, std::uint64_t serial,
                          const Clock& known, Freed& freed) {
  if (task.ignored || known.Knows(stream.agent, task.epoch)) return;
  for (const Touch& touch : task.touches()) {
    if (touch.serial != serial) continue;
    if (freed.use && freed.use->deed->sequence >= task.sequence) continue;
    freed.use = Access{DeedFor(stream, task), touch};
    freed.pending = !task.begun;
  }
}

// Nobody asks about agents that have ended, but for accesses that are still remembered; those count as over.
// Clocks that tasks queued before that may still learn from keep them until those tasks are over.
void Order::ForgetOver() {
  if (over_.size() < forget_at_) return;
  std::erase_if(over_, [oldest = OldestPending()](const auto& one) { return one.second < oldest; });
  forget_at_ = 2 * over_.size() + 64;
  host_.Forget([this](Agent agent) { return !live_.contains(agent); });
  Clock before, after;  // many are the same
  const auto forget = [&](Clock& clock) {
    if (clock.SharesWith(before)) return clock.ShareWith(after);
    before = clock;
    clock.Forget([this](Agent agent) { return !live_.contains(agent) && !over_.contains(agent); });
    after = clock;
  };
  for (auto& [key, point] : points_)
    forget(point.clock);
  for (auto& [key, stream] : streams_) {
    forget(stream.clock);
    forget(stream.next);
    forget(stream.sent);
    stream.log.ForEach([&](LoggedTask& task) {
      if (!task.begun) forget(task.known);
    });
    for (Clock& letter : stream.letters)
      forget(letter);
  }
}

void Order::Purge() {
  std::erase_if(points_, [](const auto& entry) { return entry.second.alive.expired(); });
  purge_at_ = 2 * points_.size() + 64;  // points keep the memory of what they stand for
}

}  // namespace foothold::check
