// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/resolved_finding.h"

#include <fmt/format.h>

namespace foothold::check {
namespace {

std::string WhereOf(const std::vector<Frame>& frames, const Act& act) {
  return frames.empty() ? act.call : frames.front().Name();
}

}  // namespace

std::vector<Frame> ResolvedFinding::BeforeStack() const {
  return finding.before ? StackOf(finding.before->site) : std::vector<Frame>();
}

std::vector<std::pair<std::string, std::string>> ResolvedFinding::Key() const {
  std::vector<std::pair<std::string, std::string>> key{{"rule", finding.rule->id}};
  key.insert(key.end(), finding.key.begin(), finding.key.end());
  key.emplace_back("now", WhereOf(NowStack(), finding.now));
  if (!finding.now.call.empty()) key.emplace_back("call", finding.now.call);
  if (finding.before) key.emplace_back("before", WhereOf(BeforeStack(), *finding.before));
  return key;
}

std::string ResolvedFinding::KeyText() const {
  std::string text;
  for (const auto& [name, value] : Key())
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

ResolvedFinding Resolve(Finding finding) {
  ResolvedFinding found{std::move(finding), {}};
  const auto add = [&](const Site& site) { found.stacks.try_emplace(site.stack, ResolveStack(site.stack)); };
  add(found.finding.now.site);
  if (found.finding.before) add(found.finding.before->site);
  for (const Object& object : found.finding.objects)
    for (const auto& [how, site] : object.history)
      add(site);
  return found;
}

}  // namespace foothold::check
