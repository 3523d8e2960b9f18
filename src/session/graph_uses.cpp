// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/graph_uses.h"

#include <algorithm>
#include <chrono>

#include "device/current.h"
#include "device/user_code.h"
#include "session/graph_slot.h"

namespace foothold {
namespace {

// A thread that waits looks this often whether it is itself what a run waits for.
constexpr std::chrono::milliseconds kNap(100);
thread_local const InsideGraph* innermost = nullptr;

}  // namespace

void GraphUses::Begin(const Stream* stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (stream != nullptr) Enter(*stream);
  ++uses_;
}

void GraphUses::End(const Stream* stream) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  if (stream != nullptr) Leave(*stream);
  if (--uses_ == 0) unused_.notify_all();
}

void GraphUses::WaitsOn(const Stream& stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  Enter(stream);
}

void GraphUses::Enter(const Stream& stream) {
  const auto found = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const StreamUse& one) { return one.stream == &stream; });
  if (found == streams_.end())
    streams_.push_back({&stream, 1});
  else
    ++found->runs;
}

void GraphUses::Leave(const Stream& stream) noexcept {
  const auto found = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const StreamUse& one) { return one.stream == &stream; });
  if (--found->runs == 0) streams_.erase(found);
}

bool GraphUses::WaitForThisThread() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::any_of(streams_.begin(), streams_.end(),
                     [](const StreamUse& one) { return HoldsUp(*one.stream); });
}

void GraphUses::WaitUntilNone(const std::function<void()>& look) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!unused_.wait_for(lock, kNap, [&] { return uses_ == 0; })) {
    const std::vector<StreamUse> streams = streams_;
    lock.unlock();
    for (const StreamUse& one : streams)
      one.stream->waiting().CheckChainForThisThread();
    look();
    lock.lock();
  }
}

GraphUse::GraphUse(GraphSlot& slot) : slot_(&slot) {
  slot_->uses().Begin(nullptr);
}

GraphUse::GraphUse(const GraphUse& other) : slot_(other.slot_), stream_(other.stream_), kept_(other.kept_) {
  if (!kept_) slot_->uses().Begin(stream_);
}

GraphUse::~GraphUse() {
  if (slot_ != nullptr && !kept_) slot_->uses().End(stream_);
}

void GraphUse::WaitsOn(const Stream& stream) {
  slot_->uses().WaitsOn(stream);
  stream_ = &stream;
}

void GraphUse::Keeps(std::shared_ptr<GraphSlot> slot) noexcept {
  kept_ = std::move(slot);
  slot_->uses().End(nullptr);
}

InsideGraph::InsideGraph(const GraphSlot& graph) noexcept
    : graph_(graph), outer_(std::exchange(innermost, this)) {}
InsideGraph::~InsideGraph() {
  innermost = outer_;
}

bool InsideGraph::Of(const GraphSlot& graph) noexcept {
  for (const InsideGraph* inside = innermost; inside != nullptr; inside = inside->outer_)
    if (&inside->graph_ == &graph) return true;
  return false;
}

bool InsideGraph::OfAny() noexcept {
  return innermost != nullptr;
}

}  // namespace foothold
