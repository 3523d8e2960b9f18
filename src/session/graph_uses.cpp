// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Who uses a graph now, and waiting until nobody does.
#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "device/current.h"
#include "device/user_code.h"
#include "session/graph_slot.h"

namespace foothold {
namespace {

// A thread that waits looks this often whether it is itself what a run waits for.
constexpr std::chrono::milliseconds kNap(100);
thread_local const GraphSlot::Here* running_here = nullptr;

}  // namespace

GraphSlot::Use::Use(GraphSlot& slot) : slot_(&slot) {
  std::lock_guard<std::mutex> lock(slot_->use_mutex_);
  ++slot_->uses_;
}

GraphSlot::Use::Use(const Use& other) : slot_(other.slot_), kept_(other.kept_) {
  if (kept_) return;
  std::lock_guard<std::mutex> lock(slot_->use_mutex_);
  if (other.stream_ != nullptr) slot_->EnterStream(*other.stream_);
  stream_ = other.stream_;
  ++slot_->uses_;
}

GraphSlot::Use::~Use() {
  if (slot_ == nullptr || kept_) return;
  std::lock_guard<std::mutex> lock(slot_->use_mutex_);
  if (stream_ != nullptr) slot_->LeaveStream(*stream_);
  if (--slot_->uses_ == 0) slot_->unused_.notify_all();
}

void GraphSlot::Use::WaitsOn(const Stream& stream) {
  std::lock_guard<std::mutex> lock(slot_->use_mutex_);
  slot_->EnterStream(stream);
  stream_ = &stream;
}

void GraphSlot::Use::Keeps(std::shared_ptr<GraphSlot> slot) noexcept {
  kept_ = std::move(slot);
  std::lock_guard<std::mutex> lock(slot_->use_mutex_);
  if (--slot_->uses_ == 0) slot_->unused_.notify_all();
}

void GraphSlot::EnterStream(const Stream& stream) {
  const auto found = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const StreamUse& one) { return one.stream == &stream; });
  if (found == streams_.end())
    streams_.push_back({&stream, 1});
  else
    ++found->runs;
}

void GraphSlot::LeaveStream(const Stream& stream) noexcept {
  const auto found = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const StreamUse& one) { return one.stream == &stream; });
  if (--found->runs == 0) streams_.erase(found);
}

bool GraphSlot::WaitsForThisThread() const {
  if (RunsHere() || async_.IsOwnThread()) return true;
  std::lock_guard<std::mutex> lock(use_mutex_);
  return std::any_of(streams_.begin(), streams_.end(),
                     [](const StreamUse& one) { return HoldsUp(*one.stream); });
}

void GraphSlot::WaitUntilUnused() {
  std::unique_lock<std::mutex> lock(use_mutex_);
  while (!unused_.wait_for(lock, kNap, [&] { return uses_ == 0; })) {
    const std::vector<StreamUse> streams = streams_;
    lock.unlock();
    for (const StreamUse& one : streams)
      one.stream->waiting().CheckChainForThisThread();
    async_.CheckGoesOn();
    lock.lock();
  }
  lock.unlock();
  checked_.WaitedFor();
  async_.WaitUntilIdle();
}

bool GraphSlot::RunsHere() const {
  for (const Here* here = running_here; here != nullptr; here = here->outer_)
    if (&here->slot_ == this) return true;
  return false;
}

bool GraphSlot::AnyRunsHere() {
  return running_here != nullptr;
}

GraphSlot::Here::Here(const GraphSlot& slot) : slot_(slot), outer_(std::exchange(running_here, this)) {}
GraphSlot::Here::~Here() {
  running_here = outer_;
}

}  // namespace foothold
