// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>

#include "atc/conversion.h"
#include "atc/flags.h"
#include "atc/operators.h"
#include "model_report/model_report.h"

namespace foothold::atc {
namespace {

constexpr int kExitWrongUse = 1;
constexpr int kExitCannotConvert = 2;

// The library reads its environment when it is loaded, so a level that was asked for needs a fresh start.
void StartWithLog(const std::string& level, char** argv) {
  const char* const now = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
  const bool has_place = std::getenv("ASCEND_SLOG_PRINT_TO_STDOUT") || std::getenv("ASCEND_PROCESS_LOG_PATH");
  if (level.empty() || (now != nullptr && level == now && has_place)) return;
  setenv("ASCEND_GLOBAL_LOG_LEVEL", level.c_str(), 1);
  if (!has_place) setenv("ASCEND_SLOG_PRINT_TO_STDOUT", "1", 1);
  execv("/proc/self/exe", argv);
  throw std::runtime_error("--log: the program cannot start itself again");
}

void Note(const std::vector<std::string>& flags) {
  if (!flags.empty())
    fmt::print(stderr,
               "atc: note: without effect here, since only the original hardware has use for it: --{}\n",
               fmt::join(flags, ", --"));
}

void Show(const Flags& flags) {
  const auto file = OmFile::Open(flags.model);
  if (flags.json.empty()) {
    fmt::print("{}", ReportText(*file));
    return;
  }
  std::ofstream json(flags.json);
  json << ToJson(ReadDescription(*file)) << '\n';
  json.close();
  if (!json) throw std::runtime_error(fmt::format("cannot write {}", flags.json));
}

int Main(int argc, char** argv) try {
  const auto flags = ReadFlags(argc, argv);
  if (!flags) return 0;
  StartWithLog(flags->log, argv);
  Note(flags->without_effect);
  if (flags->mode == Mode::kConvert && !flags->single_op.empty()) {
    ConvertOperators(*flags);
  } else if (flags->mode == Mode::kConvert) {
    Conversion(*flags).Run();
  } else {
    Show(*flags);
  }
  return 0;
} catch (const WrongUse& error) {
  fmt::print(stderr, "atc: {}\n", error.what());
  return kExitWrongUse;
} catch (const std::exception& error) {
  fmt::print(stderr, "atc: {}\n", error.what());
  return kExitCannotConvert;
}

}  // namespace
}  // namespace foothold::atc

int main(int argc, char** argv) {
  return foothold::atc::Main(argc, argv);
}
