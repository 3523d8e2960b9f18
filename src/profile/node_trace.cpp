// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The nodes of all runs in the timeline: watches while something is recorded, and never otherwise.
#include <forward_list>
#include <memory>
#include <mutex>

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
  void OnNodeBegin(const NodeRun&) override { Begins().push_front(Now()); }
  void OnNodeEnd(const NodeRun& node) override { Put(node); }
  void OnNodeFailed(const NodeRun& node) override { Put(node); }

 private:
  // Nodes that run graphs have others inside.
  static std::forward_list<Nanoseconds>& Begins() {
    thread_local std::forward_list<Nanoseconds> begins;
    return begins;
  }
  static void Put(const NodeRun& node) {
    const Nanoseconds begin = Begins().front();
    Begins().pop_front();
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
