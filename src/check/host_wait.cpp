// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/host_wait.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/library_threads.h"
#include "base/per_process.h"
#include "base/thread_id.h"
#include "check/acts.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/reporter.h"
#include "check/wait_graph.h"

namespace foothold::check {
namespace {

// How long a callback may be due before its thread is said not to come for it.
constexpr Nanoseconds kPatienceForThread = kSecond;
constexpr Nanoseconds kPause = 90 * kMillisecond;  // between two looks

struct Waits {
  std::mutex mutex;  // guards the list
  std::vector<const HostWait*> list;
};

Waits& TheWaits() {
  return PerProcess<Waits>::Get();
}

Site SiteOfCall() {
  const CallScope* const call = CallScope::Current();
  return call == nullptr ? Site{} : call->site();
}

// Threads of the program that may still do something.
int Outside(const std::vector<Waiting>& waiting) {
  std::vector<std::uint32_t> waits;
  for (const Waiting& one : waiting)
    if (!one.limited && std::find(waits.begin(), waits.end(), one.thread) == waits.end())
      waits.push_back(one.thread);
  const int threads = ThreadsOfProcess();
  return threads == 0 ? 1 : threads - LibraryThread::count() - static_cast<int>(waits.size());
}

WaitGraph GraphNow(const std::vector<StreamFacts>& facts) {
  auto waiting = AllWaiting();
  const int outside = Outside(waiting);
  return WaitGraph(Order::Get().StandOf(), facts, std::move(waiting), outside);
}

Finding FindingHere(const char* id, std::string headline) {
  Finding finding;
  const CallScope* const call = CallScope::Current();
  finding.rule = call == nullptr ? nullptr : Wanted(id);
  if (finding.rule == nullptr) return finding;
  finding.headline = std::move(headline);
  finding.now = ActOf(*call);
  return finding;
}

}  // namespace

HostWait::HostWait(For kind, const void* what, bool limited)
    : kind_(kind),
      what_(what),
      limited_(limited),
      thread_(KernelThreadId()),
      self_(static_cast<std::uint64_t>(pthread_self())),
      site_(SiteOfCall()) {
  Waits& waits = TheWaits();
  const std::lock_guard<std::mutex> lock(waits.mutex);
  waits.list.push_back(this);
}

HostWait::~HostWait() {
  Waits& waits = TheWaits();
  const std::lock_guard<std::mutex> lock(waits.mutex);
  std::erase(waits.list, this);
}

std::vector<Waiting> AllWaiting() {
  Waits& waits = TheWaits();
  const std::lock_guard<std::mutex> lock(waits.mutex);
  std::vector<Waiting> all;
  for (const HostWait* wait : waits.list)
    all.push_back({wait->kind(), wait->what(), wait->limited(), wait->thread(), wait->self(), wait->site()});
  return all;
}

bool HostWait::Moves(const std::vector<StreamFacts>& facts) {
  std::uint64_t progress = 0;
  bool runs = false;
  for (const StreamFacts& one : facts) {
    progress += one.progress;
    runs = runs || one.runs;
  }
  return std::exchange(progress_, progress) != progress || runs;
}

void HostWait::Look(const std::vector<StreamFacts>& facts) {
  if (limited_ || told_ || Now() - looked_ < kPause) return;
  looked_ = Now();
  if (Moves(facts)) {
    still_.Restart(GlanceAtProcess());
    return hopeless_.reset();
  }
  still_.Continue(GlanceAtProcess());
  const WaitGraph graph = GraphNow(facts);
  if (!graph.IsHopeless(thread_)) {
    hopeless_.reset();
  } else if (!hopeless_) {  // what is told at this very moment is seen the next time
    hopeless_ = still_.time();
    return;
  } else if (still_.time() - *hopeless_ < kPause) {  // who tells it may wait for a processor
    return;
  } else {
    told_ = true;
    WaitGraph::Chain chain = graph.ChainFrom(thread_);
    Finding finding = FindingHere(chain.circle ? "ACL-SYNC-007" : "ACL-SYNC-008",
                                  chain.circle ? "threads and streams wait for one another in a circle"
                                               : "this wait can never end: nobody is left who could end it");
    finding.objects = std::move(chain.waits);
    if (finding.rule != nullptr && Reporter::Get().Report(std::move(finding)))
      Fail(kRtParamInvalid, "this wait would never end: what it waits for can never happen");
    return;
  }
  if (!told_thread_) told_thread_ = LookForThread(facts);
  const Nanoseconds hang = TheSettings().hang;
  if (!told_thread_ && hang > 0 && still_.time() >= hang) ReportStandstill(facts);
}

// A callback is due and its thread does something else.
bool HostWait::LookForThread(const std::vector<StreamFacts>& facts) {
  const auto due = std::find_if(facts.begin(), facts.end(),
                                [](const StreamFacts& one) { return one.needs != 0 && !one.attended; });
  if (due == facts.end()) return false;
  const auto waiting = AllWaiting();
  const auto thread = std::find_if(waiting.begin(), waiting.end(),
                                   [&](const Waiting& one) { return one.self == due->needs; });
  const bool elsewhere = thread != waiting.end() && !due->ever_attended && !thread->limited;
  if (!elsewhere && still_.time() < kPatienceForThread) return false;
  const std::string stream = due->id < 0 ? "a stream of a channel" : fmt::format("stream {}", due->id);
  Finding finding = FindingHere(
      "ACL-CB-002", fmt::format("{} waits for a callback, and the thread that is subscribed to it "
                                "({:#x}) does not call aclrtProcessReport",
                                stream, due->needs));
  if (finding.rule == nullptr) return true;
  if (thread != waiting.end())
    finding.objects.push_back({"thread",
                               fmt::format("thread {} waits in {}", thread->thread, thread->site.call),
                               {{"called by", thread->site}}});
  if (Reporter::Get().Report(std::move(finding)))
    Fail(kRtParamInvalid, "{} waits for a callback that its thread does not run", stream);
  return true;
}

void HostWait::ReportStandstill(const std::vector<StreamFacts>& facts) {
  told_ = true;
  Finding finding = FindingHere(
      "ACL-SYNC-009",
      fmt::format("nothing has happened for {:.0f} s", static_cast<double>(TheSettings().hang) / kSecond));
  if (finding.rule == nullptr) return;
  finding.objects = GraphNow(facts).All();
  Reporter::Get().Report(std::move(finding));
}

}  // namespace foothold::check
