// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// zoo_bench [results.md]: the networks of build/zoo beside ONNX Runtime, with one thread and with two.
// zoo_bench --threads N [network...]: these or all in a process of its own, as lines of "name milliseconds
// peer's".
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>

#include "graph_benches.h"
#include "onnx_runtime.h"
#include "report.h"
#include "zoo_models.h"

namespace bench {
namespace {

constexpr double kSecondsPerModel = 4;
constexpr int kMostRounds = 200;
using Options = std::map<ge::AscendString, ge::AscendString>;

double Once(const std::function<void()>& run) {
  const double start = Seconds();
  run();
  return Seconds() - start;
}

void MeasureModel(OnnxRuntime& peer, const std::filesystem::path& path, int threads) {
  OnnxRuntime::Model model(peer, ReadFile(path), threads);
  std::vector<PeerTensor> inputs = model.Inputs();
  FillInputs(inputs);
  model.Bind(inputs);
  Network network(path);
  const std::vector<ge::Tensor> tensors = ToTensors(inputs);
  std::vector<ge::Tensor> outputs;
  const auto ours = [&] { outputs = network.Run(tensors); };
  ours();
  double best = 1e9, best_of_peer = 1e9;
  const double end = Seconds() + kSecondsPerModel;
  for (int round = 0; round < kMostRounds && (round < 3 || Seconds() < end); ++round) {
    best = std::min(best, Once(ours));
    best_of_peer = std::min(best_of_peer, Once([&] { model.Run(); }));
  }
  std::cout << fmt::format("{} {:.4f} {:.4f}\n", path.stem().string(), best * 1e3, best_of_peer * 1e3)
            << std::flush;
}

int MeasureAll(int threads, const std::vector<std::string>& names) {
  std::string why;
  const auto peer = OnnxRuntime::Load(why);
  if (peer == nullptr) return 1;
  CheckGe(ge::GEInitialize(Options{}));
  for (const auto& path : FindModels("build/zoo", names))
    MeasureModel(*peer, path, threads);
  CheckGe(ge::GEFinalize());
  return 0;
}

struct Times {
  double ours = 0, peer = 0;
};

// By name, then by number of threads.
std::map<std::string, std::array<Times, 2>> RunChildren() {
  std::map<std::string, std::array<Times, 2>> all;
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return all;
  for (int threads : {1, 2}) {
    FILE* child = popen(fmt::format("FOOTHOLD_THREADS={0} '{1}' --threads {0}", threads, self).c_str(), "r");
    if (child == nullptr) return all;
    char name[256];
    for (Times times; std::fscanf(child, "%255s %lf %lf", name, &times.ours, &times.peer) == 3;)
      all[name][static_cast<std::size_t>(threads - 1)] = times;
    pclose(child);
  }
  return all;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc >= 3 && std::strcmp(argv[1], "--threads") == 0)
    return bench::MeasureAll(std::atoi(argv[2]), {argv + 3, argv + argc});
  std::string why;
  if (bench::OnnxRuntime::Load(why) == nullptr || !std::filesystem::exists("build/zoo")) {
    std::cout << (why.empty() ? "make zoo-check makes the networks this benchmark needs" : why) << "\n";
    return 0;
  }
  bench::Report report("Networks");
  report.Section(
      "Batch 1, float",
      "Milliseconds, the best of interleaved runs; the ratio is ONNX Runtime's time to Foothold's.");
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, times] : bench::RunChildren()) {
    std::vector<std::string> row = {name};
    for (const auto& [ours, peer] : times)
      for (const std::string& cell :
           {fmt::format("{:.2f}", ours), fmt::format("{:.2f}", peer), fmt::format("{:.2f}", peer / ours)})
        row.push_back(cell);
    rows.push_back(row);
  }
  report.Table({"network", "1 thread", "ORT", "ratio", "2 threads", "ORT", "ratio"}, rows);
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  return 0;
}
