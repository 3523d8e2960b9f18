// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/growth.h"

#include <fmt/format.h>

#include "check/check.h"
#include "check/reporter.h"

namespace foothold::check {

PlaceCount& PlaceCounts::Of(HandleKind kind, const Site& site) {
  const std::uint64_t key = static_cast<std::uint64_t>(kind) << 32 | site.stack;
  Recent& recent = recent_[(key ^ key >> 32) % recent_.size()];
  if (recent.count == nullptr || recent.key != key) recent = {key, &counts_[key]};
  return *recent.count;
}

void ReportGrowth(HandleKind kind, const Site& site, std::uint64_t live) {
  const Rule* const rule = Wanted("ACL-LEAK-007");
  if (rule == nullptr) return;
  Finding finding;
  finding.rule = rule;
  finding.headline =
      fmt::format("{} objects of one place live ({}s) and become more", live, HandleKindName(kind));
  finding.now = {.call = site.call,
                 .arguments = {},
                 .does = fmt::format("made the {}th", live),
                 .agent = {},
                 .site = site};
  finding.key = {{"kind", HandleKindName(kind)}, {"live", fmt::format("{}", live)}};
  Reporter::Get().ReportLater(std::move(finding));
}

}  // namespace foothold::check
