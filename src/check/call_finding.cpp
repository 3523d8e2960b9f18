// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/call_finding.h"

#include <utility>

#include "check/call_scope.h"
#include "check/check.h"

namespace foothold::check {

std::optional<Finding> FindingHere(const char* rule, std::string headline) {
  const CallScope* const call = CallScope::Current();
  if (call == nullptr) return std::nullopt;
  auto finding = FindingAt(rule, call->site(), std::move(headline));
  if (finding) finding->now.arguments = call->Arguments();
  return finding;
}

std::optional<Finding> FindingAt(const char* rule, const Site& site, std::string headline) {
  Finding finding;
  finding.rule = Wanted(rule);
  if (finding.rule == nullptr) return std::nullopt;
  finding.headline = std::move(headline);
  finding.now = ActAt(site, {});
  return finding;
}

Act ActAt(const Site& site, std::string does) {
  return {.call = site ? site.call : "", .arguments = {}, .does = std::move(does), .agent = {}, .site = site};
}

Site SiteHere() noexcept {
  const CallScope* const call = CallScope::Current();
  return call == nullptr ? Site{} : call->site();
}

}  // namespace foothold::check
