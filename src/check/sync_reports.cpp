// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/sync_reports.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "check/acts.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/order_state.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

const Rule* RuleOf(SyncFault::Kind kind) {
  switch (kind) {
    case SyncFault::Kind::kResetUnderWait:
      return Wanted("ACL-SYNC-003");
    case SyncFault::Kind::kRecordUnderWait:
      return Wanted("ACL-SYNC-004");
    case SyncFault::Kind::kRecordTwice:
      return Wanted("ACL-SYNC-006");
  }
  return nullptr;
}

std::string HeadlineOf(const SyncFault& fault) {
  const std::string name = fault.use.Name();
  switch (fault.kind) {
    case SyncFault::Kind::kResetUnderWait:
      return fmt::format("{} is reset, and nothing says that {} has passed its wait for it", name,
                         fault.before->Where());
    case SyncFault::Kind::kRecordUnderWait:
      return fmt::format("{} is recorded again, and nothing says that {} has passed its wait for it", name,
                         fault.before->Where());
    case SyncFault::Kind::kRecordTwice:
      return fmt::format("{} is recorded again, and nothing says that a wait has taken the record before",
                         name);
  }
  return name;
}

bool IsWait(const SyncFault& fault) {
  return fault.kind != SyncFault::Kind::kRecordTwice;
}

// A finding about the call of this thread.
bool ReportCall(const char* id, std::optional<Severity> severity, std::string headline) {
  const CallScope* const call = CallScope::Current();
  Finding finding;
  finding.rule = Wanted(id);
  if (finding.rule == nullptr || call == nullptr) return false;
  finding.severity = severity;
  finding.headline = std::move(headline);
  finding.now = ActOf(*call);
  return Reporter::Get().Report(std::move(finding));
}

template <typename Body>
void Quietly(Body&& body) noexcept {
  try {
    body();
  } catch (...) {  // no memory to look closer
  }
}

}  // namespace

bool ReportSync(const SyncFault& fault) {
  Finding finding;
  finding.rule = RuleOf(fault.kind);
  if (finding.rule == nullptr) return false;
  finding.headline = HeadlineOf(fault);
  finding.now = ActOf(*fault.now, "");
  finding.before = ActOf(*fault.before, IsWait(fault) ? "waits for it" : "");
  finding.order = fmt::format("{} does not know that task {} of {} is over", fault.now->Where(),
                              fault.before->task.value_or(0), fault.before->Where());
  return Reporter::Get().Report(std::move(finding));
}

void WaitsForNoRecord(const StreamName& stream, std::uint32_t event, bool extended) {
  if (extended && !TheSettings().advice) return;
  Quietly([&] {
    ReportCall("ACL-SYNC-001", extended ? std::optional(Severity::kAdvice) : std::nullopt,
               fmt::format("stream {} waits for event {}, which is not recorded: it waits for nothing",
                           stream.id, event));
  });
}

void TimesTwoStreams(std::uint32_t start, std::uint32_t end) {
  if (!TheSettings().portability) return;
  Quietly([&] {
    ReportCall(
        "ACL-SYNC-005", Severity::kPortability,
        fmt::format("events {} and {} were recorded in two streams: the time between them means nothing "
                    "on a device",
                    start, end));
  });
}

void EventLookedAt(const void* event) noexcept {
  Quietly([&] { Order::Get().LookAtEvent(event); });
}

void EventWaitsKnown(const void* event) noexcept {
  Quietly([&] { Order::Get().HostLearnWaits(event); });
}

void EventDestroyed(const void* event, std::uint32_t id, bool for_times) noexcept {
  Quietly([&] {
    const DeedPtr record = Order::Get().EndEvent(event);
    const CallScope* const call = CallScope::Current();
    if (!record || for_times || call == nullptr) return;
    Finding finding;
    finding.rule = Wanted("ACL-SYNC-002");
    if (finding.rule == nullptr) return;
    finding.headline = fmt::format("event {} was recorded, and nobody ever asked for it", id);
    finding.now = ActOf(*call);
    finding.before = ActOf(*record, "recorded it");
    Reporter::Get().ReportLater(std::move(finding));
  });
}

void NotifyDestroyed(const void* notify) noexcept {
  Quietly([&] { Order::Get().EndNotify(notify); });
}

void EventGone(const void* event) noexcept {
  Quietly([&] { Order::Get().EndEvent(event); });
}

void NotifyGone(const void* notify) noexcept {
  Quietly([&] { Order::Get().ForgetNotify(notify); });
}

void NotifyCleared(const void* notify) noexcept {
  Quietly([&] { Order::Get().ClearNotify(notify); });
}

}  // namespace foothold::check
