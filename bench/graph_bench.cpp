// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// graph_bench [results.md [rounds]]
// graph_bench --only PART...: of small, async, launch, compile, models and memory, to the terminal.
#include <ge/ge_api.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "graph_benches.h"
#include "onnx_runtime.h"
#include "report.h"

namespace bench {
namespace {

using Part = std::pair<std::string, std::function<void()>>;

std::vector<Part> PartsOf(Report& report, OnnxRuntime* peer, int rounds) {
  return {{"small", [&report, peer, rounds] { RunSmallGraphBench(report, peer, rounds); }},
          {"async", [&report, peer, rounds] { RunAsyncBench(report, peer, rounds); }},
          {"launch", [&report, rounds] { RunLaunchBench(report, rounds); }},
          {"compile", [&report] { RunCompileBench(report); }},
          {"models", [&report] { RunModelGrowthBench(report); }},
          {"memory", [&report] { RunMemoryBench(report); }}};
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const bool only = argc > 2 && std::string(argv[1]) == "--only";
  const std::vector<std::string> wanted(argv + (only ? 2 : argc), argv + argc);
  const char* path = argc > 1 ? argv[1] : "bench/results.md";
  const int rounds = !only && argc > 2 ? std::atoi(argv[2]) : 30;
  std::string why;
  const auto peer = bench::OnnxRuntime::Load(why);
  if (peer == nullptr) std::cout << why << "\n";
  bench::CheckGe(ge::GEInitialize(std::map<ge::AscendString, ge::AscendString>{}));
  bench::Report report("Graphs");
  for (const auto& [name, run] : bench::PartsOf(report, peer.get(), rounds))
    if (!only || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) run();
  bench::CheckGe(ge::GEFinalize());
  if (!only) report.Write(path);
  return 0;
}
