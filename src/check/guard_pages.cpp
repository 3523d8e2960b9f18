// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/guard_pages.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include "check/check.h"
#include "check/forbidden_memory.h"
#include "check/history.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

constexpr std::uintptr_t kPage = 4096;

void ReportWrite(const Fault& fault, std::uintptr_t given, const BlockRecord& block) {
  Finding finding;
  finding.rule = Wanted("ACL-MEM-007");
  if (finding.rule == nullptr) return;
  const bool front = given < block.base;
  finding.headline =
      front ? fmt::format("a byte {} in front of a block is written", block.base - given)
            : fmt::format("a byte {} behind the end of a block is written", given - block.base - block.size);
  finding.now = {
      .call = {}, .arguments = {}, .does = "writes it", .agent = {}, .how = "in", .site = fault.site};
  finding.objects.push_back(Describe(block));
  finding.key = {{"side", front ? "front" : "behind"}};
  Reporter::Get().Report(std::move(finding));
}

Verdict JudgeGuard(const Fault& fault, void* about) {
  const std::uintptr_t given = fault.address + reinterpret_cast<std::uintptr_t>(about);
  const auto block = FindBlockNear(reinterpret_cast<const void*>(given), 2 * kPage + TheSettings().guard);
  if (!block) return Verdict::kPassOn;
  ReportWrite(fault, given, *block);
  void* const page = reinterpret_cast<void*>(fault.address / kPage * kPage);
  const bool goes_on = TheSettings().continues && mprotect(page, kPage, PROT_READ | PROT_WRITE) == 0;
  return goes_on ? Verdict::kAgain : Verdict::kPassOn;
}

}  // namespace

void WatchGuardPages(std::uintptr_t begin, std::size_t bytes, std::uintptr_t offset) noexcept {
  Forbid(begin, bytes, &JudgeGuard, reinterpret_cast<void*>(offset));
}

void ForgetGuardPages(std::uintptr_t begin) noexcept {
  Permit(begin);
}

}  // namespace foothold::check
