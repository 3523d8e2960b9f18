// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// zoo_bench [results.md]: the networks of build/zoo beside ONNX Runtime, with one thread, with two, and with
// two of which one has half a core; then those of build/zoo_int8, on integers, and of build/zoo_batch8.
// zoo_bench --threads N [--half-busy] [--folder FOLDER] [NAME...]: all networks of build/zoo or of the
// folder, or those named, in this process, as lines of "name milliseconds peer's", one for each round.
#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <thread>

#include "candidate.h"
#include "graph_benches.h"
#include "onnx_runtime.h"
#include "peer_settings.h"
#include "report.h"
#include "zoo_models.h"

namespace bench {
namespace {

// Neighbours of a virtual machine slow it down for seconds or minutes. Several passes through all networks
// meet more quiet moments than one that stays longer with each.
constexpr double kSecondsPerModel = 3;
constexpr int kMostRounds = 100;
using Options = std::map<ge::AscendString, ge::AscendString>;

// Another program that takes half of the last core, a millisecond at a time, until this process ends.
void TakeHalfACore() {
  std::thread([] {
    cpu_set_t last;
    CPU_ZERO(&last);
    CPU_SET(static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_ONLN) - 1), &last);
    pthread_setaffinity_np(pthread_self(), sizeof last, &last);
    constexpr std::chrono::milliseconds kTurn{1};
    for (;;) {
      const double end = Seconds() + std::chrono::duration<double>(kTurn).count();
      while (Seconds() < end) {
      }
      std::this_thread::sleep_for(kTurn);
    }
  }).detach();
}

// A network, and how it is run.
struct Candidate {
  std::string name;
  Options session_options;
};

void Measure(const std::function<void()>& theirs, const std::filesystem::path& path,
             const Candidate& candidate, const std::vector<PeerTensor>& inputs) {
  Network network(path, candidate.session_options);
  const std::vector<ge::Tensor> tensors = ToTensors(inputs);
  std::vector<ge::Tensor> outputs;
  const auto ours = [&] { outputs = network.Run(tensors); };
  ours();
  const double end = Seconds() + kSecondsPerModel;
  for (int round = 0; round < kMostRounds && (round < 3 || Seconds() < end); ++round) {
    LetThreadsSleep();
    const double mine = BestInARow(ours);
    LetThreadsSleep();
    const double peers = BestInARow(theirs);
    std::cout << fmt::format("{} {:.4f} {:.4f}\n", candidate.name, mine * 1e3, peers * 1e3) << std::flush;
  }
}

// The decoding step reads every weight once, so it is measured with smaller ones too; the peer's are float.
void MeasureModel(OnnxRuntime& peer, const std::filesystem::path& path, int threads) {
  const PeerWay way = FastestWay(peer, path, threads);
  OnnxRuntime::Model model(peer, ReadFile(path), threads, way.settings);
  std::vector<PeerTensor> inputs = model.Inputs();
  FillInputs(inputs);
  model.Bind(inputs);
  const auto theirs = [&] { way.Run(model); };
  const std::string name = path.stem().string();
  Measure(theirs, path, {name, {}}, inputs);
  if (name == "gpt2_step64")
    Measure(theirs, path, {name + "-fp16-weights", {{"ge.exec.precision_mode", "allow_mix_precision_fp16"}}},
            inputs);
}

int MeasureAll(int threads, const std::string& folder, const std::vector<std::string>& names) {
  std::string why;
  const auto peer = OnnxRuntime::Load(why);
  if (peer == nullptr) return 1;
  CheckGe(ge::GEInitialize(Options{}));
  for (const auto& path : FindModels(folder, names))
    MeasureModel(*peer, path, threads);
  CheckGe(ge::GEFinalize());
  return 0;
}

struct Times {
  std::vector<double> ours, peer;
};
struct Way {
  const char* title;
  const char* arguments;
};
constexpr std::array<Way, 3> kWays = {{{"1 thread", "--threads 1"},
                                       {"2 threads", "--threads 2"},
                                       {"one core half busy", "--threads 2 --half-busy"}}};
using AllTimes = std::map<std::string, std::array<Times, kWays.size()>>;

// Networks of one folder, measured in the first `ways` ways.
struct Set {
  const char* folder;
  const char* part;  // of the report
  const char* title;
  const char* text;
  int passes;
  std::size_t ways;
};
constexpr char kRatio[] =
    "Milliseconds, the best of interleaved runs; the ratio is ONNX Runtime's time to Foothold's. ";
constexpr std::array<Set, 3> kSets = {
    {{"build/zoo", "Networks", "Batch 1, float",
      "Half busy: another thread takes every other millisecond of the second core.", 3, 3},
     {"build/zoo_int8", "Integer networks", "Batch 1, 8 bits",
      "Convolutional networks between QuantizeLinear and DequantizeLinear (uint8, weights int8 for each "
      "channel), "
      "BERT with dynamic quantisation. ONNX Runtime has kernels for what the processor multiplies bytes with "
      "(VNNI); Foothold multiplies numbers of 16 bits.",
      3, 2},
     {"build/zoo_batch8", "Networks with batch 8", "Batch 8, float", "", 1, 2}}};

void RunChild(const std::string& program, const Set& set, std::size_t way, AllTimes& all) {
  const std::string command = fmt::format("'{}' {} --folder {}", program, kWays[way].arguments, set.folder);
  FILE* child = popen(command.c_str(), "r");
  if (child == nullptr) return;
  char name[256];
  for (double ours, peer; std::fscanf(child, "%255s %lf %lf", name, &ours, &peer) == 3;) {
    Times& times = all[name][way];
    times.ours.push_back(ours);
    times.peer.push_back(peer);
  }
  pclose(child);
}

AllTimes RunChildren(const Set& set) {
  AllTimes all;
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return all;
  for (int pass = 0; pass < set.passes; ++pass)
    for (std::size_t way = 0; way < set.ways; ++way)
      RunChild(self, set, way, all);
  return all;
}

// The times at `fraction` of all rounds, 0 being the best.
struct Ratio {
  Ratio(const Times& times, double fraction)
      : ours(Percentile(times.ours, fraction)), peer(Percentile(times.peer, fraction)) {}
  double Value() const { return peer / ours; }
  double ours, peer;
};

std::vector<std::string> RowOf(const std::string& name, const Set& set,
                               const std::array<Times, kWays.size()>& ways, double fraction) {
  std::vector<std::string> row = {name};
  for (std::size_t way = 0; way < set.ways; ++way) {
    const Ratio ratio(ways[way], fraction);
    for (double value : {ratio.ours, ratio.peer, ratio.Value()})
      row.push_back(fmt::format("{:.2f}", value));
  }
  return row;
}

std::vector<std::string> MeanRow(const Set& set, const AllTimes& all, double fraction) {
  std::vector<std::string> row = {"geometric mean"};
  for (std::size_t way = 0; way < set.ways; ++way) {
    double sum = 0;
    for (const auto& [name, ways] : all)
      sum += std::log(Ratio(ways[way], fraction).Value());
    row.insert(row.end(), {"", "", fmt::format("{:.2f}", std::exp(sum / static_cast<double>(all.size())))});
  }
  return row;
}

void AddTable(Report& report, const Set& set, const AllTimes& all, double fraction) {
  std::vector<std::string> header = {"network"};
  for (std::size_t way = 0; way < set.ways; ++way)
    header.insert(header.end(), {kWays[way].title, "ORT", "ratio"});
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, ways] : all)
    rows.push_back(RowOf(name, set, ways, fraction));
  rows.push_back(MeanRow(set, all, fraction));
  report.Table(header, rows);
}

// What the peer was told for each network, with one thread and with two.
void AddSettings(Report& report, const Set& set, OnnxRuntime& peer) {
  report.Section(
      "Settings of ONNX Runtime",
      "The fastest it has for each network, found by measuring outputs bound once, parallel "
      "execution, spinning, the memory pattern and the level of optimisations, one after the other; "
      "more than 2 % faster counts. Networks of one name share them.");
  std::vector<std::vector<std::string>> rows;
  for (const auto& network : FindModels(set.folder, {}))
    rows.push_back({network.stem().string(), Describe(FastestWay(peer, network, 1)),
                    Describe(FastestWay(peer, network, 2))});
  report.Table({"network", "1 thread", "2 threads"}, rows);
}

void MeasureSet(const Set& set, OnnxRuntime& peer, const std::string& path) {
  if (!std::filesystem::exists(set.folder)) {
    std::cout << "make zoo-check makes the networks of " << set.folder << "\n";
    return;
  }
  const AllTimes all = RunChildren(set);
  Report report(set.part);
  report.Section(set.title, std::string(kRatio) + set.text);
  AddTable(report, set, all, 0);
  report.Section("The same by medians",
                 "How much these differ from the best shows how quiet the machine was.");
  AddTable(report, set, all, 0.5);
  AddSettings(report, set, peer);
  report.Write(path);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc >= 3 && std::strcmp(argv[1], "--threads") == 0) {
    setenv("FOOTHOLD_THREADS", argv[2], 1);
    int next = 3;
    const bool half_busy = argc > next && std::strcmp(argv[next], "--half-busy") == 0;
    if (half_busy) bench::TakeHalfACore();
    next += half_busy;
    const bool elsewhere = argc > next + 1 && std::strcmp(argv[next], "--folder") == 0;
    const std::string folder = elsewhere ? argv[next + 1] : "build/zoo";
    return bench::MeasureAll(std::atoi(argv[2]), folder, {argv + next + 2 * elsewhere, argv + argc});
  }
  std::string why;
  const auto peer = bench::OnnxRuntime::Load(why);
  if (peer == nullptr) {
    std::cout << why << "\n";
    return 0;
  }
  for (const bench::Set& set : bench::kSets)
    bench::MeasureSet(set, *peer, argc > 1 ? argv[1] : "bench/results.md");
  return 0;
}
