// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/stored_events.h"

#include <fmt/format.h>

#include "base/error.h"
#include "device/observer.h"
#include "device/stream.h"

namespace foothold {
namespace {

std::string Name(const EventState& event) {
  return fmt::format("event {}", event.id());
}

}  // namespace

const TaskForm StoredEventRecord::kForm{TaskKind::kEventRecord, &ReadForm<StoredEventRecord>};
const TaskForm StoredEventWait::kForm{TaskKind::kEventWait, &ReadForm<StoredEventWait>};
const TaskForm StoredEventReset::kForm{TaskKind::kEventReset, &ReadForm<StoredEventReset>};

Outcome StoredEventRecord::Run(Stream& stream) {
  state_->RecordNow(stream);
  if (!pending_->done()) pending_->Complete(stream.failures().Peek(), Now());
  return Outcome::kDone;
}

void StoredEventRecord::Cancel(const Failure& failure) noexcept {
  if (!pending_->done()) pending_->Complete(failure, Now());
}

std::string StoredEventRecord::Describe() const {
  return Name(*state_);
}

bool StoredEventWait::IsReached(Stream& stream) {
  if (awaits_mark_) return state_->mark().TakeOrWait(stream, [](std::uint32_t& mark) { return mark != 0; });
  const auto latest = state_->latest().completion;
  if (!latest || !latest->AddWaiter(stream)) {
    if (latest && latest->failure()) stream.Adopt(latest->failure());
    return true;
  }
  stream.waiting().set_source(latest->source());
  return false;
}

Outcome StoredEventWait::Run(Stream& stream) {
  if (IsReached(stream)) {
    stream.waiting().set_source(nullptr);
    if (auto* const observer = Observer()) observer->OnLearns(stream, state_->latest().completion.get());
    return Outcome::kDone;
  }
  if (deadline_.Expired())
    Fail(kRtWaitTimeout, "event {} was not reached within {} s", state_->id(), deadline_.seconds());
  deadline_.Arm(stream);
  return Outcome::kSuspended;
}

std::string StoredEventWait::Describe() const {
  return Name(*state_);
}

Outcome StoredEventReset::Run(Stream&) {
  state_->ResetNow();
  return Outcome::kDone;
}

std::string StoredEventReset::Describe() const {
  return Name(*state_);
}

}  // namespace foothold
