// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/receiver.h"

#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/held_locks.h"
#include "base/per_process.h"
#include "base/programs_function.h"
#include "check/check.h"
#include "check/faults.h"
#include "check/lent_bytes.h"
#include "program/run_observer.h"

namespace foothold {
namespace {

thread_local int inside = 0;

// What the function answers, and 1 for whatever it throws: a C function has no other way out.
std::int32_t Call(DumpReceiver::Function function, const DumpChunkHead& chunk, std::string& thrown) {
  EnterProgram("the callback for dumps");
  if (watch::Is(watch::kFaults) && check::DumpIsRefused()) return 1;
  const std::size_t bytes = kDumpChunkSize + chunk.bytes;
  const ProgramsFunction inside_program(ProgramsFunction::Kind::kDumpCallback);
  try {
    std::optional<check::LentBytes> lent;
    if (check::On()) lent.emplace(&chunk, bytes);
    const void* const shown = lent ? lent->data() : &chunk;
    return function(static_cast<const acldumpChunk*>(shown), static_cast<std::int32_t>(bytes));
  } catch (...) {
    thrown = ": it threw " + CurrentError().message();
    return 1;
  }
}

}  // namespace

class DumpReceiver::Registration {
 public:
  explicit Registration(Function function) : function(function) {}
  const Function function;
  int calls = 0;  // that go on
  bool ended = false;
};

DumpReceiver& DumpReceiver::Get() {
  return PerProcess<DumpReceiver>::Get();  // runs may go on while the process ends
}

void DumpReceiver::Register(Function function) {
  auto registration = std::make_shared<Registration>(function);
  std::lock_guard<std::mutex> lock(mutex_);
  if (current_) current_->ended = true;
  current_ = std::move(registration);
}

void DumpReceiver::Unregister() {
  std::unique_lock<std::mutex> lock(mutex_);
  const std::shared_ptr<Registration> gone = std::exchange(current_, nullptr);
  if (!gone) return;
  gone->ended = true;
  // Two calls that unregister would wait for each other.
  if (!IsInside()) left_.wait(lock, [&] { return gone->calls == 0; });
}

std::shared_ptr<DumpReceiver::Registration> DumpReceiver::current() {
  std::lock_guard<std::mutex> lock(mutex_);
  return current_;
}

// A call of the function, left however it ends: also with the thread.
class DumpReceiver::Visit {
 public:
  Visit(DumpReceiver& receiver, Registration& to) : receiver_(receiver), to_(to) {
    receiver_.Enter(to_);
    ++inside;
  }
  ~Visit() {
    --inside;
    receiver_.Leave(to_);
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  DumpReceiver& receiver_;
  Registration& to_;
};

void DumpReceiver::Enter(Registration& registration) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (registration.ended) Fail(kFailure, "the callback for dumps was unregistered meanwhile");
  ++registration.calls;
}

void DumpReceiver::Leave(Registration& registration) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (--registration.calls == 0) left_.notify_all();
}

void DumpReceiver::Send(Registration& to, const DumpChunkHead& chunk) {
  std::string thrown;
  std::int32_t answer = 0;
  {
    const Visit visit(*this, to);
    const ObserversHidden others_it_runs;
    answer = Call(to.function, chunk, thrown);
  }
  if (answer != 0) Fail(kFailure, "the callback for dumps answered {}{}", answer, thrown);
}

bool DumpReceiver::IsInside() {
  return inside > 0;
}

}  // namespace foothold
