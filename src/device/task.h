// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a stream queues: small records of one cache line. A task owns all it touches (values or shared
// pointers, never a user's handle). It is run in place by whichever thread drains the stream, on one thread
// at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/sync_use.h"
#include "device/access.h"

namespace foothold {

class Stream;
class Mailbox;

// A task's failure, shared by everything it travels to: stream, completions, waiting streams.
using Failure = std::shared_ptr<const Error>;

enum class Outcome {
  kDone,
  kSuspended,  // stays at the head of the stream and is run again after Stream::Wake
};

// Where a task has to run.
struct Place {
  enum Kind {
    kAnywhere,   // short and bounded: any thread that drains the stream
    kUnhurried,  // may take long: workers, and callers that wait without a time limit
    kWorker,     // calls a function of the program: threads of the runtime only
    kMailbox,    // calls a function of the program on the thread subscribed to the stream
  };
  Kind kind = kAnywhere;
  Mailbox* mailbox = nullptr;  // for kMailbox, and for kAnywhere the thread that does it best
  bool at_once = false;        // for kAnywhere: best on the thread that queues it, if nothing is before it
};

struct Task;
struct TaskForm;

struct TaskType {
  Outcome (*run)(Task&, Stream&);
  void (*cancel)(Task&, const Failure&) noexcept;
  void (*destroy)(Task&) noexcept;
  std::string (*describe)(const Task&);
  Place (*place)(const Task&);
  // Appends what it touches of the program's memory. Any thread that keeps the task from ending meanwhile.
  void (*accesses)(const Task&, std::vector<Access>&);
  // Makes `to`, in which no task is, a task like `from`, which does not run meanwhile. Null where the body
  // does not replay.
  void (*clone)(const Task& from, Task& to);
  // Run may answer kSuspended.
  bool suspends;
  // What programs are told of it (task_form.h); null for a task of no particular kind.
  const TaskForm* form = nullptr;
  // What it waits for, tells or takes back; null for a task that has to do with no other.
  SyncUse (*sync)(const Task&) = nullptr;
  // It runs captured tasks, and its accesses are theirs.
  bool runs_inner = false;
};

struct alignas(64) Task {
  static constexpr std::size_t kRoom = 40;

  const TaskType* type;
  const char* api;       // the call that queued it
  std::uint32_t thread;  // the thread that queued it
  std::uint32_t id;      // its number in the stream
  alignas(8) unsigned char room[kRoom];

  template <typename Body>
  Body& As() {
    return *std::launder(reinterpret_cast<Body*>(room));
  }
  template <typename Body>
  const Body& As() const {
    return *std::launder(reinterpret_cast<const Body*>(room));
  }
};
static_assert(sizeof(Task) == 64);

// A task body is a movable class of at most Task::kRoom bytes with
//   Outcome Run(Stream&)                         throws Error when it fails
//   std::string Describe() const                 its arguments, for messages: "dst=…, count=…"
//   void ListAccesses(std::vector<Access>&) const  what it touches of the program's memory, reads first;
//                                                what functions of the program touch is theirs to know
//   static constexpr bool kReplays               true: a copy of it may be made before or after it ran, run
//                                                in its stead, any number of times, and does the same again;
//                                                one that never suspends may be run again itself
// and, where the defaults below do not fit,
//   static constexpr bool kSuspends              true: Run may answer kSuspended
//   void Cancel(const Failure&) noexcept         it will never run: keep promises made to others
//   Place place() const
//   static const TaskForm kForm                  a kind programs know (task_form.h)
//   static constexpr bool kRunsInner             true: it runs captured tasks
//   SyncUse Sync() const                  it waits for others, or others for it
template <typename Body>
struct TaskTypeOf {
  static_assert(sizeof(Body) <= Task::kRoom && alignof(Body) <= 8, "keep larger state behind a pointer");
  static_assert(std::is_nothrow_move_constructible_v<Body>);

  static Outcome Run(Task& task, Stream& stream) { return task.As<Body>().Run(stream); }
  static void Cancel(Task& task, const Failure& failure) noexcept {
    if constexpr (requires(Body & body) { body.Cancel(failure); }) task.As<Body>().Cancel(failure);
  }
  static void Destroy(Task& task) noexcept { task.As<Body>().~Body(); }
  static std::string Describe(const Task& task) { return task.As<Body>().Describe(); }
  static Place Where(const Task& task) {
    if constexpr (requires(const Body& body) { body.place(); }) {
      return task.As<Body>().place();
    } else {
      return {};
    }
  }

  static void List(const Task& task, std::vector<Access>& list) { task.As<Body>().ListAccesses(list); }
  static void Clone(const Task& from, Task& to) requires(Body::kReplays) {
    static_assert(std::is_copy_constructible_v<Body>, "a body that replays can be copied");
    to.type = from.type;
    to.api = from.api;
    to.thread = from.thread;
    to.id = from.id;
    ::new (to.room) Body(from.As<Body>());
  }
  static constexpr auto CloneOrNull() -> void (*)(const Task&, Task&) {
    if constexpr (Body::kReplays) {
      return &Clone;
    } else {
      return nullptr;
    }
  }

  static constexpr const TaskForm* FormOrNull() {
    if constexpr (requires { Body::kForm; }) {
      return &Body::kForm;
    } else {
      return nullptr;
    }
  }

  static SyncUse SyncOf(const Task& task) { return task.As<Body>().Sync(); }
  static constexpr auto SyncOrNull() -> SyncUse (*)(const Task&) {
    if constexpr (requires(const Body& body) { body.Sync(); }) {
      return &SyncOf;
    } else {
      return nullptr;
    }
  }

  static constexpr bool Suspends() {
    if constexpr (requires { Body::kSuspends; }) {
      return Body::kSuspends;
    } else {
      return false;
    }
  }

  static constexpr TaskType kType{&Run, &Cancel, &Destroy, &Describe, &Where, &List, CloneOrNull(),
                                  Suspends(), FormOrNull(), SyncOrNull(), requires {Body::kRunsInner;
}
};  // namespace foothold
}
;

}  // namespace foothold
