// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/growth.h"

#include <fmt/format.h>

#include <cstdint>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "base/per_process.h"
#include "check/check.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

constexpr std::uint64_t kFirstReport = 1000;

struct Live {
  std::uint64_t count = 0;
  std::uint64_t next_report = kFirstReport;
};

struct Places {
  std::mutex mutex;  // guards the counts
  std::unordered_map<std::uint64_t, Live> live;

  static Places& Get() {
    static Places* const places = new Places;
    return *places;
  }
  static std::mutex& Mutex() { return Get().mutex; }
};
[[maybe_unused]] const HeldDuringFork<&Places::Mutex> whole_in_children;

std::uint64_t KeyOf(HandleKind kind, const Site& site) {
  return static_cast<std::uint64_t>(kind) << 32 | site.stack;
}

}  // namespace

void CountMade(HandleKind kind, const Site& site) {
  if (!site) return;
  std::uint64_t reached = 0;
  {
    Places& places = Places::Get();
    const std::lock_guard<std::mutex> lock(places.mutex);
    Live& here = places.live[KeyOf(kind, site)];
    if (++here.count < here.next_report) return;
    reached = here.count;
    here.next_report *= 2;
  }
  const Rule* const rule = Wanted("ACL-LEAK-007");
  if (rule == nullptr) return;
  Finding finding;
  finding.rule = rule;
  finding.headline =
      fmt::format("{} objects of one place live ({}s) and become more", reached, HandleKindName(kind));
  finding.now = {.call = site.call,
                 .arguments = {},
                 .does = fmt::format("made the {}th", reached),
                 .agent = {},
                 .site = site};
  finding.key = {{"kind", HandleKindName(kind)}, {"live", fmt::format("{}", reached)}};
  Reporter::Get().ReportLater(std::move(finding));
}

void CountGone(HandleKind kind, const Site& site) {
  if (!site) return;
  Places& places = Places::Get();
  const std::lock_guard<std::mutex> lock(places.mutex);
  const auto found = places.live.find(KeyOf(kind, site));
  if (found != places.live.end() && found->second.count > 0) --found->second.count;
}

}  // namespace foothold::check
