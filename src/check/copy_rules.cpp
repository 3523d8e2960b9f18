// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/copy_rules.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/error.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/history.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

void AddMemory(Finding& finding, const char* label, const void* address) {
  const auto block = FindBlockAt(address);
  Object object = block ? Describe(*block) : Object{"", "memory of the program", {}};
  object.label = label;
  finding.objects.push_back(std::move(object));
}

void Report(const AskedCopy& copy, const char* id, std::optional<Severity> severity, std::string headline) {
  const CallScope* const call = CallScope::Current();
  Finding finding;
  finding.rule = Wanted(id);
  if (finding.rule == nullptr || call == nullptr) return;
  finding.severity = severity;
  finding.headline = std::move(headline);
  const std::string message = finding.headline;
  finding.now = {
      .call = call->name(), .arguments = call->Arguments(), .does = {}, .agent = {}, .site = call->site()};
  AddMemory(finding, "dst", copy.dst);
  AddMemory(finding, "src", copy.src);
  if (Reporter::Get().Report(std::move(finding))) Fail(kRtParamInvalid, "{} ({})", message, id);
}

bool Overlap(const AskedCopy& copy) {
  const auto dst = reinterpret_cast<std::uintptr_t>(copy.dst),
             src = reinterpret_cast<std::uintptr_t>(copy.src);
  return dst != src && dst < src + copy.count && src < dst + copy.count;
}

// It would follow an address behind which nothing is.
void LookAtClosed(const AskedCopy& copy) {
  const bool dst = IsClosedImport(copy.dst);
  if (!dst && !IsClosedImport(copy.src)) return;
  Report(copy, "ACL-MEM-070", {},
         fmt::format("{} is memory of another process that was closed", dst ? "dst" : "src"));
  Fail(kRtParamInvalid, "{} is memory of another process that was closed", dst ? "dst" : "src");
}

}  // namespace

void LookAtCopy(const AskedCopy& copy) {
  LookAtClosed(copy);
  if (copy.dst_room != 0 && copy.dst_max > copy.dst_room)
    Report(copy, "ACL-MEM-005", {},
           fmt::format("destMax is {}, and {} bytes lie behind dst", copy.dst_max, copy.dst_room));
  if (!copy.kind_fits)
    Report(copy, "ACL-MEM-010", copy.queued ? Severity::kError : Severity::kWarning,
           fmt::format("the kind {} does not fit the addresses", copy.kind));
  if (Overlap(copy)) Report(copy, "ACL-MEM-014", {}, "source and destination overlap");
}

}  // namespace foothold::check
