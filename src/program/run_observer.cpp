// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "program/run_observer.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/per_process.h"

namespace foothold {
namespace observation {

thread_local constinit ObserverScope* innermost = nullptr;
std::atomic<bool> everywhere{false};

}  // namespace observation
namespace {

thread_local constinit int functions_inside_runs = 0;

struct Watching {
  std::mutex mutex;  // guards the list
  std::vector<std::shared_ptr<RunObserver>> observers;
};

// Never destroyed: threads may run graphs while the program ends.
Watching& AllRuns() {
  static Watching& watching = *new Watching;
  return watching;
}

std::mutex& MutexOfObservers() {
  return AllRuns().mutex;
}
[[maybe_unused]] const HeldDuringFork<MutexOfObservers> held_for_observers;

auto Find(Watching& watching, const RunObserver& observer) {
  return std::find_if(watching.observers.begin(), watching.observers.end(),
                      [&](const auto& one) { return one.get() == &observer; });
}

}  // namespace

ObserverScope::ObserverScope(RunObserver& observer) : observer_(observer), outer_(observation::innermost) {
  observation::innermost = this;
}

ObserverScope::~ObserverScope() {
  observation::innermost = outer_;
}

ObserversHidden::ObserversHidden() : hidden_(std::exchange(observation::innermost, nullptr)) {
  ++functions_inside_runs;
}

ObserversHidden::~ObserversHidden() {
  --functions_inside_runs;
  observation::innermost = hidden_;
}

bool IsInsideRun() noexcept {
  return functions_inside_runs > 0;
}

void WatchAllRuns(std::shared_ptr<RunObserver> observer) {
  Watching& watching = AllRuns();
  std::lock_guard<std::mutex> lock(watching.mutex);
  if (Find(watching, *observer) != watching.observers.end())
    Fail(kInvalidParam, "the observer watches all runs already");
  watching.observers.push_back(std::move(observer));
  observation::everywhere.store(true);
}

void StopWatchingAllRuns(const RunObserver& observer) {
  Watching& watching = AllRuns();
  std::shared_ptr<RunObserver> gone;  // its destructor runs without the lock
  std::lock_guard<std::mutex> lock(watching.mutex);
  const auto found = Find(watching, observer);
  if (found == watching.observers.end()) Fail(kInvalidParam, "the observer does not watch all runs");
  gone = std::move(*found);
  watching.observers.erase(found);
  observation::everywhere.store(!watching.observers.empty());
}

bool IsEveryNodeNeeded() {
  if (observation::innermost != nullptr) return true;
  if (!IsObserved()) return false;
  Watching& watching = AllRuns();
  std::lock_guard<std::mutex> lock(watching.mutex);
  return std::any_of(watching.observers.begin(), watching.observers.end(),
                     [](const auto& observer) { return observer->needs_every_node(); });
}

ActiveObservers::ActiveObservers() {
  {
    Watching& watching = AllRuns();
    std::lock_guard<std::mutex> lock(watching.mutex);
    kept_ = watching.observers;
  }
  for (const ObserverScope* scope = observation::innermost; scope != nullptr; scope = scope->outer_)
    all_.push_back(&scope->observer_);
  for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept)
    all_.push_back(kept->get());
  std::reverse(all_.begin(), all_.end());
}

void ActiveObservers::OnNodeBegin(const NodeRun& node) const {
  for (RunObserver* observer : all_)
    observer->OnNodeBegin(node);
}

void ActiveObservers::OnNodeEnd(const NodeRun& node) const {
  for (auto observer = all_.rbegin(); observer != all_.rend(); ++observer)
    (*observer)->OnNodeEnd(node);
}

void ActiveObservers::OnNodeFailed(const NodeRun& node) const {
  for (auto observer = all_.rbegin(); observer != all_.rend(); ++observer)
    (*observer)->OnNodeFailed(node);
}

}  // namespace foothold
