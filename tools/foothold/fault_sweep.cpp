// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/fault_sweep.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <map>
#include <set>
#include <vector>

namespace foothold {
namespace {

// Which allocations of a process stand for all of it: every loop has a first, a next and a last turn.
void AddOfEachPlace(const std::vector<std::string>& places, std::set<std::size_t>& chosen) {
  std::map<std::string, std::vector<std::size_t>> numbers;
  for (std::size_t i = 0; i < places.size(); ++i)
    numbers[places[i]].push_back(i + 1);
  for (const auto& [place, all] : numbers) {
    chosen.insert(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() > 1 ? 2 : 1));
    chosen.insert(all.back());
  }
}

std::set<std::size_t> OfEachPlace(const CheckedRun& watched) {
  std::set<std::size_t> chosen;
  for (const auto& process : watched.allocations)
    AddOfEachPlace(process, chosen);
  return chosen;
}

void Tell(const CheckedRun& run, std::size_t n, bool findings) {
  std::string what;
  if (run.took_too_long)
    what = "no end";
  else if (WIFSIGNALED(run.status))
    what = fmt::format("signal {}", WTERMSIG(run.status));
  else if (findings)
    what = "findings";
  else if (WEXITSTATUS(run.status) == 0)
    what = "status 0, as if nothing had happened,";
  if (!what.empty()) fmt::print(stderr, "foothold check: {} where allocation {} failed\n", what, n);
}

// False: there is no n-th allocation.
bool RunOne(std::size_t n, CheckedRun run, bool findings, FaultSweep& sweep) {
  const bool any = run.injected > 0 && run.cannot_start.empty();
  if (any) {
    Tell(run, n, findings);
    ++sweep.runs;
    sweep.hangs += run.took_too_long;
    sweep.crashes += !run.took_too_long && WIFSIGNALED(run.status);
    sweep.unnoticed += WIFEXITED(run.status) && WEXITSTATUS(run.status) == 0;
  }
  sweep.all.Add(std::move(run));
  return any;
}

}  // namespace

FaultSweep SweepFaults(SweepOver over, const std::function<CheckedRun(const std::string& plan)>& run,
                       const std::function<bool(const CheckedRun&)>& failed) {
  FaultSweep sweep;
  const auto one = [&](std::size_t n) {
    CheckedRun done = run(fmt::format("allocation#{}=oom", n));
    const bool findings = failed(done);
    return RunOne(n, std::move(done), findings, sweep);
  };
  if (over == SweepOver::kAllocations) {
    for (std::size_t n = 1; one(n); ++n) {
    }
    return sweep;
  }
  CheckedRun watched = run("allocation=watch");
  const std::set<std::size_t> chosen = OfEachPlace(watched);
  sweep.all.Add(std::move(watched));
  for (const std::size_t n : chosen)
    if (sweep.all.cannot_start.empty()) one(n);
  return sweep;
}

}  // namespace foothold
