// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/queuing_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "base/per_process.h"
#include "base/thread_id.h"
#include "check/call_finding.h"
#include "check/check.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

struct Queuing {
  const void* stream;
  std::uint32_t thread;
  Site site;
};

class AllQueuing {
 public:
  static AllQueuing& Get() { return PerProcess<AllQueuing>::Get(); }

  // Answers where another thread does the same.
  std::optional<Site> Add(const Queuing& one) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto other = std::find_if(all_.begin(), all_.end(), [&](const Queuing& known) {
      return known.stream == one.stream && known.thread != one.thread;
    });
    const std::optional<Site> site = other == all_.end() ? std::nullopt : std::optional<Site>(other->site);
    all_.push_back(one);
    return site;
  }
  void Remove(const void* stream, std::uint32_t thread) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const Queuing& known) {
      return known.stream == stream && known.thread == thread;
    });
    if (found != all_.end()) all_.erase(found);
  }

 private:
  std::mutex mutex_;  // guards the next one
  std::vector<Queuing> all_;
};

}  // namespace

void QueuingOperator::Begin(int id) noexcept try {
  if (Wanted("ACL-RACE-009") == nullptr) return;
  const auto other = AllQueuing::Get().Add({stream_, KernelThreadId(), SiteHere()});
  begun_ = true;
  if (!other) return;
  auto finding = FindingHere("ACL-RACE-009",
                             fmt::format("two threads queue operators on stream {} at the same time", id));
  if (!finding) return;
  finding->before = ActAt(*other, "has not returned");
  Reporter::Get().ReportLater(std::move(*finding));
} catch (...) {  // no memory: not looked at
}

void QueuingOperator::End() noexcept {
  AllQueuing::Get().Remove(stream_, KernelThreadId());
}

}  // namespace foothold::check
