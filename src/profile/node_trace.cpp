// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The nodes of all runs in the timeline: watches while something is recorded, and never otherwise.
#include <memory>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "program/run_observer.h"
#include "trace/recorder.h"
#include "trace/trace.h"

namespace foothold {
namespace {

class NodeTrace final : public RunObserver {
 public:
  // The timeline shows the calls in their place.
  bool needs_every_node() const override { return false; }
  void OnNodeBegin(const NodeRun&) override { Begins().push_back(Now()); }
  void OnNodeEnd(const NodeRun& node) override { Put(node); }
  void OnNodeFailed(const NodeRun& node) override { Put(node); }

 private:
  // Nodes that run graphs have others inside.
  static std::vector<Nanoseconds>& Begins() {
    thread_local std::vector<Nanoseconds> begins;
    return begins;
  }
  static void Put(const NodeRun& node) {
    const Nanoseconds begin = Begins().back();
    Begins().pop_back();
    if (!trace::Active()) return;  // ended during the run
    trace::Record({trace::Kind::kNode, 0, trace::Keep(node.name), trace::Keep(node.type), 0, begin, Now()});
  }
};

void Watch(bool active) {
  static std::mutex mutex;  // guards the other
  static std::shared_ptr<NodeTrace> watching;
  std::lock_guard<std::mutex> lock(mutex);
  if (active && !watching) WatchAllRuns(watching = std::make_shared<NodeTrace>());
  if (!active && watching) StopWatchingAllRuns(*std::exchange(watching, nullptr));
}

[[maybe_unused]] const bool listening = (trace::Recorder::Get().AddListener(Watch), true);

}  // namespace
}  // namespace foothold
