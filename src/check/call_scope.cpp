// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/call_scope.h"

#include "base/broken_rule.h"
#include "base/handle_pool.h"
#include "base/programs_function.h"
#include "base/schedule.h"
#include "base/thread_id.h"
#include "check/callback_rules.h"
#include "check/failed_calls.h"
#include "check/faults.h"
#include "check/foreign_frames.h"
#include "check/history.h"
#include "check/inside_calls.h"
#include "check/nested_calls.h"
#include "check/planned_failures.h"
#include "check/reporter.h"
#include "check/thread_state.h"
#include "trace/trace.h"

namespace foothold::check {

constinit thread_local ThreadState thread_state;

const CallScope* CallScope::Current() noexcept {
  return thread_state.call;
}

// Its caller is the function of the API, whose caller is the program.
[[gnu::noinline]] void CallScope::Begin(const void* call, const About* about) noexcept {
  watched_ = watch::Watching();
  injected_ = false;
  if ((watched_ & watch::kTrace) != 0) begin_ = Now();
  if ((watched_ & watch::kFaults) != 0) TakePlannedFailure();
  if ((watched_ & watch::kCheck) == 0) return;
  call_ = call;
  about_ = about;
  ThreadState& thread = thread_state;
  const StackId stack = TakeStack(__builtin_return_address(0), __builtin_frame_address(0), thread);
  site_ = {name_, thread.foreign == nullptr ? stack : WithForeignFrames(stack), KernelThreadId()};
  outer_ = thread.call;
  thread.call = this;
  handles_ = 0;
  TakeBrokenRule();
  if (about != nullptr) about->visit(call, thread);
  if (ProgramsFunction::Current() != ProgramsFunction::Kind::kNone) LookAtNestedCall(name_);
  if (thread.function != nullptr) CalledInFunction(*this);
}

// An argument of the call that has just begun.
void CallScope::UsePointer(const void* pointer, ThreadState& thread) noexcept {
  if (!KindOfHandle(pointer)) return;
  CallScope& call = *thread.call;
  NoteUse(pointer, call.site_, thread);
  CallEnters(HandleValue(pointer), call.site_, thread);
  ++call.handles_;
}

void CallScope::End() noexcept {
  if ((watched_ & watch::kTrace) != 0)
    trace::Record({trace::Kind::kCall, 0, name_, nullptr, 0, begin_, Now()});
  if ((watched_ & watch::kCheck) != 0) {
    ThreadState& thread = thread_state;
    thread.call = outer_;
    if (handles_ > 0) CallsLeave(handles_, thread);
    Reporter::Get().WriteLater();
  }
  if ((watched_ & watch::kSchedule) != 0) schedule::CallEnds();
}

void CallScope::FailByPlan() const {
  try {
    FailCall(name_);
  } catch (...) {
    injected_ = true;
    throw;
  }
}

std::string CallScope::Arguments() const {
  return about_ == nullptr ? std::string() : about_->describe(call_);
}

void CallScope::ReportFailure(const std::string& arguments, const Error& error) const noexcept {
  const BrokenRule broken = TakeBrokenRule();
  const bool planned = (watched_ & watch::kFaults) != 0 && TakePlannedFailure();
  if (injected_ || planned) return;
  CallFailed(*this, arguments, error, broken);
}

}  // namespace foothold::check
