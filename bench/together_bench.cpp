// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// together_bench [results.md]: four different networks at once, each in a thread of its own, beside four
// sessions of ONNX Runtime in four threads. together_bench --child N: the same in this process, sessions with
// N threads each, as lines of "name runs per second peer's" for each network and round.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <thread>

#include "candidate.h"
#include "graph_benches.h"
#include "onnx_runtime.h"
#include "report.h"
#include "zoo_models.h"

namespace bench {
namespace {

constexpr std::array<const char*, 4> kNetworks = {"bert_base_128", "mobilenet_v2", "resnet18",
                                                  "squeezenet1_1"};
constexpr int kRounds = 5;
constexpr double kSeconds = 2;
using Options = std::map<ge::AscendString, ge::AscendString>;
using Counts = std::array<double, kNetworks.size()>;

// Runs per second of each, all at once.
Counts RunTogether(const std::vector<std::function<void()>>& runs) {
  std::atomic<bool> stop{false};
  Counts counts{};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < runs.size(); ++i)
    threads.emplace_back([&, i] {
      const double start = Seconds();
      double count = 0;
      for (; !stop; ++count)
        runs[i]();
      counts[i] = count / (Seconds() - start);
    });
  std::this_thread::sleep_for(std::chrono::duration<double>(kSeconds));
  stop = true;
  for (std::thread& thread : threads)
    thread.join();
  return counts;
}

// A network as both have it.
struct Pair {
  Pair(OnnxRuntime& peer, const std::string& name, int threads)
      : model(peer, ReadFile("build/zoo/" + name + ".onnx"), threads),
        network("build/zoo/" + name + ".onnx") {
    std::vector<PeerTensor> inputs = model.Inputs();
    FillInputs(inputs);
    model.Bind(inputs);
    tensors = ToTensors(inputs);
    network.Run(tensors);
  }
  OnnxRuntime::Model model;
  Network network;
  std::vector<ge::Tensor> tensors;
};

int MeasureHere(int threads) {
  std::string why;
  const auto peer = OnnxRuntime::Load(why);
  if (peer == nullptr) return 1;
  CheckGe(ge::GEInitialize(Options{}));
  {
    std::vector<std::unique_ptr<Pair>> pairs;
    std::vector<std::function<void()>> ours, theirs;
    for (const char* name : kNetworks) {
      Pair& pair = *pairs.emplace_back(std::make_unique<Pair>(*peer, name, threads));
      ours.emplace_back([&pair] { pair.network.Run(pair.tensors); });
      theirs.emplace_back([&pair] { pair.model.Run(); });
    }
    for (int round = 0; round < kRounds; ++round) {
      LetThreadsSleep();
      const Counts mine = RunTogether(ours);
      LetThreadsSleep();
      const Counts peers = RunTogether(theirs);
      for (std::size_t i = 0; i < kNetworks.size(); ++i)
        std::cout << fmt::format("{} {:.3f} {:.3f}\n", kNetworks[i], mine[i], peers[i]) << std::flush;
    }
  }
  CheckGe(ge::GEFinalize());
  return 0;
}

struct Rates {
  std::vector<double> ours, peer;
};
using AllRates = std::map<std::string, Rates>;

AllRates RunChild(int threads) {
  AllRates all;
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return all;
  FILE* child = popen(fmt::format("'{}' --child {}", self, threads).c_str(), "r");
  if (child == nullptr) return all;
  char name[256];
  for (double ours, peer; std::fscanf(child, "%255s %lf %lf", name, &ours, &peer) == 3;) {
    all[name].ours.push_back(ours);
    all[name].peer.push_back(peer);
  }
  pclose(child);
  return all;
}

// The total counts each network by what it could do for itself: the mean of the ratios.
void AddTable(Report& report, const AllRates& all) {
  std::vector<std::vector<std::string>> rows;
  double product = 1;
  for (const auto& [name, rates] : all) {
    const double ours = Percentile(rates.ours, 0.5), peer = Percentile(rates.peer, 0.5);
    product *= ours / peer;
    rows.push_back(
        {name, fmt::format("{:.1f}", ours), fmt::format("{:.1f}", peer), fmt::format("{:.2f}", ours / peer)});
  }
  const double mean = all.empty() ? 0 : std::pow(product, 1.0 / static_cast<double>(all.size()));
  rows.push_back({"geometric mean", "", "", fmt::format("{:.2f}", mean)});
  report.Table({"network", "Foothold, runs/s", "ORT, runs/s", "ratio"}, rows);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--child") == 0) return bench::MeasureHere(std::atoi(argv[2]));
  std::string why;
  if (bench::OnnxRuntime::Load(why) == nullptr || !std::filesystem::exists("build/zoo")) {
    std::cout << (why.empty() ? "make zoo-check makes the networks this benchmark needs" : why) << "\n";
    return 0;
  }
  bench::Report report("Networks at once");
  for (const int threads : {1, 2}) {
    report.Section(
        fmt::format("Four networks, sessions of ONNX Runtime with {} thread{}", threads,
                    threads == 1 ? "" : "s"),
        "Each network is run by a thread of the program as fast as it can, all at the same time; medians "
        "of rounds. Foothold's runs share the threads of the process.");
    bench::AddTable(report, bench::RunChild(threads));
  }
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  return 0;
}
