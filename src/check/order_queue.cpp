// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tasks from when they are queued until they are over. Who queues one writes a record; who runs it reads
// that, and only then is it a deed that others can have no order with.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/thread_id.h"
#include "check/call_scope.h"
#include "check/order_state.h"

namespace foothold::check {

void Order::Queue(const StreamName& name, const QueuedTask& task, const ThreadState& thread) {
  {
    const std::lock_guard<SpinLock> lock(queue_lock_);
    if (StreamState* const stream = FindQueuing(name.key)) return Append(*stream, task, thread);
  }
  const Whole lock(*this);
  Append(StateOf(name), task, thread);
}

// Of agents other than the host, a record says only what is new: what the one before it was queued with its
// stream has learnt by then. What may fail comes first: a record that was added is published.
void Order::Append(StreamState& stream, const QueuedTask& task, const ThreadState& thread) {
  const bool ignored = thread.ignored > 0;
  const bool from_run = std::exchange(stream.has_next, false);
  const bool as_before =
      !from_run && stream.has_sent && host_.SharesWith(stream.sent) && thread.function == nullptr;
  Clock known = from_run ? std::exchange(stream.next, {}) : as_before ? host_.OfHostOnly() : KnownHere();
  if (as_before) known.Raise(kHost, host_epoch_);
  const bool counted = CountHostWrites(task.sort, ignored ? std::span<const Touch>() : task.touches, 1);
  if (!as_before) stream.sent.ShareWith(known);
  stream.has_sent = !from_run;
  LoggedTask& logged = stream.log.Add(task.sync, task.touches, task.sources);
  Describe(stream, task.call, std::move(known), thread.call, logged);
  logged.number = task.number;
  logged.sort = task.sort;
  logged.runs_inner = task.runs_inner;
  logged.from_run = from_run;
  logged.ignored = ignored;
  logged.counted = counted;
  stream.log.Publish();
  NoteQueued(stream, logged, task.touches);
}

void Order::Describe(StreamState& stream, const char* call, Clock known, const CallScope* scope,
                     LoggedTask& logged) {
  logged.call = call;
  logged.site = scope != nullptr ? scope->site() : Site{call, 0, KernelThreadId()};
  logged.sequence = NextSequence();
  logged.epoch = ++stream.queued;
  logged.known = std::move(known);
}

// Where others want to know of a task before it begins, they get a deed of their own.
void Order::NoteQueued(StreamState& stream, const LoggedTask& task, std::span<const Touch> touches) {
  if (!task.ignored && std::any_of(touches.begin(), touches.end(),
                                   [](const Touch& touch) { return IsClosable(touch.address); }))
    closed_.Close(DeedFor(stream, task), touches);
  if (task.counted) {
    if (!stream.first_callback && std::strcmp(task.call, "aclrtLaunchCallback") == 0)
      stream.first_callback = DeedFor(stream, task);
    if (!stream.first_function && std::strcmp(task.call, "aclrtLaunchHostFunc") == 0)
      stream.first_function = DeedFor(stream, task);
  }
  if (task.has_sync) NoteEvent(stream, task);
}

void Order::NoteEvent(const StreamState& stream, const LoggedTask& task) {
  const SyncUse& sync = task.sync();
  if (sync.what != SyncUse::What::kEvent || sync.object == nullptr) return;
  EventUses& uses = events_[sync.object];
  if (sync.kind == SyncUse::Kind::kTells && !uses.looked_at) uses.record = DeedFor(stream, task);
  if (sync.kind != SyncUse::Kind::kWaits) return;
  uses.looked_at = true;
  uses.record = nullptr;
  if (uses.waits.size() < EventUses::kWaits) {
    Describe(stream, task, uses.waits.emplace_back());
  } else {
    Describe(stream, task, uses.waits[uses.oldest]);
    uses.oldest = (uses.oldest + 1) % EventUses::kWaits;
  }
}

void Order::PassWait(const StreamName& name, const SyncUse& sync) {
  const Whole lock(*this);
  StreamState& stream = StateOf(name);
  Clock known = KnownHere();
  AddPoint(known, sync.point, stream.agent);
  stream.sent.ShareWith(known);
  stream.has_sent = true;
  LoggedTask& logged = stream.log.Add(sync, {});
  Describe(stream, "aclrtStreamWaitEvent", std::move(known), CallScope::Current(), logged);
  logged.passed = true;
  stream.log.Publish();
  NoteQueued(stream, logged, {});
  Absorb(stream);
}

// All of it but the clock.
void Order::Describe(const StreamState& stream, const LoggedTask& task, Deed& deed) {
  deed.agent = stream.agent;
  deed.epoch = task.epoch;
  deed.sequence = task.sequence;
  deed.site = task.site;
  deed.call = task.call;
  deed.what = stream.name.what;
  deed.task = task.passed ? std::nullopt : std::optional(task.number);
  deed.stream = stream.name.id;
  deed.on_default_stream = stream.name.is_default;
}

// For those who ask. Of a task that has begun it is the one that is remembered with what it touched.
DeedPtr Order::DeedFor(const StreamState& stream, const LoggedTask& task) {
  if (task.begun) return stream.deeds[stream.last_deed];
  Deed deed;
  Describe(stream, task, deed);
  deed.clock = task.known;
  return DeedPtr::Make(std::move(deed));
}

// One that nobody remembers any more becomes that of this task.
const DeedPtr& Order::NextDeed(StreamState& stream, const LoggedTask& task) {
  stream.last_deed = (stream.last_deed + 1) % kDeeds;
  DeedPtr& deed = stream.deeds[stream.last_deed];
  if (!deed || !deed.is_only()) deed = DeedPtr::Make();
  Describe(stream, task, deed.Change());
  deed.Change().clock.Become(stream.clock);
  if (stream.inner != 0) deed.Change().clock.Raise(stream.inner, stream.inner_begun);
  return deed;
}

// The task at the head, if it was queued while the program was checked. Some before it may not have been.
LoggedTask* Order::Front(StreamState& stream, std::uint32_t task) {
  Absorb(stream);
  LoggedTask* const front = stream.log.Front();
  return front != nullptr && front->number == task ? front : nullptr;
}

// Waits that were not queued are over when all before them is.
void Order::AbsorbWaits(StreamState& stream) {
  for (LoggedTask* front = stream.log.Front(); front != nullptr && front->passed;
       front = stream.log.Front()) {
    stream.clock.Join(front->known, stream.agent);
    stream.begun = front->epoch;
    stream.log.Pop();
  }
}

// What the task has no order with, by a look at all it touches and tells.
void Order::Begin(const StreamName& name, std::uint32_t task, TaskStart& start, Begun& begun) {
  const std::lock_guard<SpinLock> lock(lock_);
  StreamState* const stream = FindState(name.key);
  LoggedTask* const front = stream == nullptr ? nullptr : Front(*stream, task);
  if (front == nullptr || front->begun) return;
  if (front->from_run) {
    const std::lock_guard<SpinLock> queue_lock(queue_lock_);
    BeginLane(*stream);
  }
  stream->clock.Join(front->known, stream->agent);
  stream->begun = front->epoch;
  const DeedPtr& deed = NextDeed(*stream, *front);
  front->begun = true;
  start.sort = front->sort;
  start.ignored = front->ignored;
  start.touches = front->touches();
  start.sources = front->sources();
  if (!front->runs_inner && !front->ignored) Touched(deed, start.touches, begun.races);
  if (front->has_sync) LookAtSync(deed, front->sync(), begun.faults);
}

void Order::End(const StreamName& name, std::uint32_t task) {
  const std::lock_guard<SpinLock> lock(lock_);
  if (!ending_.empty() && ending_.erase(name.key) != 0) return;
  StreamState* const stream = FindState(name.key);
  if (stream == nullptr) return;
  if (const LoggedTask* const front = Front(*stream, task)) EndFront(*stream, *front);
}

void Order::EndFront(StreamState& stream, const LoggedTask& front) {
  if (!front.begun && !front.from_run)
    stream.clock.Join(front.known, stream.agent);  // those behind it rely on it
  stream.begun = std::max(stream.begun, front.epoch);
  if (front.runs_inner && stream.inner != 0) stream.clock.Raise(stream.inner, stream.inner_begun);
  if (front.counted) {
    const std::lock_guard<SpinLock> lock(queue_lock_);
    UncountHostWrites(front);
  }
  stream.log.Pop();
  Absorb(stream);
}

DeedPtr Order::DeedOf(const StreamName& name, std::uint32_t task) {
  const std::lock_guard<SpinLock> lock(lock_);
  StreamState* const stream = FindState(name.key);
  const LoggedTask* const front = stream == nullptr ? nullptr : Front(*stream, task);
  return front == nullptr ? nullptr : DeedFor(*stream, *front);
}

DeedPtr Order::Running(const StreamName& name) {
  const std::lock_guard<SpinLock> lock(lock_);
  StreamState* const stream = FindState(name.key);
  const LoggedTask* const front = stream == nullptr ? nullptr : stream->log.Front();
  return front == nullptr ? nullptr : DeedFor(*stream, *front);
}

}  // namespace foothold::check
