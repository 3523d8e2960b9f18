// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/failed_tasks.h"

#include <fmt/format.h>

#include <string_view>

#include "base/broken_rule.h"
#include "base/error.h"
#include "check/call_finding.h"
#include "check/check.h"
#include "check/history.h"
#include "check/reporter.h"
#include "check/source_sums.h"

namespace foothold::check {
namespace {

// There is no memory to look closer: the program goes on unwatched here.
template <typename Body>
void IfPossible(Body&& body) noexcept {
  try {
    body();
  } catch (...) {
  }
}

// Operators by name have a rule of their own.
const char* RuleOfLostMemory(std::string_view call) {
  if (call.starts_with("RunGraph") || call.starts_with("ExecuteGraph")) return "GE-RUN-001";
  return call.starts_with("aclop") || call.starts_with("aclblas") ? "ACL-OP-001" : "ACL-MEM-002";
}

}  // namespace

void TaskFailed(const StreamName& stream, std::uint32_t task, const std::string& arguments,
                const Error& error) noexcept {
  const BrokenRule broken = TakeBrokenRule();
  IfPossible([&] {
    const DeedPtr deed = DeedOfTask(stream, task);
    if (!deed) return;
    KeepFailure(stream, deed, error.message());
    if (broken.rule == nullptr || std::string_view(broken.rule) != "ACL-MEM-002") return;
    const auto block = FindBlockAt(broken.object);
    // What was freed under a copy of the host's memory is told at the free (ACL-RACE-005).
    if (block && block->freed && block->kind != BlockKind::kDevice && Wanted("ACL-RACE-005") != nullptr)
      return;
    Finding finding;
    finding.rule = Wanted(RuleOfLostMemory(deed->call));
    if (finding.rule == nullptr) return;
    finding.headline = error.message();
    finding.now = {.call = deed->call,
                   .arguments = arguments,
                   .does = "finds its memory gone",
                   .agent = deed->Where(),
                   .task = deed->task,
                   .stream = deed->stream,
                   .how = "queued by",
                   .site = deed->site};
    if (block) finding.objects.push_back(Describe(*block));
    if (block && block->freed)
      finding.before = Act{
          .call = block->freed.call, .arguments = {}, .does = "freed it", .agent = {}, .site = block->freed};
    Reporter::Get().Report(std::move(finding));
  });
}

void StreamEnds(const StreamName& stream, bool failed, std::uint64_t dropped) noexcept {
  IfPossible([&] {
    const auto [deed, message] = CloseStream(stream);
    const Site site = SiteHere();
    Finding finding;
    finding.now = {.call = site ? site.call : "",
                   .arguments = {},
                   .does = fmt::format("ends stream {}", stream.id),
                   .agent = {},
                   .site = site};
    if (failed && deed) {
      finding.rule = Wanted("ACL-STREAM-003");
      finding.headline =
          fmt::format("stream {} ends with a failure nobody has looked at: {}", stream.id, message);
      finding.before = Act{.call = deed->call,
                           .arguments = {},
                           .does = "failed",
                           .agent = deed->Where(),
                           .task = deed->task,
                           .stream = deed->stream,
                           .how = "queued by",
                           .site = deed->site};
    } else if (dropped > 0) {
      finding.rule = Wanted("ACL-STREAM-001");
      finding.headline = fmt::format("stream {} ends with {} task{} that never ran", stream.id, dropped,
                                     dropped == 1 ? "" : "s");
    }
    if (finding.rule != nullptr) Reporter::Get().ReportLater(std::move(finding));
  });
}

}  // namespace foothold::check
