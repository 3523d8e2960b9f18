// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <ranges>
#include <string>

#include "base/edit_distance.h"
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

// Options of the program itself are left to the parser.
bool Known(const std::string& word) {
  return word.starts_with('-') || Commands().count(word) != 0;
}

std::string Guess(const std::string& word) {
  const std::string_view nearest = NearestName(word, Commands() | std::views::keys, 2);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

std::string List() {
  std::string text = "There are:\n";
  for (const auto& [name, entry] : Commands())
    text += fmt::format("  {:<12}{}\n", name, entry.summary);
  return text;
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
  if (argc > 1 && !Known(argv[1])) {
    fmt::print(stderr, "foothold: there is no command \"{}\"{}\n{}", argv[1], Guess(argv[1]), List());
    return 1;
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
