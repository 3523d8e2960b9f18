// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is ordered with what: the library tells here what is queued, run, recorded, waited for and touched,
// and what has no order becomes a report (ACL-RACE-*, ACL-MEM-003). All host threads are one agent: what one
// has waited for, all know. Tasks are looked at when they run, calls at once. Precondition of all:
// check::On(). Any thread; two locks, held for a moment, under which nothing of the program runs; reports are
// made outside.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/sync_use.h"
#include "check/accesses.h"
#include "check/call_sort.h"
#include "check/source_sums.h"

namespace foothold {
class Error;
}

namespace foothold::check {

// A stream, or what does one thing after the other as a stream does: what it is known by as long as it lives,
// and how reports name it.
struct StreamName {
  const void* key;
  int id;
  bool is_default;
  const char* what = "stream";
};

// A task was put into the stream's queue; under the lock of the queue.
struct QueuedTask {
  std::uint32_t number = 0;  // in the stream
  const char* call = "";
  CallSort sort = CallSort::kOther;
  Touches touches;
  std::span<const SourceSums> sources;  // of what it copies
  SyncUse sync;
  bool runs_inner = false;  // runs captured tasks, which are told one by one; the touches are theirs
};
void TaskQueued(const StreamName& stream, QueuedTask&& task) noexcept;
// It is about to run, which may be said several times; it is over; it was dropped.
struct TaskStart {
  bool may_run = true;               // else it has no order with something, and findings are to fail tasks
  CallSort sort = CallSort::kOther;  // what it was queued with
  bool ignored = false;              // the program has asked not to look at it
  std::span<const Touch> touches;    // what it was queued with, the first time only; valid until it is over
  std::span<const SourceSums> sources;  // the same
};
TaskStart TaskBegins(const StreamName& stream, std::uint32_t task) noexcept;
void TaskEnds(const StreamName& stream, std::uint32_t task) noexcept;
void TaskDropped(const StreamName& stream, std::uint32_t task) noexcept;
// Who it is, from when it was queued until it is over; null if that is not known.
DeedPtr DeedOfTask(const StreamName& stream, std::uint32_t task) noexcept;
// A captured task is about to run in the stream, as part of what that runs now. False: it must not.
struct InnerTask {
  const char* call = "";
  std::uint32_t number = 0;    // in the instance
  std::uint32_t instance = 0;  // its number
  std::uint64_t run = 0;       // the number of the run
  Site site;                   // where it was captured
  Touches touches;
  SyncUse sync;
};
bool InnerBegins(const StreamName& stream, InnerTask task) noexcept;
// It has failed, on this thread (ACL-MEM-002).
void TaskFailed(const StreamName& stream, std::uint32_t task, const std::string& arguments,
                const Error& error) noexcept;
// The stream takes no more tasks; the caller waited for those that ran. `failed`: with a failure nobody has
// asked for (ACL-STREAM-003). `dropped`: tasks that will not run (ACL-STREAM-001).
void StreamEnds(const StreamName& stream, bool failed, std::uint64_t dropped) noexcept;

// A point others wait for: a record of an event, a notify. It stands for all the stream has done so far, and
// with Join also for what it stood for before. Points are known by their address as long as they live.
enum class Point { kReplace, kJoin };
void StreamReaches(const StreamName& stream, const std::shared_ptr<const void>& point, Point how) noexcept;
// A wait of the stream is over, for a point, or for a value somebody has written.
void StreamLearns(const StreamName& stream, const void* point) noexcept;
void StreamLearnsValue(const StreamName& stream, const Touch& value) noexcept;
// A wait that was not queued, because its point was reached before: it is over with all before it.
void StreamPassesWait(const StreamName& stream, const SyncUse& wait) noexcept;
// What is queued next knows this point.
void StreamWillKnow(const StreamName& stream, const void* point) noexcept;
// What one stream has done so far is known to the other: now, or with what is queued next.
void StreamLearnsStream(const StreamName& stream, const StreamName& other) noexcept;
void StreamWillKnowStream(const StreamName& stream, const StreamName& other) noexcept;

// The last task that was put into the stream's queue, for a later look whether the thread knows it to be
// over.
struct Ticket {
  Agent agent = kHost;
  Epoch epoch = 0;
};
Ticket LastQueued(const StreamName& stream) noexcept;
bool IsKnownOver(const Ticket& ticket) noexcept;
// Tasks of the stream, and streams with any, that were queued and that this thread does not know to be over.
std::uint64_t UnknownTasks(const StreamName& stream) noexcept;
std::uint64_t UnknownStreams() noexcept;
// How often the host has waited for the stream.
std::uint64_t WaitsFor(const StreamName& stream) noexcept;

// The host has waited successfully.
void HostLearns(const void* point) noexcept;
void HostLearnsStream(const StreamName& stream) noexcept;
// It has waited, and that ran out of time: it knows nothing (ACL-SYNC-010).
void HostTimesOut(const StreamName& stream) noexcept;
// The stream's failure was returned to the program.
void FailureSeen(const StreamName& stream) noexcept;

// The call of this thread is about to touch memory. Throws if findings are to fail calls.
void HostTouches(Touches touches);
// The program frees the block that begins there.
void MemoryFreed(const void* address);

// Whether a task that has not ended touches the block, or writes it; those of the stream of `but` do not
// count.
enum class Awaited { kUse, kWrite };
bool IsAwaited(std::uint64_t serial, Awaited what, const DeedPtr& but = nullptr) noexcept;
// Whether one writes the block, which is memory of the host, or may. As fast as a look at one number.
bool IsHostWriteAwaited(std::uint64_t serial) noexcept;
// Host code met a page that was closed for them (closed_pages.h): it is open now.
std::vector<Access> OpenPagesAt(std::uintptr_t address);
// These bytes of the host change, and that was told.
void ChangeTold(std::uintptr_t begin, std::uintptr_t end) noexcept;
// The last write to a block, if it is remembered.
std::optional<Access> LastWriteOf(std::uint64_t serial) noexcept;

// A pool of the library gives the block to somebody else, after its last user was done with it.
void MemoryTaken(std::uint64_t serial) noexcept;
// Another process has the block as well: nothing is compared there any more. How many there are.
void MemoryShared(std::uint64_t serial) noexcept;
std::size_t SharedBlocks() noexcept;

// A function of the program on behalf of a stream: one that holds it up, or one that does not. The latter
// knows what the stream had done when LetterLeaves was called.
void LetterLeaves(const StreamName& stream) noexcept;
class FunctionScope {
 public:
  FunctionScope(const StreamName& stream, bool holds_stream, const void* function) noexcept;
  ~FunctionScope();
  FunctionScope(const FunctionScope&) = delete;
  FunctionScope& operator=(const FunctionScope&) = delete;

 private:
  friend class Order;
  const StreamName stream_;
  const bool holds_stream_;
  const void* const function_;
  Nanoseconds begin_ = 0;
  bool on_ = false;
  Agent agent_ = kHost;
  Clock clock_;
  FunctionScope* outer_ = nullptr;
};

// The innermost one this thread is inside of, or null.
FunctionScope* FunctionOfThread() noexcept;

}  // namespace foothold::check
