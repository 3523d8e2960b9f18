// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/guards.h"

#include <fmt/format.h>

#include <atomic>
#include <string>

#include "base/clock.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/history.h"
#include "check/order.h"
#include "check/race_reports.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

std::atomic<void (*)()> guard_look{nullptr};
std::atomic<Nanoseconds> next_look{0};
constexpr int kShare = 50;  // one part of so many of the time is spent with looking

std::string PlaceOf(std::ptrdiff_t first, std::size_t size, std::size_t count) {
  if (first < 0)
    return fmt::format("{} bytes in front of a block were written, the first {} before it", count, -first);
  return fmt::format("{} bytes behind the end of a block were written, the first {} behind it", count,
                     static_cast<std::size_t>(first) - size);
}

void AddNow(Finding& finding) {
  const CallScope* const call = CallScope::Current();
  if (call == nullptr) return void(finding.now.does = "found when the program ended");
  finding.now = {
      .call = call->name(), .arguments = {}, .does = "finds it", .agent = {}, .site = call->site()};
}

}  // namespace

BlockCare CareForBlocks() noexcept {
  if (!On()) return {};
  const Settings& settings = TheSettings();
  BlockCare care;
  if (Wanted("ACL-MEM-007") != nullptr) care.guard = settings.guard;
  if (Wanted("ACL-MEM-002") != nullptr) care.quarantine = settings.quarantine;
  care.fills = true;
  care.fresh = care.freed = settings.fill;
  return care;
}

void GuardDamaged(std::uint64_t serial, std::ptrdiff_t first, std::size_t count) noexcept try {
  Finding finding;
  finding.rule = Wanted("ACL-MEM-007");
  const auto block = FindBlock(serial);
  if (finding.rule == nullptr || !block) return;
  finding.headline = PlaceOf(first, block->size, count);
  AddNow(finding);
  if (const auto write = LastWriteOf(serial)) finding.before = ActOfAccess(*write);
  finding.objects.push_back(Describe(*block));
  finding.key = {{"side", first < 0 ? "front" : "behind"}};
  Reporter::Get().ReportLater(std::move(finding));
} catch (...) {  // no memory for a report
}

void SetGuardLook(void (*look)()) noexcept {
  guard_look.store(look);
}

void LookAtGuards() noexcept {
  if (void (*const look)() = guard_look.load()) look();
}

void LookAtGuardsSometimes() noexcept {
  if (guard_look.load(std::memory_order_relaxed) == nullptr) return;
  const Nanoseconds begin = Now();
  Nanoseconds due = next_look.load(std::memory_order_relaxed);
  if (begin < due || !next_look.compare_exchange_strong(due, kForever)) return;
  LookAtGuards();
  next_look.store(begin + kShare * (Now() - begin));
}

}  // namespace foothold::check
