// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// graph_bench [results.md [rounds]]
#include <ge/ge_api.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "graph_benches.h"
#include "onnx_runtime.h"
#include "report.h"

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "bench/results.md";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 30;
  std::string why;
  const auto peer = bench::OnnxRuntime::Load(why);
  if (peer == nullptr) std::cout << why << "\n";
  bench::CheckGe(ge::GEInitialize(std::map<ge::AscendString, ge::AscendString>{}));
  bench::Report report("Graphs");
  bench::RunSmallGraphBench(report, peer.get(), rounds);
  bench::RunAsyncBench(report, peer.get(), rounds);
  bench::RunLaunchBench(report, rounds);
  bench::RunCompileBench(report);
  bench::RunModelGrowthBench(report);
  bench::RunMemoryBench(report);
  bench::CheckGe(ge::GEFinalize());
  report.Write(path);
  return 0;
}
