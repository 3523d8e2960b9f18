// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What order.h is told, kept: the clocks of streams and of the host, tasks that have not ended, points,
// accesses. Only src/check includes it. Two locks, taken by every public function for a moment: threads that
// queue tasks need the one, those that run them the other, everything else both, so that a busy stream does
// not make its two sides wait for one another (decision 0072).
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/per_process.h"
#include "base/spin.h"
#include "check/accesses.h"
#include "check/closed_pages.h"
#include "check/deed.h"
#include "check/history.h"
#include "check/order.h"
#include "check/race_reports.h"
#include "check/sync_reports.h"
#include "check/task_log.h"
#include "check/thread_state.h"

namespace foothold::check {

class Order {
 public:
  static Order& Get();

  // What came to light when a task began.
  struct Begun {
    std::vector<std::pair<Hazard, RaceFacts>> races;
    std::vector<SyncFault> faults;
  };

  // order_queue.cpp.
  void Queue(const StreamName& name, const QueuedTask& task, const ThreadState& thread);
  void Begin(const StreamName& name, std::uint32_t task, TaskStart& start, Begun& begun);
  Begun BeginInner(const StreamName& name, InnerTask task);
  void End(const StreamName& name, std::uint32_t task);
  DeedPtr DeedOf(const StreamName& name, std::uint32_t task);
  // It will not run.
  void Drop(const StreamName& name, std::uint32_t task);
  // The task at the head, if it has begun.
  DeedPtr Running(const StreamName& name);

  void KeepFailure(const StreamName& name, DeedPtr deed, const std::string& message);
  void SeeFailure(const StreamName& name);
  // What the stream leaves behind: the host knows its end, and it is forgotten.
  std::pair<DeedPtr, std::string> Close(const StreamName& name);

  void Reach(const StreamName& name, const std::shared_ptr<const void>& point, Point how);
  void Learn(const StreamName& name, const void* point);
  void LearnValue(const StreamName& name, const Touch& value);
  void WillKnow(const StreamName& name, const void* point);
  void PassWait(const StreamName& name, const SyncUse& sync);
  void LearnStream(const StreamName& name, const StreamName& other, bool later);
  void HostLearn(const void* point);
  void HostLearnStream(const StreamName& name);
  void TimeOut(const StreamName& name);

  // order_tickets.cpp. Unknown: by stream, how many tasks this thread does not know to be over.
  Ticket Last(const StreamName& name);
  bool KnowsOver(const Ticket& ticket);
  std::uint64_t Waits(const StreamName& name);
  std::vector<std::pair<const void*, std::uint64_t>> Unknown();

  std::vector<std::pair<Hazard, RaceFacts>> HostTouch(std::span<const Touch> touches);
  void Forget(std::uint64_t serial);
  std::optional<Access> LastWrite(std::uint64_t serial);
  bool IsAwaited(std::uint64_t serial, Awaited what, const DeedPtr& but);
  bool IsHostWriteAwaited(std::uint64_t serial);
  std::vector<Access> OpenPages(std::uintptr_t address);
  void TellChange(std::uintptr_t begin, std::uintptr_t end);
  // The block is another process's as well: nothing is known of its order any more.
  void Share(std::uint64_t serial);
  std::size_t shared() const;

  struct Freed {
    DeedPtr free;
    std::optional<Access> use;
    bool pending = false;
  };
  Freed Free(const BlockRecord& block);

  void Leave(const StreamName& name);
  void Enter(FunctionScope& scope);
  void Exit(FunctionScope& scope);

  // Waits for an event are all known to be over; somebody asked for it; it is gone.
  void HostLearnWaits(const void* event);
  void LookAtEvent(const void* event);
  // The last record, if nobody has ever asked for it.
  DeedPtr EndEvent(const void* event);
  void EndNotify(const void* notify);
  void ClearNotify(const void* notify);
  void ForgetNotify(const void* notify);

  // Tasks of the stream by this call that have not begun.
  std::vector<DeedPtr> PendingBy(const StreamName& name, const std::string& call);
  // The first task by either call, remembered for the life of the stream: both, once there are both.
  std::pair<DeedPtr, DeedPtr> FirstBy(const StreamName& name);

  // For wait_graph.h.
  struct Standing {
    const void* key = nullptr;
    std::string name;
    SyncUse waits;  // what the task at its head waits for
    DeedPtr head;
    std::vector<std::pair<SyncUse, DeedPtr>> tells;  // by tasks that have not ended
    std::vector<Touch> writes;
    bool replays = false;        // runs of captured tasks, which may tell anything
    std::uint32_t function = 0;  // the thread inside a function of the program that holds it up
  };
  std::vector<Standing> StandOf();
  bool IsEnded(const void* notify);

 private:
  template <typename T>
  friend class ::foothold::PerProcess;
  Order() = default;

  static constexpr std::size_t kDeeds = 4;  // of a stream that are used again

  struct StreamState {
    StreamName name{};
    Agent agent = 0;
    Epoch begun = 0;
    Clock clock;                        // of tasks that have begun, without the stream's own
    std::array<DeedPtr, kDeeds> deeds;  // of the last of them, in turn
    std::size_t last_deed = 0;
    TaskLog log;              // tasks that have not ended; who queues is the side that adds
    std::uint64_t waits = 0;  // of the host for it
    std::deque<Clock> letters;
    Agent callbacks = 0;  // the agent of those that do not hold it up; 0: none yet
    Epoch called = 0;
    Agent inner = 0;  // the agent of captured tasks it runs; 0: none yet
    Epoch inner_begun = 0;
    std::vector<std::pair<Agent, Epoch>> left;  // of runs before, in a lane: the host does not know them yet
    DeedPtr failed;
    std::string failure;
    Site timed_out;  // the host's last wait for it, if that ran out of time
    std::uint32_t function = 0;

    // Guarded by queue_lock_.
    alignas(64) Epoch queued = 0;
    Clock next;             // what the next task to be queued knows
    bool has_next = false;  // then it is queued by a run, and the host has nothing to do with it
    Clock sent;             // what the last task was queued with, if that was what the program knew
    bool has_sent = false;
    DeedPtr first_callback, first_function;

    std::string Text() const;
    Clock Reached() const;  // all it has done so far
  };

  struct PointState {
    std::weak_ptr<const void> alive;
    Clock clock;
    // The stream that reached it, which is not in the clock: one number instead of a clock of its own.
    Agent agent = kHost;
    Epoch epoch = 0;
  };

  struct EventUses {
    static constexpr std::size_t kWaits = 64;
    std::vector<Deed> waits;  // the last ones, without clocks
    std::size_t oldest = 0;   // of them, once there are so many
    DeedPtr record;           // the last one, as long as nobody has looked
    bool looked_at = false;
  };
  struct NotifyUses {
    DeedPtr record, take;
  };

  struct Recent {
    std::uint64_t serial = 0;
    Accesses* accesses = nullptr;
  };

  // Both locks.
  class Whole {
   public:
    explicit Whole(const Order& order) : lock_(order.lock_), queue_lock_(order.queue_lock_) {}

   private:
    const std::lock_guard<SpinLock> lock_, queue_lock_;
  };

  // A stream that is there already; one of the locks is held. Queuing: that of the queue.
  StreamState* FindState(const void* key);
  StreamState* FindQueuing(const void* key);
  // Both locks are held.
  StreamState& StateOf(const StreamName& name);
  // The first lock is held.
  StreamState& StateInOrder(const StreamName& name);
  Agent NewAgent();
  void EndAgent(Agent agent);
  std::uint64_t OldestPending();
  bool IsOverForAll(const Deed& deed, std::uint64_t oldest) const;
  bool CountHostWrites(CallSort sort, std::span<const Touch> touches, int step);
  void UncountHostWrites(const LoggedTask& task);  // that is over
  LoggedTask* Front(StreamState& stream, std::uint32_t task);
  // Adds what the point stands for; false if there is none. `self` as in Clock::Join.
  bool AddPoint(Clock& clock, const void* point, Agent self = kHost) const;
  std::uint64_t NextSequence();
  void Absorb(StreamState& stream) {
    if (const LoggedTask* const front = stream.log.Front(); front != nullptr && front->passed)
      AbsorbWaits(stream);
  }
  static void AbsorbWaits(StreamState& stream);
  void EndFront(StreamState& stream, const LoggedTask& front);
  void BeginLane(StreamState& stream);
  void Append(StreamState& stream, const QueuedTask& task, const ThreadState& thread);
  void Describe(StreamState& stream, const char* call, Clock known, const CallScope* scope,
                LoggedTask& logged);
  static void Describe(const StreamState& stream, const LoggedTask& task, Deed& deed);
  static DeedPtr DeedFor(const StreamState& stream, const LoggedTask& task);
  const DeedPtr& NextDeed(StreamState& stream, const LoggedTask& task);
  void NoteQueued(StreamState& stream, const LoggedTask& task, std::span<const Touch> touches);
  void NoteEvent(const StreamState& stream, const LoggedTask& task);
  void LookAtSync(const DeedPtr& deed, const SyncUse& sync, std::vector<SyncFault>& faults);
  void LookAtWaits(const DeedPtr& deed, const SyncUse& sync, SyncFault::Kind kind,
                   std::vector<SyncFault>& faults);
  void LookAtNotify(const DeedPtr& deed, const SyncUse& sync, std::vector<SyncFault>& faults);
  Clock KnownHere() const;
  void LearnHere(const Clock& clock);
  DeedPtr DeedOfHost();
  using Races = std::vector<std::pair<Hazard, RaceFacts>>;
  void Touched(const DeedPtr& deed, std::span<const Touch> touches, Races& races);
  Accesses& AccessesOf(std::uint64_t serial);
  void Remember(const DeedPtr& deed, const Touch& touch, std::vector<Hazard>& hazards);
  bool IsOver(const Deed& before, const Deed& now) const;
  bool IsOver(const Deed& before, const Clock& known) const;
  RaceFacts FactsOf(const Hazard& hazard) const;
  static void LookAtPending(const StreamState& stream, const LoggedTask& task, std::uint64_t serial,
                            const Clock& known, Freed& freed);
  static bool MayTouch(const LoggedTask& task, std::uint64_t serial, Awaited what);
  void ForgetOver();
  void Purge();

  mutable SpinLock lock_;  // guards all below, up to the next one; taken before that
  Agent next_agent_ = kHost + 1;
  std::unordered_map<const void*, StreamState> streams_;  // both locks are held where it changes
  // Those that have ended inside a task, until it is over: who runs it looks at the record.
  std::unordered_map<const void*, StreamState> ending_;
  const void* last_key_ = nullptr;  // of the stream that was asked for last
  StreamState* last_state_ = nullptr;
  std::unordered_set<Agent> live_;
  std::unordered_map<Agent, std::uint64_t> over_;  // of others, with the sequence of their end; see EndAgent
  std::size_t forget_at_ = 64;
  std::unordered_map<const void*, PointState> points_;
  std::size_t purge_at_ = 64;
  std::unordered_map<std::uint64_t, Accesses> memory_;  // by serial
  std::array<Recent, 16> recent_;                       // of that, by serial; 0 is none's
  std::unordered_set<std::uint64_t> shared_;            // serials that other processes have as well
  std::unordered_map<const void*, NotifyUses> notifies_;
  std::unordered_set<const void*> ended_notifies_;  // destroyed, and still waited for
  Site synchronized_;
  std::string synchronized_stream_;
  bool synchronized_nothing_ = false;

  alignas(64) mutable SpinLock queue_lock_;  // guards all below
  std::atomic<std::uint64_t> sequence_{0};   // may be read without it
  Clock host_;
  Epoch host_epoch_ = 0;
  const void* queue_key_ = nullptr;  // as last_key_, of tasks that are queued
  StreamState* queue_state_ = nullptr;
  std::unordered_map<std::uint64_t, std::uint32_t> host_writes_;  // by tasks that have not ended, by serial
  std::size_t functions_ = 0;  // tasks that have not ended and run functions or kernels of the program
  std::atomic<bool> host_may_change_{false};  // there is one of either; may be read without the lock
  std::unordered_map<const void*, EventUses> events_;
  ClosedPages closed_;
};

}  // namespace foothold::check
