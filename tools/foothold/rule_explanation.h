// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What `foothold explain` says of the rules programs are checked for.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "check/rules.h"

namespace foothold {

// The rule somebody asks for, in any case of letters, or null.
const check::Rule* AskedRule(std::string query);
// Whether the question has the form of a rule's id.
bool LooksLikeRule(const std::string& query);

std::string RuleText(const check::Rule& rule);
nlohmann::ordered_json RuleJson(const check::Rule& rule);
// All of them, a line each; a JSON array; the page docs/rules.md.
std::string RuleList();
nlohmann::ordered_json RuleListJson();
std::string RulePage();

}  // namespace foothold
