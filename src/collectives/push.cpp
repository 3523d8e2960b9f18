// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/push.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "collectives/call_run.h"
#include "collectives/codes.h"
#include "device/copy_task.h"

namespace foothold::collectives {
namespace {

class CollectiveTask {
 public:
  static constexpr bool kReplays = true;
  static constexpr bool kSuspends = true;

  // Without a run where the task is only kept: each run of a copy makes one.
  CollectiveTask(std::shared_ptr<Call> call, std::unique_ptr<CallRun> run)
      : call_(std::move(call)), run_(std::move(run)) {}
  CollectiveTask(CollectiveTask&&) noexcept = default;
  CollectiveTask(const CollectiveTask& other) : call_(other.call_) {}

  Outcome Run(Stream& stream) {
    if (!run_) run_ = std::make_unique<CallRun>(call_);
    return run_->Advance(stream) ? Outcome::kDone : Outcome::kSuspended;
  }
  void Cancel(const Failure& failure) noexcept {
    if (run_) run_->Leave(failure);
  }
  std::string Describe() const { return call_->Describe(); }
  void ListAccesses(std::vector<Access>& list) const { call_->ListAccesses(list); }
  // Who hears of other ranks goes on with it, unless it is long: another thread would have to be woken.
  Place place() const {
    constexpr std::uint64_t kLong = std::uint64_t{4} << 20;
    const Place place = PlaceOfCopy(call_->bytes);
    return place.kind == Place::kUnhurried && call_->bytes <= kLong ? Place{Place::kAnywhere} : place;
  }

 private:
  std::shared_ptr<Call> call_;
  std::unique_ptr<CallRun> run_;
};

// Which calls go into a capture or a stored stream, to be run any number of times.
bool IsKept(const StreamRef& stream) {
  return stream->is_diverted() || stream->is_stored();
}

void Push(const std::shared_ptr<Call>& call, const StreamRef& stream, const char* api, bool kept) {
  for (const CallPart& part : call->parts)
    call->bytes += part.send.bytes + part.receive.bytes;
  stream.Push(api, CollectiveTask(call, kept ? nullptr : std::make_unique<CallRun>(call)));
}

void GiveBackAll(const Call& call, std::size_t labels, const Error& error) noexcept {
  const Failure failure = Share(error);
  for (std::size_t i = labels; i-- > 0;)
    call.communicator->GiveBack(call.parts[i].label, call.parts[i].seat, failure);
}

void CheckOwnMessages(const Call& call) {
  std::size_t sent = 0;
  std::size_t received = 0;
  for (const CallPart& part : call.parts) {
    if (part.peer != call.communicator->rank()) continue;
    ++(part.request.collective == Collective::kSend ? sent : received);
  }
  if (sent != received) {
    Fail(kHcclPara, "rank {} sends {} messages to itself and receives {} of them", call.communicator->rank(),
         sent, received);
  }
}

}  // namespace

void PushCollective(const std::shared_ptr<Communicator>& communicator, const StreamRef& stream,
                    const char* api, CallPart part) {
  const auto call = std::make_shared<Call>();
  call->communicator = communicator;
  const bool kept = IsKept(stream);
  part.seat = communicator->rank();
  call->parts.push_back(std::move(part));
  call->parts[0].label = communicator->NextLabel(kept);
  try {
    Push(call, stream, api, kept);
  } catch (...) {
    const Error error = CurrentError();
    GiveBackAll(*call, 1, error);
    throw;
  }
}

void PushRun(const std::shared_ptr<Communicator>& communicator, const StreamRef& stream, const char* api,
             CallPart part, std::uint32_t tag) {
  const auto call = std::make_shared<Call>();
  call->communicator = communicator;
  part.label = communicator->LabelOfRun(part, tag);
  call->runs.store(part.label.run);
  part.seat = part.request.collective == Collective::kSend      ? 0
              : part.request.collective == Collective::kReceive ? 1
                                                                : communicator->rank();
  call->parts.push_back(std::move(part));
  Push(call, stream, api, false);
}

void PushMessages(const std::shared_ptr<Communicator>& communicator, const StreamRef& stream, const char* api,
                  std::vector<CallPart> parts) {
  const auto call = std::make_shared<Call>();
  call->communicator = communicator;
  const bool kept = IsKept(stream);
  call->parts = std::move(parts);
  CheckOwnMessages(*call);
  std::size_t labels = 0;
  try {
    for (CallPart& part : call->parts) {
      const bool sends = part.request.collective == Collective::kSend;
      part.seat = sends ? 0 : 1;
      part.label = communicator->NextLabel(kept, sends, part.peer);
      ++labels;
    }
    Push(call, stream, api, kept);
  } catch (...) {
    const Error error = CurrentError();
    GiveBackAll(*call, labels, error);
    throw;
  }
}

}  // namespace foothold::collectives
