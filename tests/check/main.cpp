// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
//   checked_programs --list             a line for each: name, rules, variables
//   checked_programs <name> broken|mended
//   checked_programs --models <folder>  writes abs.om, gears.om and square.om, for programs in Python
#include <cstring>
#include <fstream>

#include "check/model_fixture.h"

namespace {

void WriteModel(const std::string& path, const ge::ModelBufferData& model) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(model.data.get()), static_cast<std::streamsize>(model.length));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const auto& program : checked::Programs())
      std::printf("%s %s %s\n", program.name, program.rules, program.variables);
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[1], "--models") == 0) {
    WriteModel(std::string(argv[2]) + "/abs.om", checked::BuildModel());
    WriteModel(std::string(argv[2]) + "/gears.om", checked::BuildGears());
    WriteModel(std::string(argv[2]) + "/square.om", checked::BuildModel(checked::SquareGraph()));
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
