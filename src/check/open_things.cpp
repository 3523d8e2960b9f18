// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/open_things.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "base/per_process.h"
#include "check/call_finding.h"
#include "check/lifecycle.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

struct About {
  const char* rule;
  const char* name;
  const char* ends;  // the call that ends it
  bool of_engine = false;
};

About Of(Thing thing) {
  switch (thing) {
    case Thing::kModel:
      return {"ACL-LEAK-004", "model", "aclmdlUnload"};
    case Thing::kBundle:
      return {"ACL-LEAK-004", "bundle of models", "aclmdlBundleUnload"};
    case Thing::kSubscription:
      return {"ACL-LEAK-003", "subscription of a thread", "aclrtUnSubscribeReport"};
    case Thing::kProfile:
      return {"ACL-USE-002", "profile", "aclprofStop with the same configuration"};
    case Thing::kRange:
      return {"ACL-USE-002", "range of a profile", "aclprofRangeStop, aclprofPop or aclprofRangePop"};
    case Thing::kModelSubscription:
      return {"ACL-USE-002", "subscription to a model", "aclprofModelUnSubscribe"};
    case Thing::kCoresOfThread:
      return {"ACL-USE-002", "resource limit of a thread", "aclrtUnuseStreamResInCurrentThread"};
    case Thing::kDump:
      return {"ACL-DUMP-004", "dump", "aclmdlFinalizeDump"};
    case Thing::kDumpCallback:
      return {"ACL-DUMP-004", "callback for dumps", "acldumpUnregCallback"};
    case Thing::kArgumentDump:
      return {"ACL-DUMP-004", "dump of arguments", "aclopStopDumpArgs"};
    case Thing::kSession:
      return {"GE-LEAK-001", "session", "its destructor", true};
    case Thing::kGraph:
      return {"GE-LEAK-001", "graph of a session", "RemoveGraph, or the end of its session,", true};
    case Thing::kOutput:
      return {"GE-LEAK-001", "output in device memory", "the end of its tensor", true};
    case Thing::kAllocatorBlock:
      return {"GE-LEAK-001", "block of an allocator", "the end of the tensor or graph that has it", true};
  }
  return {"ACL-LEAK-004", "object", "its end"};
}

// What a process has begun, a forked child has not.
struct Things {
  static Things& Get() { return PerProcess<Things>::Get(); }

  std::mutex mutex;  // guards the map
  std::map<std::pair<Thing, std::uint64_t>, Site> open;
  std::atomic<bool> engine_ended{false};
};

struct LeftOpen {
  std::uint64_t count = 0;
  Site site;
};

void Report(Thing thing, const LeftOpen& left) {
  const About about = Of(thing);
  auto finding = FindingAt(
      about.rule, left.site,
      fmt::format("{} ({}) left when the program ends: {} is missing", about.name, left.count, about.ends));
  if (!finding) return;
  finding->now.does = "began what is left";
  finding->places = left.count;
  finding->leaks = finding->rule->group == Group::kLeak;
  finding->key = {{"kind", about.name}};
  Reporter::Get().ReportLater(std::move(*finding));
}

}  // namespace

void NoteOpened(Thing thing, std::uint64_t id) noexcept try {
  Things& things = Things::Get();
  const std::lock_guard<std::mutex> lock(things.mutex);
  things.open.insert_or_assign({thing, id}, SiteHere());
} catch (...) {  // not remembered
}

void NoteClosed(Thing thing, std::uint64_t id) noexcept try {
  Things& things = Things::Get();
  const std::lock_guard<std::mutex> lock(things.mutex);
  things.open.erase({thing, id});
} catch (...) {
}

std::uint64_t CountOpen(Thing thing) noexcept try {
  Things& things = Things::Get();
  const std::lock_guard<std::mutex> lock(things.mutex);
  const auto first = things.open.lower_bound({thing, 0});
  const auto last = things.open.upper_bound({thing, UINT64_MAX});
  return static_cast<std::uint64_t>(std::distance(first, last));
} catch (...) {
  return 0;
}

void EngineFinalized() noexcept try { Things::Get().engine_ended.store(true); } catch (...) {
}

void ReportOpenThings() noexcept try {
  Things& things = Things::Get();
  std::map<std::pair<Thing, StackId>, LeftOpen> left;
  {
    const std::lock_guard<std::mutex> lock(things.mutex);
    for (const auto& [key, site] : things.open) {
      const bool ended = Of(key.first).of_engine ? things.engine_ended.load() : WasFinalized();
      if (!ended || !site) continue;
      LeftOpen& one = left[{key.first, site.stack}];
      ++one.count;
      one.site = site;
    }
  }
  for (const auto& [key, one] : left)
    Report(key.first, one);
} catch (...) {
}

}  // namespace foothold::check
