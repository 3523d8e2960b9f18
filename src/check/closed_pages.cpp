// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/closed_pages.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>

#include "check/check.h"
#include "check/forbidden_memory.h"
#include "check/history.h"
#include "check/order.h"
#include "check/race_reports.h"
#include "check/reporter.h"
#include "check/source_sums.h"

namespace foothold::check {
namespace {

constexpr std::uintptr_t kPage = 4096;

std::atomic<std::uintptr_t> closable_begin{0}, closable_end{0};

std::uintptr_t FirstPage(const Touch& touch) {
  return touch.address / kPage * kPage;
}

std::uintptr_t BehindPages(const Touch& touch) {
  return (touch.end() + kPage - 1) / kPage * kPage;
}

void Protect(const Touch& touch, int protection) {
  mprotect(reinterpret_cast<void*>(FirstPage(touch)), BehindPages(touch) - FirstPage(touch), protection);
}

bool Meet(const Touch& a, const Touch& b) {
  return FirstPage(a) < BehindPages(b) && FirstPage(b) < BehindPages(a);
}

void Report(const Fault& fault, const Access& closed) {
  Finding finding;
  finding.rule = Wanted(closed.touch.write ? "ACL-RACE-002" : "ACL-RACE-004");
  if (finding.rule == nullptr) return;
  const auto block = FindBlock(closed.touch.serial);
  const char* const does = fault.write ? "writes" : "reads";
  finding.headline = fmt::format("host code {} the {} of a queued copy it has not waited for", does,
                                 closed.touch.write ? "target" : "source");
  finding.now = {.call = {},
                 .arguments = {},
                 .does = fmt::format("host code {} byte {}", does, fault.address - (block ? block->base : 0)),
                 .agent = {},
                 .how = "in",
                 .site = fault.site};
  finding.before = ActOfAccess(closed);
  if (block) finding.objects.push_back(Describe(*block));
  finding.key = {{"access", fault.write ? "write" : "read"}};
  Reporter::Get().Report(std::move(finding));
}

Verdict JudgeClosed(const Fault& fault, void*) {
  for (const Access& closed : OpenPagesAt(fault.address)) {
    Report(fault, closed);
    ChangeTold(closed.touch.address, closed.touch.end());
  }
  const auto block = FindBlockAt(reinterpret_cast<const void*>(fault.address));
  return block && !block->freed ? Verdict::kAgain : Verdict::kPassOn;
}

}  // namespace

void ClosedPages::Close(const DeedPtr& deed, std::span<const Touch> touches) {
  for (const Touch& touch : touches) {
    if (!IsClosable(touch.address) || touch.bytes == 0 || Prolong(deed, touch)) continue;
    closed_.push_back({deed, touch});
    Reopen({touch});
  }
}

// A stream that does the same again keeps its pages closed for longer.
bool ClosedPages::Prolong(const DeedPtr& deed, const Touch& touch) {
  for (Access& closed : closed_) {
    const bool same = closed.deed->agent == deed->agent && closed.touch.write == touch.write &&
                      closed.touch.address == touch.address && closed.touch.bytes == touch.bytes;
    if (!same) continue;
    closed.deed = deed;
    return true;
  }
  return false;
}

// As open as those that are still closed let them be.
void ClosedPages::Reopen(const std::vector<Touch>& touches) const {
  for (const Touch& touch : touches) {
    Protect(touch, PROT_READ | PROT_WRITE);
    for (const Access& closed : closed_)
      if (!closed.touch.write && Meet(closed.touch, touch)) Protect(closed.touch, PROT_READ);
    for (const Access& closed : closed_)
      if (closed.touch.write && Meet(closed.touch, touch)) Protect(closed.touch, PROT_NONE);
  }
}

std::vector<Access> ClosedPages::OpenAt(std::uintptr_t address) {
  const Touch met{.address = address, .bytes = 1};
  std::vector<Access> found;
  Open([&](const Access& access) {
    const bool meets = Meet(access.touch, met);
    if (meets) found.push_back(access);
    return meets;
  });
  // One is told: the one that is about the very byte, or else any that shares its page.
  const auto exact = std::find_if(found.begin(), found.end(), [&](const Access& access) {
    return access.touch.address <= address && address < access.touch.end();
  });
  if (exact != found.end()) found = {*exact};
  if (found.size() > 1) found.resize(1);
  return found;
}

void WatchClosablePages(std::uintptr_t begin, std::size_t bytes) noexcept {
  closable_begin.store(begin);
  closable_end.store(begin + bytes);
  Forbid(begin, bytes, &JudgeClosed, nullptr);
}

bool IsClosable(std::uintptr_t address) noexcept {
  return address >= closable_begin.load(std::memory_order_relaxed) &&
         address < closable_end.load(std::memory_order_relaxed);
}

}  // namespace foothold::check
