// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/checked_graph.h"

#include <fmt/format.h>

#include <functional>
#include <string>

#include "base/error.h"
#include "base/graph_codes.h"
#include "check/call_finding.h"
#include "check/check.h"
#include "check/devices/names.h"
#include "check/reporter.h"
#include "device/current.h"
#include "device/stream.h"
#include "session/graph_slot.h"

namespace foothold {
namespace {

// What the program has said: operators, their attributes and their links.
std::uint64_t DigestOf(const Graph& graph) {
  std::string text;
  for (const Node* node : graph.nodes()) {
    text += fmt::format("{} {};", node->name(), node->type());
    for (const auto& [name, value] : node->attributes)
      text += fmt::format("{}={};", name, ToString(value));
    for (const auto& input : node->inputs())
      text += fmt::format("{}<{};", input.name, static_cast<const void*>(input.source.node));
  }
  return std::hash<std::string>()(text);
}

void Report(std::optional<check::Finding> finding, const check::Site& before, const char* does) {
  if (!finding) return;
  finding->before = check::ActAt(before, does);
  check::Reporter::Get().Report(std::move(*finding));
}

check::Touches TouchesOf(const std::vector<WatchedInput>& inputs) {
  check::Touches touches;
  for (const WatchedInput& input : inputs)
    touches.push_back({.address = reinterpret_cast<std::uintptr_t>(input.memory.given()),
                       .bytes = input.memory.size(),
                       .serial = input.memory.serial(),
                       .exact = false,
                       .role = MemoryRole::kGraphInput});
  return touches;
}

}  // namespace

CheckedGraph::CheckedGraph(std::uint32_t id, const Graph& graph) : id_(id) {
  if (!check::On()) return;
  added_ = check::SiteHere();
  ran_ = std::make_shared<int>();
  if (check::Wanted("GE-RUN-008") != nullptr) digest_ = DigestOf(graph);
}

CheckedGraph::~CheckedGraph() {
  if (check::On()) check::StreamEnds(name(), false, 0);
}

void CheckedGraph::LookAtReading(const Graph& graph) const noexcept try {
  if (!digest_ || *digest_ == DigestOf(graph)) return;
  Report(check::FindingHere("GE-RUN-008", fmt::format("graph {} has changed since it was added", id_)),
         added_, "added it");
} catch (...) {  // no memory to look
}

void CheckedGraph::Loaded(const StreamRef& stream) noexcept {
  if (!check::On()) return;
  const check::StreamName name = check::NameOf(*stream.stream);
  const std::lock_guard<std::mutex> lock(mutex_);
  load_ = Load{name, check::WaitsFor(name), check::SiteHere()};
}

void CheckedGraph::LookAtRun(const StreamRef& stream) const noexcept try {
  std::optional<Load> load;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    load = load_;
  }
  if (!load || load->stream.key == stream.stream || check::WaitsFor(load->stream) != load->waits) return;
  Report(
      check::FindingHere("GE-RUN-009", fmt::format("graph {} was loaded for stream {} and runs on stream {}",
                                                   id_, load->stream.id, stream->id())),
      load->site, "loaded it");
} catch (...) {
}

void CheckedGraph::RanOn(const Stream& stream) const noexcept {
  if (ran_) check::StreamReaches(check::NameOf(stream), ran_, check::Point::kJoin);
}

void CheckedGraph::WaitedFor() const noexcept {
  if (ran_) check::HostLearns(ran_.get());
}

std::uint32_t CheckedGraph::Queued(const std::vector<WatchedInput>& inputs) noexcept try {
  const std::uint32_t run = runs_.fetch_add(1);
  if (!check::On()) return run;
  check::QueuedTask queued;
  queued.number = run;
  queued.call = "RunGraphAsync";
  queued.touches = TouchesOf(inputs);
  check::TaskQueued(name(), std::move(queued));
  return run;
} catch (...) {  // not watched
  return 0;
}

void CheckedGraph::Begins(std::uint32_t run) const {
  if (check::On() && !check::TaskBegins(name(), run).may_run)
    Fail(kGeFailed, "the memory of an input is in use elsewhere, and nothing orders that with this run");
}

void CheckedGraph::Ends(std::uint32_t run) const noexcept {
  if (check::On()) check::TaskEnds(name(), run);
}

std::optional<Access> WorkOf(std::byte* given, std::size_t bytes, MemoryRole role) {
  if (!check::On() || given == nullptr || bytes == 0) return std::nullopt;
  const RunMemory memory(given, bytes, Use::kWrite, RunMemory::Kind::kAny, kGeFailed,
                         [] { return std::string("the memory of a graph"); });
  return Access{given, bytes, Use::kWrite, Extent::kExact, memory.serial(), role};
}

void LookAtEndInside(std::uint64_t session) noexcept try {
  if (!check::On()) return;
  if (auto finding = check::FindingHere(
          "GE-RUN-006",
          fmt::format("session {} is destroyed inside a function one of its runs has called", session)))
    check::Reporter::Get().Report(std::move(*finding));
} catch (...) {
}

void LookAtLateAllocator() noexcept try {
  if (!check::On()) return;
  if (auto finding =
          check::FindingHere("GE-ALLOC-008", "an allocator is registered after a graph was loaded"))
    check::Reporter::Get().Report(std::move(*finding));
} catch (...) {
}

}  // namespace foothold
