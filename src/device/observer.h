// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What happens on devices, as whoever watches them is told: tasks of streams, what makes order between them,
// waits of the host, functions of the program, and memory that calls touch. As program/run_observer.h for the
// nodes of a run. The checking mode observes so (check/devices); where nobody watches it costs one load.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "base/sync_use.h"
#include "base/watch.h"
#include "device/access.h"

namespace foothold {

class Error;
class EventState;
class Stream;
struct Task;

// Called on the thread where it happens, by several at once. What is not `noexcept` may throw: then the task
// or call fails with that. Nothing of the program is to be called.
class DeviceObserver {
 public:
  // Queued with the lock of the queue held. Begins may come several times; every task that was queued ends in
  // one of the next two, and Failed comes before.
  virtual void OnTaskQueued(const Stream&, const Task&) noexcept {}
  virtual void OnTaskBegins(const Stream&, const Task&) {}
  virtual void OnTaskEnds(const Stream&, std::uint32_t /*task*/) noexcept {}
  virtual void OnTaskDropped(const Stream&, std::uint32_t /*task*/) noexcept {}
  virtual void OnTaskFailed(const Stream&, const Task&, const std::string& /*arguments*/,
                            const Error&) noexcept {}
  // Tasks that are kept to run as often as wanted: kept by the call of this thread, and no more. All of an
  // instance are about to be queued in one run; one of them is about to run in this stream, or must not; it
  // runs otherwise.
  virtual void OnCaptured(const Task&) noexcept {}
  virtual void OnForgotten(const Task&) noexcept {}
  virtual void OnInstanceRuns(std::uint32_t /*instance*/, const std::vector<const Task*>&) {}
  virtual bool OnInnerBegins(const Stream&, const Task&, std::uint32_t /*instance*/, std::uint64_t /*run*/) {
    return true;
  }
  virtual void OnReplayed(const Task&) noexcept {}
  // Takes no more tasks. `failed`: with a failure nobody has asked for; `dropped`: tasks that will not run.
  virtual void OnStreamEnds(const Stream&, bool /*failed*/, std::uint64_t /*dropped*/) noexcept {}

  // A point others wait for, a record or a notify, known by its address while it lives: it stands for all the
  // stream has done so far, and with Join also for what it stood for before.
  enum class Point { kReplace, kJoin };
  virtual void OnReaches(const Stream&, const std::shared_ptr<const void>&, Point) noexcept {}
  // A wait is over: for a point, for a value somebody has written, for what one stream has done.
  virtual void OnLearns(const Stream&, const void* /*point*/) noexcept {}
  virtual void OnLearnsValue(const Stream&, const Access&) noexcept {}
  virtual void OnLearnsStream(const Stream&, const Stream& /*other*/) noexcept {}
  // The same for what is queued next.
  virtual void OnWillKnow(const Stream&, const void* /*point*/) noexcept {}
  virtual void OnWillKnowStream(const Stream&, const Stream& /*other*/) noexcept {}
  // A wait was not queued: its point was reached before, or there is no record.
  virtual void OnPassesWait(const Stream&, const SyncUse&) {}
  virtual void OnWaitsForNoRecord(const Stream&, const EventState&) {}

  // The host has waited: successfully, or until it ran out of time. It was given the stream's failure.
  virtual void OnHostLearns(const void* /*point*/) noexcept {}
  virtual void OnHostLearns(const Stream&) noexcept {}
  virtual void OnHostTimesOut(const Stream&) noexcept {}
  virtual void OnFailureSeen(const Stream&) noexcept {}
  // A thread of the program waits in the library while it lives; looked at after each while without an end,
  // which throws if there can be none.
  enum class WaitsFor { kStream, kPoint, kReports };
  class Wait {
   public:
    virtual ~Wait() = default;
    virtual void Look() = 0;
  };
  virtual std::unique_ptr<Wait> OnHostWaits(WaitsFor, const void* /*what*/, bool /*limited*/) {
    return nullptr;
  }

  // Queried, synchronised or timed; all waits are known to be over; its handle is gone; it is gone.
  virtual void OnEventLookedAt(const EventState&) noexcept {}
  virtual void OnEventWaitsKnown(const EventState&) noexcept {}
  virtual void OnEventDestroyed(const EventState&) noexcept {}
  virtual void OnEventGone(const EventState&) noexcept {}
  virtual void OnTimesOfTwoStreams(const EventState& /*start*/, const EventState& /*end*/) {}
  virtual void OnNotifyCleared(const void*) noexcept {}
  virtual void OnNotifyDestroyed(const void*) noexcept {}
  virtual void OnNotifyGone(const void*) noexcept {}

  // A function of the program: queued; called on behalf of the stream, for as long as the result lives; on
  // its way to the thread that is subscribed.
  class Call {
   public:
    virtual ~Call() = default;
  };
  virtual void OnFunctionQueued(const Stream&) noexcept {}
  virtual std::unique_ptr<Call> OnFunctionCalled(const Stream&, bool /*holds_stream*/,
                                                 const void* /*function*/) noexcept {
    return nullptr;
  }
  virtual void OnLetterLeaves(const Stream&) noexcept {}
  virtual void OnThreadSubscribed(std::uint64_t /*thread*/) noexcept {}
  // From a call of that name, with so many on their way.
  virtual void OnThreadUnsubscribes(const Stream&, const char* /*launch*/,
                                    std::uint64_t /*letters*/) noexcept {}

  // A call is about to touch memory itself; it gives a graph a tensor that is there.
  virtual void OnTouched(const std::vector<Access>&) {}
  virtual void OnPortGiven(const void* /*address*/) {}
  // Memory a task or call has not spoken of was written, or it does not say which.
  virtual void OnWritten(const void* /*address*/, std::size_t /*bytes*/) noexcept {}
  virtual void OnWritesUnknown() noexcept {}
  // The program frees the block there; a pool gives a block to somebody else; other processes have it too.
  virtual void OnMemoryFreed(const void* /*address*/) {}
  virtual void OnMemoryTaken(std::uint64_t /*serial*/) noexcept {}
  virtual void OnMemoryShared(std::uint64_t /*serial*/) noexcept {}

 protected:
  ~DeviceObserver() = default;
};

// Whoever watches sets it while the library is loaded, and begins watch::kCheck when it wants to be told.
extern DeviceObserver* device_observer;
// Null while nobody watches.
inline DeviceObserver* Observer() noexcept {
  return watch::Is(watch::kCheck) ? device_observer : nullptr;
}

inline void TellTouched(const std::vector<Access>& accesses) {
  if (DeviceObserver* const observer = Observer()) observer->OnTouched(accesses);
}
inline void TellTouches(std::initializer_list<Access> accesses) {
  if (DeviceObserver* const observer = Observer()) [[unlikely]]
    observer->OnTouched(accesses);
}
inline void TellWritten(const void* address, std::size_t bytes) noexcept {
  if (DeviceObserver* const observer = Observer()) observer->OnWritten(address, bytes);
}
inline void TellReplayed(const Task& task) noexcept {
  if (DeviceObserver* const observer = Observer()) observer->OnReplayed(task);
}

}  // namespace foothold
