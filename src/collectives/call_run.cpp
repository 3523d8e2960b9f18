// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/call_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "collectives/call_trace.h"
#include "collectives/codes.h"
#include "device/memory_map.h"
#include "device/observer.h"
#include "device/stream.h"
#include "trace/trace.h"

namespace foothold::collectives {
namespace {

std::byte* Bytes(const CallMemory& memory, Use use, const char* name) {
  if (memory.bytes == 0 || memory.own != nullptr) return memory.own;
  return static_cast<std::byte*>(RecheckRange(memory.address, memory.bytes, use, memory.serial, name));
}

// Made at load: dropping a task cannot fail for want of memory.
const Failure& Dropped() {
  static const auto* const dropped =
      new Failure(std::make_shared<const Error>(kRtSuspectRemote, "the task of a rank was dropped"));
  return *dropped;
}
[[maybe_unused]] const Failure& dropped_at_load = Dropped();

// What the other ranks are told of the failure of one.
Failure ForOthers(const Call& call, const Failure& failure) noexcept try {
  if (failure->code() == kRtSuspectRemote || failure->text_code() == kTextHcclTaskTimeout) return failure;
  return std::make_shared<const Error>(
      kRtSuspectRemote,
      fmt::format("rank {} of communicator {} does not take part: {}", call.communicator->rank(),
                  call.communicator->name(), failure->message()));
} catch (...) {
  return failure;
}

}  // namespace

CallRun::CallRun(std::shared_ptr<Call> call) : call_(std::move(call)), meetings_(call_->parts.size()) {
  run_ = call_->runs.fetch_add(1);
  try {
    for (std::size_t i = 0; i < meetings_.size(); ++i) {
      MeetingLabel label = call_->parts[i].label;
      label.run = label.captured ? run_ : 0;
      meetings_[i] = call_->communicator->group().Join(label, call_->communicator->rank());
    }
    call_->communicator->Begin(*this);
  } catch (...) {
    LeaveAll(Share(CurrentError()));
    throw;
  }
}

CallRun::~CallRun() {
  Leave(Dropped());
}

void CallRun::Begin(Stream& stream) {
  Communicator& communicator = *call_->communicator;
  if (const Failure gone = communicator.destroyed()) throw Error(*gone);
  began_ = true;
  if (trace::Active()) came_ = Now();
  for (std::size_t i = 0; i < meetings_.size(); ++i) {
    const CallPart& part = call_->parts[i];
    Arrival arrival{&part.request,      {},     part.send.address, part.receive.address, part.send.bytes,
                    part.receive.bytes, &stream};
    arrival.buffers = {Bytes(part.send, Use::kRead, "sendBuf"), Bytes(part.receive, Use::kWrite, "recvBuf")};
    if (auto* const observer = Observer())
      observer->OnReaches(stream, meetings_[i], DeviceObserver::Point::kJoin);
    meetings_[i]->Come(part.seat, arrival);
  }
}

bool CallRun::Advance(Stream& stream) try {
  if (!began_) Begin(stream);
  Failure first;
  bool over = true;
  for (std::size_t i = 0; i < meetings_.size(); ++i) {  // all of them: each may go on by itself
    Failure failure;
    over = meetings_[i]->IsOver(call_->parts[i].seat, failure) && over;
    if (failure && !first) first = failure;
  }
  if (first) throw Error(*first);
  if (!over) {
    const Nanoseconds limit = call_->communicator->settings().exec_timeout;
    if (limit == kForever) return false;
    const Nanoseconds now = Now();
    if (deadline_ == kForever) deadline_ = now + limit;
    if (now >= deadline_) throw Error(*Expired());
    stream.WakeAt(deadline_);
    return false;
  }
  for (std::size_t i = 0; i < meetings_.size(); ++i) {
    if (auto* const observer = Observer()) observer->OnLearns(stream, meetings_[i].get());
    if (came_ != 0) TraceCall(*call_, call_->parts[i], run_, *meetings_[i], stream.id(), came_);
  }
  call_->communicator->NoteMet();
  Finish();
  return true;
} catch (...) {
  const Error error = CurrentError();
  call_->communicator->NoteFailure(error);
  Leave(Share(error));
  throw;
}

Failure CallRun::Expired() const {
  const Communicator& communicator = *call_->communicator;
  std::string missing;
  for (const auto& meeting : meetings_) {
    const auto ranks = meeting->Missing();
    if (!ranks.empty() && missing.empty()) missing = fmt::format("{}", fmt::join(ranks, ", "));
  }
  return std::make_shared<const Error>(
      kRtAicpuException,
      fmt::format("{}: rank {} of communicator {} waited {} s (HCCL_EXEC_TIMEOUT), and rank {} did not come",
                  kTextHcclTaskTimeout, communicator.rank(), communicator.name(),
                  static_cast<double>(communicator.settings().exec_timeout) / kSecond,
                  missing.empty() ? "of a part" : missing),
      kTextHcclTaskTimeout);
}

void CallRun::ListPlaces(std::vector<Place>& places) const {
  for (std::size_t i = 0; i < meetings_.size(); ++i)
    places.push_back({meetings_[i], call_->parts[i].seat});
}

void CallRun::Finish() noexcept {
  if (!std::exchange(ended_, true)) call_->communicator->End(*this);
}

void CallRun::LeaveAll(const Failure& failure) noexcept {
  const Failure told = ForOthers(*call_, failure);
  for (std::size_t i = 0; i < meetings_.size(); ++i) {
    if (meetings_[i]) meetings_[i]->Leave(call_->parts[i].seat, told);
  }
}

void CallRun::Leave(const Failure& failure) noexcept {
  if (ended_) return;
  LeaveAll(failure);
  Finish();
}

}  // namespace foothold::collectives
