// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstdio>
#include <exception>

#include "foothold/command.h"

namespace foothold {

std::map<std::string, CommandEntry>& Commands() {
  static std::map<std::string, CommandEntry> commands;
  return commands;
}

namespace {

int UsageStatus(const CLI::App& app) {
  for (const auto& [name, entry] : Commands())
    if (app.got_subcommand(name)) return entry.command->UsageStatus();
  return 1;
}

int Main(int argc, char** argv) {
  CLI::App app("Tools for programs that run on Foothold", "foothold");
  app.require_subcommand(1);
  int status = 0;
  for (auto& [name, entry] : Commands()) {
    CLI::App* const parsed = app.add_subcommand(name, entry.summary);
    entry.command->AddOptions(*parsed);
    parsed->callback([&status, &command = *entry.command, parsed] { status = command.Run(*parsed); });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : UsageStatus(app);
  }
  return status;
}

}  // namespace
}  // namespace foothold

int main(int argc, char** argv) {
  try {
    return foothold::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "foothold: %s\n", error.what());
    return 1;
  }
}
