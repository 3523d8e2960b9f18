// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
//   checked_programs --list             a line for each: name, rules, variables
//   checked_programs <name> broken|mended
#include <cstring>

#include "check/program.h"

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const auto& program : checked::Programs())
      std::printf("%s %s %s\n", program.name, program.rules, program.variables);
    return 0;
  }
  for (const auto& program : checked::Programs()) {
    if (argc != 3 || std::strcmp(argv[1], program.name) != 0) continue;
    program.run(std::strcmp(argv[2], "broken") == 0);
    return 0;
  }
  std::fprintf(stderr, "usage: checked_programs --list | <name> broken|mended\n");
  return 2;
}
