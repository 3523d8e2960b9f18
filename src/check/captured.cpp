// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/captured.h"

#include <fmt/format.h>

#include <mutex>
#include <unordered_map>

#include "base/per_process.h"
#include "check/acts.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/history.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

struct Captured {
  std::mutex mutex;  // guards the sites
  std::unordered_map<const void*, Site> sites;
};

Captured& TheCaptured() {
  return PerProcess<Captured>::Get();
}

void ReportGone(std::uint32_t instance, const BlockRecord& block) {
  const CallScope* const call = CallScope::Current();
  Finding finding;
  finding.rule = Wanted("ACL-MEM-050");
  if (finding.rule == nullptr || call == nullptr) return;
  finding.headline =
      fmt::format("model instance {} is run, and memory it uses was freed since it was captured", instance);
  finding.now = ActOf(*call);
  finding.before =
      Act{.call = block.freed.call, .arguments = {}, .does = "freed it", .agent = {}, .site = block.freed};
  finding.objects.push_back(Describe(block));
  Reporter::Get().Report(std::move(finding));
}

}  // namespace

void TaskCaptured(const void* task) noexcept try {
  const CallScope* const call = CallScope::Current();
  if (call == nullptr) return;
  Captured& captured = TheCaptured();
  const std::lock_guard<std::mutex> lock(captured.mutex);
  captured.sites.insert_or_assign(task, call->site());
} catch (...) {  // no memory: told without a place
}

void TaskForgotten(const void* task) noexcept {
  Captured& captured = TheCaptured();
  const std::lock_guard<std::mutex> lock(captured.mutex);
  captured.sites.erase(task);
}

Site SiteOfCaptured(const void* task) noexcept {
  Captured& captured = TheCaptured();
  const std::lock_guard<std::mutex> lock(captured.mutex);
  const auto found = captured.sites.find(task);
  return found == captured.sites.end() ? Site{} : found->second;
}

void InstanceRuns(std::uint32_t instance, const std::vector<Touch>& touches) noexcept try {
  for (const Touch& touch : touches) {
    const auto block = touch.serial == 0 ? std::nullopt : FindBlock(touch.serial);
    if (block && block->freed) return ReportGone(instance, *block);
  }
} catch (...) {  // no memory to look closer
}

}  // namespace foothold::check
