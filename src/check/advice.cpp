// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/advice.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <tuple>

#include "base/per_process.h"
#include "check/call_finding.h"
#include "check/check.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

constexpr std::uint64_t kManyPairs = 1000;  // of an allocation and its free
constexpr std::uint64_t kManyWaits = 100;   // one after the other
constexpr std::uint32_t kMostEvents = 65536;

struct Counts {
  static Counts& Get() { return PerProcess<Counts>::Get(); }

  std::mutex mutex;  // guards both
  std::map<std::tuple<StackId, StackId, std::size_t>, std::uint64_t> pairs;
  std::map<StackId, std::uint64_t> waits;
};

// Nobody has asked for advice: nothing is counted.
bool Asked() {
  return TheSettings().advice;
}

void Say(const char* rule, std::string headline) {
  if (auto finding = FindingHere(rule, std::move(headline))) Reporter::Get().ReportLater(std::move(*finding));
}

std::uint32_t MostStreams(std::string_view soc) {
  if (soc.starts_with("Ascend310P")) return 512;
  return soc.starts_with("Ascend310") ? 1024 : 2048;
}

}  // namespace

void LookAtPageableCopy(std::size_t bytes) noexcept try {
  if (Asked())
    Say("ACL-PERF-001",
        fmt::format("a queued copy of {} bytes from or to pageable memory is waited for in the call", bytes));
} catch (...) {
}

void LookAtDeviceWait() noexcept try {
  if (Asked() && UnknownStreams() == 1)
    Say("ACL-PERF-002", "the whole device is waited for, and only one stream has work");
} catch (...) {
}

void LookAtStreamWait(const StreamName& stream) noexcept try {
  const Site site = SiteHere();
  if (!Asked() || !site) return;
  const bool single = UnknownTasks(stream) == 1;
  {
    Counts& counts = Counts::Get();
    const std::lock_guard<std::mutex> lock(counts.mutex);
    std::uint64_t& count = counts.waits[site.stack];
    count = single ? count + 1 : 0;
    if (count != kManyWaits) return;
  }
  Say("ACL-PERF-004", fmt::format("{} times in a row one task was queued and waited for", kManyWaits));
} catch (...) {
}

void LookAtFree(const Site& made, std::size_t bytes) noexcept try {
  const Site site = SiteHere();
  if (!Asked() || !site || !made) return;
  {
    Counts& counts = Counts::Get();
    const std::lock_guard<std::mutex> lock(counts.mutex);
    if (++counts.pairs[{made.stack, site.stack, bytes}] != kManyPairs) return;
  }
  auto finding = FindingHere("ACL-PERF-003",
                             fmt::format("{} bytes were allocated and freed {} times", bytes, kManyPairs));
  if (!finding) return;
  finding->before = ActAt(made, "allocated them");
  Reporter::Get().ReportLater(std::move(*finding));
} catch (...) {
}

void LookAtStreamCount(std::uint32_t count, std::string_view soc) noexcept try {
  const std::uint32_t most = MostStreams(soc);
  if (Asked() && count == most - most / 8)
    Say("ACL-STREAM-004", fmt::format("{} streams live; devices like {} have {}", count, soc, most));
} catch (...) {
}

void LookAtEventCount(std::uint32_t count) noexcept try {
  if (Asked() && count == kMostEvents - kMostEvents / 8)
    Say("ACL-STREAM-004", fmt::format("{} events live; devices have at most {}", count, kMostEvents));
} catch (...) {
}

}  // namespace foothold::check
