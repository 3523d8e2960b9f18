// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A sub-command of the program `foothold`. Each is one file that holds its class and registers it:
//
//   const RegisterCommand<Version> version("version", "Print the version");
//
// main.cpp finds it there; there is no other list.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>

namespace foothold {

constexpr int kExitUnknown = 2;  // the thing asked for is not known

class Command {
 public:
  virtual ~Command() = default;
  // Declares arguments and options; what they are bound to must live as long as the command.
  virtual void AddOptions(CLI::App&) {}
  // Called after parsing, with the same object. Answers with the exit status.
  virtual int Run(const CLI::App& app) = 0;
  // The exit status for arguments that are wrong.
  virtual int UsageStatus() const { return 1; }
};

struct CommandEntry {
  std::string summary;
  std::unique_ptr<Command> command;
};

// By name, so that help lists them in that order.
std::map<std::string, CommandEntry>& Commands();

template <typename T>
struct RegisterCommand {
  RegisterCommand(const char* name, const char* summary) {
    Commands()[name] = CommandEntry{summary, std::make_unique<T>()};
  }
};

}  // namespace foothold
