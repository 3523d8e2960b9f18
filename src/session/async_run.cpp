// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/async_run.h"

#include "base/error.h"
#include "base/graph_codes.h"
#include "base/log.h"
#include "base/watch.h"
#include "check/planned_failures.h"
#include "session/graph_slot.h"

namespace foothold {

void AsyncRun::Begin(GraphSlot& graph, std::span<const RunInput> inputs, RunReply reply) {
  run_.Begin(graph, inputs);
  run_.form().Reserve(graph.device());
  run_.Hold(inputs, inputs_);
  reply_ = std::move(reply);
  number_ = check::On() ? graph.checked().Queued(run_.watched()) : 0;
}

void AsyncRun::Execute() {
  const InsideGraph inside(run_.graph());
  try {
    reply_(*this);
  } catch (...) {
    Log(LogLevel::kError, "the callback of RunGraphAsync threw: {}", CurrentError().message());
  }
}

void AsyncRun::Into(RunOutputs& outputs) {
  try {
    if (std::exchange(cut_short_, true))
      Fail(kGeFailed,
           "a function of the program ended the thread of the run (pthread_exit or pthread_cancel)");
    if (watch::Watching() != 0) BeginWatched();
    run_.CheckAlive();
    run_.Into(outputs, inputs_);
  } catch (...) {
    const Error error = CurrentError();
    cut_short_ = false;
    EndWatched();
    throw error;
  }
  cut_short_ = false;
  EndWatched();
}

void AsyncRun::BeginWatched() const {
  run_.graph().checked().Begins(number_);
  if (watch::Is(watch::kFaults)) check::FailRun("RunGraphAsync", run_.graph().device());
}

void AsyncRun::EndWatched() const noexcept {
  if (check::On()) run_.graph().checked().Ends(number_);
}

check::StreamName AsyncRun::checked_name() const {
  return run_.graph().checked().name();
}

bool AsyncRun::Rest() noexcept {
  reply_.Reset();
  inputs_.Drop();
  run_.Rest();
  return true;
}

}  // namespace foothold
