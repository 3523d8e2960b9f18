// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/copy_rules.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

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

// Nothing if the program is not checked for it.
std::optional<Finding> FindingFor(const char* id, std::string headline) {
  const CallScope* const call = CallScope::Current();
  Finding finding;
  finding.rule = Wanted(id);
  if (finding.rule == nullptr || call == nullptr) return std::nullopt;
  finding.headline = std::move(headline);
  finding.now = {
      .call = call->name(), .arguments = call->Arguments(), .does = {}, .agent = {}, .site = call->site()};
  return finding;
}

void ReportNow(Finding finding) {
  const std::string message = finding.headline, id = finding.rule->id;
  if (Reporter::Get().Report(std::move(finding))) Fail(kRtParamInvalid, "{} ({})", message, id);
}

void Report(const AskedCopy& copy, const char* id, std::optional<Severity> severity, std::string headline) {
  auto finding = FindingFor(id, std::move(headline));
  if (!finding) return;
  finding->severity = severity;
  AddMemory(*finding, "dst", copy.dst);
  AddMemory(*finding, "src", copy.src);
  ReportNow(std::move(*finding));
}

bool IsMultiple(const void* address, std::uintptr_t of) {
  return reinterpret_cast<std::uintptr_t>(address) % of == 0;
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
  if (copy.within_devices && (!IsMultiple(copy.dst, 64) || !IsMultiple(copy.src, 64)))
    Report(copy, "ACL-MEM-012", {},
           fmt::format("a copy from {} to {} in device memory; devices need multiples of 64", copy.src,
                       copy.dst));
}

void LookAtClaim(const void* address, std::size_t claimed, std::size_t room) {
  constexpr std::size_t kRounding = 32;  // blocks are rounded up to this
  if (room == 0 || claimed <= room) return;
  auto finding = FindingFor(
      "ACL-MEM-006", fmt::format("{} bytes are claimed, and {} lie behind {}", claimed, room, address));
  if (!finding) return;
  if (claimed - room < kRounding) finding->severity = Severity::kWarning;
  AddMemory(*finding, "memory", address);
  ReportNow(std::move(*finding));
}

void LookAtPort(const void* address) {
  if (IsMultiple(address, 32)) return;
  auto finding = FindingFor(
      "ACL-MEM-012", fmt::format("a tensor of a graph is at {}; devices need multiples of 32", address));
  if (!finding) return;
  AddMemory(*finding, "memory", address);
  ReportNow(std::move(*finding));
}

void PeerTouched(const void* address, int device, int owner) noexcept try {
  auto finding =
      FindingFor("ACL-MEM-013",
                 fmt::format("a task of device {} uses memory of device {} without access", device, owner));
  if (!finding) return;
  AddMemory(*finding, "memory", address);
  Reporter::Get().ReportLater(std::move(*finding));
} catch (...) {  // no memory for a report
}

}  // namespace foothold::check
