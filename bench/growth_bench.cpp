// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// How compile time grows with a graph, and that memory does not grow with runs.
#include <fmt/format.h>
#include <parser/onnx_parser.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

#include "element_graphs.h"
#include "graph_benches.h"
#include "report.h"
#include "resident.h"

namespace bench {
namespace {

void RunMany(ge::Session& session, std::uint32_t graph, int runs, std::int64_t size = 4096) {
  const std::vector<ge::Tensor> inputs = ChainInputs(size);
  std::vector<ge::Tensor> outputs;
  for (int i = 0; i < runs; ++i)
    CheckGe(session.RunGraph(graph, inputs, outputs));
}

void RunInThreads(ge::Session& session, int threads, int runs) {
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i)
    all.emplace_back([&session, i, runs] { RunMany(session, static_cast<std::uint32_t>(i % 4 + 1), runs); });
  for (std::thread& thread : all)
    thread.join();
}

void RunOnce(const std::string& path) {
  ge::Graph graph("large");
  CheckGe(ge::aclgrphParseONNX(path.c_str(), std::map<ge::AscendString, ge::AscendString>{}, graph));
  ge::Session session(std::map<ge::AscendString, ge::AscendString>{});
  CheckGe(session.AddGraph(1, graph));
  RunMany(session, 1, 1, 16);
}

double MeasureModel(const std::string& model) {
  const std::string path = "build/large_model.onnx";
  std::ofstream(path, std::ios::binary) << model;
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const double start = ProcessorSeconds();
    RunOnce(path);
    best = std::min(best, ProcessorSeconds() - start);
  }
  std::remove(path.c_str());
  return best;
}

}  // namespace

void RunCompileBench(Report& report) {
  report.Section("Compiling a chain", "Processor time of AddGraph and CompileGraph, best of three.");
  std::vector<std::vector<std::string>> rows;
  for (int nodes : {1000, 10000, 100000}) {
    double best = 1e9;
    for (int round = 0; round < 3; ++round) {
      const ge::Graph graph = BuildChain(nodes, 16);
      ge::Session session(std::map<ge::AscendString, ge::AscendString>{});
      const double start = ProcessorSeconds();
      CheckGe(session.AddGraph(1, graph));
      CheckGe(session.CompileGraph(1));
      best = std::min(best, ProcessorSeconds() - start);
    }
    rows.push_back({std::to_string(nodes), fmt::format("{:.1f}", best * 1e3),
                    fmt::format("{:.1f}", best / nodes * 1e6)});
  }
  report.Table({"nodes", "ms", "µs per node"}, rows);
}

void RunModelGrowthBench(Report& report) {
  report.Section("Large models",
                 "Processor time from an ONNX file to the first result: parsing, AddGraph, RunGraph, and "
                 "giving all back. A "
                 "chain, and blocks with weights and a shortcut each; best of three.");
  std::vector<std::vector<std::string>> rows;
  for (int nodes : {1000, 10000, 100000}) {
    const double chain = MeasureModel(ChainAsOnnx(nodes, 16)), blocks = MeasureModel(BlocksAsOnnx(nodes, 16));
    rows.push_back({std::to_string(nodes), fmt::format("{:.1f}", chain * 1e3),
                    fmt::format("{:.1f}", chain / nodes * 1e6), fmt::format("{:.1f}", blocks * 1e3),
                    fmt::format("{:.1f}", blocks / nodes * 1e6)});
  }
  report.Table({"nodes", "chain, ms", "µs per node", "blocks, ms", "µs per node"}, rows);
}

void RunMemoryBench(Report& report) {
  report.Section("Resident memory over many runs",
                 "A chain of ten operators on 4,096 floats; four graphs of one session for the threads.");
  ge::Session session(std::map<ge::AscendString, ge::AscendString>{});
  for (std::uint32_t id = 1; id <= 4; ++id)
    CheckGe(session.AddGraph(id, BuildChain(10, 4096)));
  std::vector<std::vector<std::string>> rows;
  const auto measure = [&](const std::string& name, const std::function<void()>& warm_up,
                           const std::function<void()>& work) {
    warm_up();
    const double before = ResidentMegabytes();
    work();
    const double after = ResidentMegabytes();
    rows.push_back({name, fmt::format("{:.1f}", before), fmt::format("{:.1f}", after)});
  };
  measure(
      "10,000 runs one after the other", [&] { RunMany(session, 1, 1000); },
      [&] { RunMany(session, 1, 10000); });
  measure(
      "10,240 runs from 64 threads", [&] { RunInThreads(session, 64, 160); },
      [&] { RunInThreads(session, 64, 160); });
  report.Table({"", "MB after warming up", "MB at the end"}, rows);
}

}  // namespace bench
