// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What happens when: calls, tasks, nodes, functions of the program, memory. Every part of the library may
// record; where nobody listens that costs one relaxed load. Events go to a buffer of the thread, without a
// lock. Any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "base/watch.h"

namespace foothold::trace {

enum class Kind : std::uint8_t {
  kCall,      // of the API
  kQueued,    // a moment: a task was queued; `stream` and `number` say which
  kTask,      // of a stream
  kNode,      // a kernel
  kCallback,  // a function of the program
  kRange,     // between marks of the program on one thread
  kSpan,      // the same across threads
  kMark,      // a moment the program has marked
  kFinding,   // of the checking mode: `number` less 1 is the task of `stream` that did it; 0: this thread did
  kBefore,    // the same moment: what was before it
  kMemory,    // `number` bytes of a device are in use from now on
};

struct Event {
  Kind kind = Kind::kCall;
  std::int32_t stream = 0;       // or the device, for kMemory
  const char* name = nullptr;    // both texts live for ever: literals, or kept with Keep
  const char* detail = nullptr;  // what the viewer shows beside the name
  std::uint64_t number = 0;
  Nanoseconds begin = 0, end = 0;
};

inline bool Active() noexcept {
  return watch::Is(watch::kTrace);
}

// Puts an event down, or counts it as lost when there are too many or no memory.
void Record(const Event& event) noexcept;
// The same text every time, for ever.
const char* Keep(std::string_view text);

// From here to the end of the scope, on this thread. Whether it is recorded is decided at its beginning.
class Scope {
 public:
  Scope(Kind kind, const char* name) noexcept : kind_(kind), name_(name), begin_(Active() ? Now() : 0) {}
  ~Scope() {
    if (begin_ != 0) Record({kind_, 0, name_, nullptr, 0, begin_, Now()});
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  const Kind kind_;
  const char* const name_;
  const Nanoseconds begin_;
};

// A moment.
inline void Moment(Event event) noexcept {
  event.begin = event.end = Now();
  Record(event);
}

}  // namespace foothold::trace
