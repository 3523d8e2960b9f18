// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/callback_rules.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string_view>

#include "check/acts.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/order_state.h"
#include "check/reporter.h"
#include "check/symbols.h"

namespace foothold::check {
namespace {

constexpr std::uint64_t kLargestThreadNumber = 1 << 22;

// What the documents forbid inside of callbacks.
bool IsForbidden(std::string_view call) {
  for (const std::string_view begin :
       {"aclrtMalloc", "aclrtFree", "aclrtSynchronize", "aclrtLaunch", "aclrtStreamAbort",
        "aclrtDeviceTaskAbort", "aclrtCreate", "aclrtDestroy"})
    if (call.starts_with(begin)) return true;
  return false;
}

bool IsThreadOfProcess(std::uint64_t number) {
  const std::string path = fmt::format("/proc/self/task/{}", number);
  return number != 0 && number < kLargestThreadNumber && access(path.c_str(), F_OK) == 0;
}

template <typename Body>
void Quietly(Body&& body) noexcept {
  try {
    body();
  } catch (...) {  // no memory to look closer
  }
}

}  // namespace

void FunctionWasLong(const StreamName& stream, const void* function, Nanoseconds time) noexcept {
  Quietly([&] {
    Finding finding;
    finding.rule = Wanted("ACL-CB-004");
    const DeedPtr deed = Order::Get().Running(stream);
    if (finding.rule == nullptr || !deed) return;
    finding.headline = fmt::format("the function {} held up stream {} for {:.1f} s", NameOfFunction(function),
                                   stream.id, static_cast<double>(time) / kSecond);
    finding.now = ActOf(*deed, "called it");
    Reporter::Get().Report(std::move(finding));
  });
}

void CalledInFunction(const CallScope& call) noexcept {
  Quietly([&] {
    if (!IsForbidden(call.name())) return;
    Finding finding;
    finding.rule = Wanted("ACL-CB-005");
    if (finding.rule == nullptr) return;
    finding.headline = fmt::format("{} is called inside a callback or host function", call.name());
    finding.now = ActOf(call);
    Reporter::Get().Report(std::move(finding));
  });
}

void FunctionLaunched(const StreamName& stream) noexcept {
  Quietly([&] {
    Finding finding;
    finding.rule = Wanted("ACL-CB-006");
    if (finding.rule == nullptr) return;
    const auto [callback, function] = Order::Get().FirstBy(stream);
    if (!callback || !function) return;
    const bool callback_first = callback->sequence < function->sequence;
    finding.headline = fmt::format(
        "stream {} gets both callbacks (aclrtLaunchCallback) and host functions "
        "(aclrtLaunchHostFunc)",
        stream.id);
    finding.now = ActOf(callback_first ? *function : *callback, "");
    finding.before = ActOf(callback_first ? *callback : *function, "");
    Reporter::Get().Report(std::move(finding));
  });
}

void ThreadSubscribed(std::uint64_t thread) noexcept {
  Quietly([&] {
    const CallScope* const call = CallScope::Current();
    Finding finding;
    finding.rule = Wanted("ACL-CB-007");
    if (finding.rule == nullptr || call == nullptr || !IsThreadOfProcess(thread)) return;
    finding.headline = fmt::format(
        "{} is the number the kernel knows a thread by (gettid), not its pthread_t: nobody will execute the "
        "callbacks",
        thread);
    finding.now = ActOf(*call);
    Reporter::Get().Report(std::move(finding));
  });
}

void ThreadUnsubscribes(const StreamName& stream, const char* launch, std::uint64_t letters) noexcept {
  Quietly([&] {
    const CallScope* const call = CallScope::Current();
    const auto pending = Order::Get().PendingBy(stream, launch);
    Finding finding;
    finding.rule = Wanted("ACL-CB-008");
    const std::uint64_t left = pending.size() + letters;
    if (finding.rule == nullptr || call == nullptr || left == 0) return;
    finding.headline = fmt::format("stream {} loses its thread with {} callback{} that ha{} not run",
                                   stream.id, left, left == 1 ? "" : "s", left == 1 ? "s" : "ve");
    finding.now = ActOf(*call);
    if (!pending.empty()) finding.before = ActOf(*pending.front(), "will fail");
    Reporter::Get().Report(std::move(finding));
  });
}

}  // namespace foothold::check
