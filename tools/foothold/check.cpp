// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/error.h"
#include "check/html_report.h"
#include "check/resolved_finding.h"
#include "foothold/checked_run.h"
#include "foothold/command.h"
#include "foothold/fault_sweep.h"

namespace foothold {
namespace {

constexpr int kExitNotChecked = 125;  // it could not be started, or did not load the library
constexpr int kSweepLimit = 300;      // seconds; a run may well wait for ever

class Check final : public Command {
 public:
  void AddOptions(CLI::App& app) override;
  int Run(const CLI::App& app) override;
  int UsageStatus() const override { return kExitNotChecked; }

 private:
  using Settings = std::vector<std::pair<std::string, std::string>>;
  Settings Variables() const;
  CheckedRun RunWith(const Settings& more) const;
  CheckedRun RunSeeds() const;
  bool IsSweep() const { return faults_ == "sweep" || faults_ == "sweep:places"; }
  int RunSweep() const;
  int NotStarted(const CheckedRun& run) const;
  bool Failed(const CheckedRun& run) const;
  int Answer(const CheckedRun& run) const;
  void WriteOutputs(const CheckedRun& run) const;
  void PrintSuppressions(const CheckedRun& run) const;

  std::string groups_, on_, leaks_ = "warning", seeds_, faults_;
  int error_exitcode_ = 86, time_limit_ = 0;
  std::vector<std::string> words_, outputs_, suppressions_;
  bool generate_ = false, keep_going_ = false;
};

void Check::AddOptions(CLI::App& app) {
  app.add_option(
      "--groups", groups_,
      "What to look for: all, or a list of memory, race, sync, handle, usage, leak, portability, advice; a "
      "rule with a minus is left out");
  app.add_option("--on", on_, "What a finding does: report, error, abort, break");
  app.add_option("--error-exitcode", error_exitcode_, "The exit status if an error was found")
      ->capture_default_str()
      ->check(CLI::Range(1, 255));
  app.add_option("--leaks", leaks_, "Whether leaks count for the exit status: warning or error")
      ->check(CLI::IsMember({"warning", "error"}));
  app.add_option("--output", outputs_,
                 "A file for all reports; .txt, .json (one object per line), .sarif or .html")
      ->allow_extra_args(false);
  app.add_option("--suppress", suppressions_, "A file of findings not to report")->allow_extra_args(false);
  app.add_flag("--gen-suppressions", generate_, "Print the lines that would suppress what was found");
  app.add_option(
      "--seeds", seeds_,
      "Run once for each schedule of this range (0-9), or list (early,late,7), until an error is found");
  app.add_flag("--keep-going", keep_going_, "With --seeds: run all, whatever is found");
  app.add_option("--faults", faults_,
                 "What is to go wrong (docs/checking.md); sweep: run once for each allocation, which fails; "
                 "sweep:places: for some of each place");
  app.add_option("--time-limit", time_limit_,
                 "Seconds after which a run is ended; 0: none. Of a sweep's runs 300, unless this says less")
      ->check(CLI::NonNegativeNumber);
  app.add_option("program", words_, "The program and its arguments, behind --")->required();
  app.positionals_at_end();
  app.footer("For instance: foothold check --output found.sarif -- ./program arguments");
}

Check::Settings Check::Variables() const {
  const std::string before = GetEnv("FOOTHOLD_CHECK").value_or("");
  const std::string groups = !groups_.empty() ? groups_ : before.empty() || before == "0" ? "all" : before;
  Settings variables = {{"FOOTHOLD_CHECK", groups}};
  if (!on_.empty()) variables.emplace_back("FOOTHOLD_CHECK_ON", on_);
  if (!suppressions_.empty())
    variables.emplace_back("FOOTHOLD_CHECK_SUPPRESS", fmt::format("{}", fmt::join(suppressions_, ",")));
  if (!faults_.empty() && !IsSweep()) variables.emplace_back("FOOTHOLD_FAULTS", faults_);
  return variables;
}

CheckedRun Check::RunWith(const Settings& more) const {
  Settings variables = Variables();
  variables.insert(variables.end(), more.begin(), more.end());
  const bool page = std::any_of(outputs_.begin(), outputs_.end(),
                                [](const std::string& path) { return path.ends_with(".html"); });
  const int limit = time_limit_ == 0 && IsSweep() ? kSweepLimit : time_limit_;
  return RunChecked(words_, variables, page, limit);
}

// "0-9", "early,late,7"
std::vector<std::string> SchedulesOf(const std::string& text) {
  std::vector<std::string> schedules;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    const auto dash = word.find('-');
    const auto first = ParseInt(word.substr(0, dash));
    const auto last = dash == std::string::npos ? first : ParseInt(word.substr(dash + 1));
    if (word == "early" || word == "late") {
      schedules.push_back(word);
    } else if (first && last && *first >= 0 && *first <= *last) {
      for (auto seed = *first; seed <= *last; ++seed)
        schedules.push_back(fmt::format("{}", seed));
    } else {
      Fail(kInvalidParam, "--seeds: \"{}\" is no number, no range, and neither early nor late", word);
    }
  }
  return schedules;
}

CheckedRun Check::RunSeeds() const {
  CheckedRun all;
  std::set<std::string> told;
  for (const std::string& schedule : SchedulesOf(seeds_)) {
    CheckedRun run = RunWith({{"FOOTHOLD_SCHEDULE", schedule}});
    const bool failed = Failed(run);
    all.Add(std::move(run));
    if (!all.cannot_start.empty() || WIFSIGNALED(all.status)) break;
    if (failed && told.insert(schedule).second)
      fmt::print(stderr, "foothold check: repeat with FOOTHOLD_SCHEDULE={} foothold check -- {}\n", schedule,
                 fmt::join(words_, " "));
    if (failed && !keep_going_) break;
  }
  return all;
}

int Check::RunSweep() const {
  const FaultSweep sweep = SweepFaults(
      faults_ == "sweep" ? SweepOver::kAllocations : SweepOver::kPlaces,
      [this](const std::string& plan) {
        return RunWith({{"FOOTHOLD_FAULTS", plan}});
      },
      [this](const CheckedRun& run) { return Failed(run); });
  if (!sweep.all.cannot_start.empty()) return NotStarted(sweep.all);
  WriteOutputs(sweep.all);
  PrintSuppressions(sweep.all);
  fmt::print(stderr,
             "foothold check: {} allocations failed one at a time; {} crashes, {} without an end, {} errors, "
             "{} warnings; {} ended with 0\n",
             sweep.runs, sweep.crashes, sweep.hangs, sweep.all.Count("error"), sweep.all.Count("warning"),
             sweep.unnoticed);
  return sweep.crashes + sweep.hangs > 0 || Failed(sweep.all) ? error_exitcode_ : 0;
}

int Check::NotStarted(const CheckedRun& run) const {
  fmt::print(stderr, "foothold check: '{}' cannot be started: {}\n", words_[0], run.cannot_start);
  return kExitNotChecked;
}

int Check::Run(const CLI::App&) {
  if (const auto before = GetEnv("FOOTHOLD_FAULTS"); faults_.empty() && before) faults_ = *before;
  if (IsSweep()) return RunSweep();
  const CheckedRun run = seeds_.empty() ? RunWith({}) : RunSeeds();
  if (!run.cannot_start.empty()) return NotStarted(run);
  WriteOutputs(run);
  PrintSuppressions(run);
  return Answer(run);
}

bool Check::Failed(const CheckedRun& run) const {
  if (run.Count("error") > 0) return true;
  if (leaks_ != "error") return false;
  return std::any_of(run.findings.begin(), run.findings.end(),
                     [](const auto& finding) { return finding.value("group", "") == "leak"; });
}

int Check::Answer(const CheckedRun& run) const {
  if (run.took_too_long) {
    fmt::print(stderr, "foothold check: the program was ended after {} seconds\n", time_limit_);
    return error_exitcode_;
  }
  if (WIFSIGNALED(run.status)) {
    fmt::print(stderr, "foothold check: the program was ended by signal {}\n", WTERMSIG(run.status));
    std::signal(WTERMSIG(run.status), SIG_DFL);
    raise(WTERMSIG(run.status));
    return 128 + WTERMSIG(run.status);
  }
  if (run.processes == 0) {
    fmt::print(stderr,
               "foothold check: the program did not load Foothold's library, so nothing was checked; "
               "foothold doctor "
               "shows which one it would load\n");
    return kExitNotChecked;
  }
  if (!Failed(run)) return WEXITSTATUS(run.status);
  const std::size_t errors = run.Count("error"), warnings = run.Count("warning");
  fmt::print(
      stderr,
      "foothold check: {} error{} and {} warning{} in {} process{}; the program itself ended with {}\n",
      errors, errors == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s", run.processes,
      run.processes == 1 ? "" : "es", WEXITSTATUS(run.status));
  return error_exitcode_;
}

void Check::WriteOutputs(const CheckedRun& run) const {
  for (const std::string& path : outputs_) {
    std::string text = run.text;
    if (path.ends_with(".sarif")) text = check::SarifOf(run.findings);
    if (path.ends_with(".html")) text = check::HtmlPage(run.sections);
    if (path.ends_with(".json")) {
      text.clear();
      for (const auto& finding : run.findings)
        text += finding.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    }
    std::ofstream file(path);
    file << text;
    if (!file.flush()) Fail(kInvalidFile, "the reports cannot be written to '{}'", path);
  }
}

void Check::PrintSuppressions(const CheckedRun& run) const {
  if (!generate_) return;
  std::set<std::string> lines;
  for (const auto& finding : run.findings)
    lines.insert(finding.value("suppression", ""));
  for (const std::string& line : lines)
    fmt::print("{}\n", line);
}

const RegisterCommand<Check> check_command("check",
                                           "Run a program and report the rules of the API it breaks");

}  // namespace
}  // namespace foothold
