// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// load_bench [results.md]: how long the networks of build/zoo take from the file to the first result, and how
// much memory that needs, as offline model, as ONNX file, and in ONNX Runtime. Each in a process of its own.
// load_bench --only NAME...: these networks, to the terminal.
// load_bench --child WAY FILE: such a process; prints milliseconds, the peak of its resident megabytes and
// those it had with the first result.
#include <acl/acl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

#include "load_ways.h"
#include "onnx_runtime.h"
#include "report.h"
#include "zoo_models.h"

namespace bench {
namespace {

constexpr int kRounds = 3;

int RunChild(const std::string& way, const std::string& file) {
  const LoadCost cost = way == "om" ? LoadOffline(file) : way == "onnx" ? LoadOnnx(file) : LoadInPeer(file);
  std::cout << fmt::format("{:.3f} {:.1f} {:.1f}\n", cost.seconds * 1e3, MemoryOf("VmHWM:"), cost.megabytes);
  return 0;
}

struct Cost {
  double milliseconds = 1e9, peak = 1e9, resident = 1e9;
};

void Measure(const std::string& self, const char* way, const std::string& file, Cost& best) {
  FILE* child = popen(fmt::format("FOOTHOLD_THREADS=1 '{}' --child {} '{}'", self, way, file).c_str(), "r");
  if (child == nullptr) return;
  Cost cost;
  if (std::fscanf(child, "%lf %lf %lf", &cost.milliseconds, &cost.peak, &cost.resident) == 3) {
    best.milliseconds = std::min(best.milliseconds, cost.milliseconds);
    best.peak = std::min(best.peak, cost.peak);
    best.resident = std::min(best.resident, cost.resident);
  }
  pclose(child);
}

struct Costs {
  std::string network;
  Cost om, onnx, peer;
};

Costs MeasureModel(const std::string& self, const std::filesystem::path& model) {
  const std::string offline = "build/load_bench.om";
  std::system(fmt::format("'{}' --convert '{}' '{}'", self, model.string(), offline).c_str());
  Costs costs{model.stem().string(), {}, {}, {}};
  for (int round = 0; round < kRounds; ++round) {
    Measure(self, "om", offline, costs.om);
    Measure(self, "peer", model, costs.peer);
    Measure(self, "onnx", model, costs.onnx);
  }
  std::filesystem::remove(offline);
  return costs;
}

using Rows = std::vector<std::vector<std::string>>;

Rows Times(const std::vector<Costs>& all) {
  Rows rows;
  for (const auto& [network, om, onnx, peer] : all)
    rows.push_back({network, fmt::format("{:.1f}", om.milliseconds), fmt::format("{:.1f}", onnx.milliseconds),
                    fmt::format("{:.1f}", peer.milliseconds),
                    fmt::format("{:.2f}", peer.milliseconds / om.milliseconds),
                    fmt::format("{:.2f}", peer.milliseconds / onnx.milliseconds)});
  return rows;
}

Rows Memory(const std::vector<Costs>& all, double Cost::*which) {
  Rows rows;
  for (const auto& [network, om, onnx, peer] : all)
    rows.push_back({network, fmt::format("{:.0f}", om.*which), fmt::format("{:.0f}", onnx.*which),
                    fmt::format("{:.0f}", peer.*which), fmt::format("{:.2f}", om.*which / (peer.*which)),
                    fmt::format("{:.2f}", onnx.*which / (peer.*which))});
  return rows;
}

void AddTables(Report& report, const std::vector<Costs>& all) {
  report.Section("From the file to the first result",
                 "Milliseconds with one thread: an offline model (.om), the ONNX file, and a session of ONNX "
                 "Runtime. The best of rounds by turns, each a process of its own.");
  report.Table({"network", ".om", "ONNX", "ORT", "ORT / .om", "ORT / ONNX"}, Times(all));
  const std::vector<std::string> header = {"network", ".om", "ONNX", "ORT", ".om / ORT", "ONNX / ORT"};
  report.Section(
      "Memory with the first result",
      "Resident megabytes of the same processes, with all that another run needs; less is better.");
  report.Table(header, Memory(all, &Cost::resident));
  report.Section("The peak of memory until then", "Resident megabytes of the same processes.");
  report.Table(header, Memory(all, &Cost::peak));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--child") == 0) return bench::RunChild(argv[2], argv[3]);
  if (argc == 4 && std::strcmp(argv[1], "--convert") == 0) {
    bench::Convert(argv[2], argv[3]);
    return 0;
  }
  std::string why;
  if (bench::OnnxRuntime::Load(why) == nullptr || !std::filesystem::exists("build/zoo")) {
    std::cout << (why.empty() ? "make zoo-check makes the networks this benchmark needs" : why) << "\n";
    return 0;
  }
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return 1;
  const bool only = argc > 2 && std::strcmp(argv[1], "--only") == 0;
  std::vector<bench::Costs> all;
  for (const auto& model : bench::FindModels("build/zoo", {argv + (only ? 2 : argc), argv + argc}))
    all.push_back(bench::MeasureModel(self, model));
  bench::Report report("Loading");
  bench::AddTables(report, all);
  if (only) return 0;
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  return 0;
}
