// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <cstdio>
#include <sstream>

#include "custom_ops/custom_operators.h"
#include "foothold/child_process.h"
#include "foothold/doctor.h"

namespace foothold::doctor {
namespace {

constexpr unsigned kSeconds = 30;
constexpr const char* kVariable = "ASCEND_CUSTOM_OPP_PATH";

// One line for each thing found: "ok ..." or "bad ...". What the library tells itself is left out.
void List() {
  const CustomOperatorReport& report = CustomOperators();
  for (const std::string& problem : report.path_problems)
    fmt::print("bad {}\n", problem);
  for (const CustomFile& file : report.files) {
    if (!file.problem.empty()) fmt::print("bad {}: {}\n", file.path, file.problem);
    if (!file.operators.empty()) fmt::print("ok {} brings {}\n", file.path, fmt::join(file.operators, ", "));
  }
  std::fflush(stdout);
}

}  // namespace

void CheckOperators(const Subject&, Findings& findings) {
  if (Variable(kVariable).empty()) return findings.Fine("none: ASCEND_CUSTOM_OPP_PATH is not set");
  const ChildResult result = RunInChild(&List, kSeconds);
  std::istringstream lines(result.output);
  std::string rest;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("ok ")) {
      findings.Fine(line.substr(3));
    } else if (line.starts_with("bad ")) {
      findings.Bad(line.substr(4), fmt::format("mend it, or take it out of {}", kVariable));
    } else if (!line.starts_with(fmt::format("foothold: {}", kVariable))) {
      rest += (rest.empty() ? "" : "\n        ") + line;
    }
  }
  if (!result.fine) {
    findings.Bad(fmt::format("loading what {} names ends the process: {}", kVariable, rest),
                 fmt::format("mend it, or unset {}", kVariable));
  }
}

}  // namespace foothold::doctor
