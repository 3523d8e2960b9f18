// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A finding whose stacks have names, and the forms it is written in: text for people, one JSON object for
// programs, SARIF for code hosts. Plain functions; any thread.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "check/finding.h"
#include "check/symbols.h"

namespace foothold::check {

struct ResolvedFinding {
  Finding finding;
  std::map<StackId, std::vector<Frame>> stacks;

  const std::vector<Frame>& StackOf(const Site& site) const { return stacks.at(site.stack); }
  const std::vector<Frame>& NowStack() const { return StackOf(finding.now.site); }
  std::vector<Frame> BeforeStack() const;
  // Key and value, in a fixed order: what stays the same when the wording changes. No addresses.
  std::vector<std::pair<std::string, std::string>> Key() const;
  std::string KeyText() const;
};

ResolvedFinding Resolve(Finding finding);

// A block of lines, the last with its end.
std::string TextOf(const ResolvedFinding& found);
// Without an end of line.
std::string JsonOf(const ResolvedFinding& found);

// A whole file of SARIF 2.1.0 from objects that JsonOf has written.
std::string SarifOf(const std::vector<nlohmann::ordered_json>& findings);

}  // namespace foothold::check
