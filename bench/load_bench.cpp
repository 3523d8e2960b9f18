// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// load_bench [results.md]: how long the networks of build/zoo take from the file to the first result, and how
// much memory that needs, as offline model, as ONNX file, and in ONNX Runtime. Each in a process of its own.
// load_bench --child WAY FILE: such a process; prints milliseconds and the peak of its resident megabytes.
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

double PeakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double kilobytes = 0;
    status >> kilobytes;
    return kilobytes / 1024;
  }
  return 0;
}

int RunChild(const std::string& way, const std::string& file) {
  const double seconds = way == "om" ? LoadOffline(file) : way == "onnx" ? LoadOnnx(file) : LoadInPeer(file);
  std::cout << fmt::format("{:.3f} {:.1f}\n", seconds * 1e3, PeakMegabytes());
  return 0;
}

struct Cost {
  double milliseconds = 1e9, megabytes = 1e9;
};

void Measure(const std::string& self, const char* way, const std::string& file, Cost& best) {
  FILE* child = popen(fmt::format("FOOTHOLD_THREADS=1 '{}' --child {} '{}'", self, way, file).c_str(), "r");
  if (child == nullptr) return;
  Cost cost;
  if (std::fscanf(child, "%lf %lf", &cost.milliseconds, &cost.megabytes) == 2) {
    best.milliseconds = std::min(best.milliseconds, cost.milliseconds);
    best.megabytes = std::min(best.megabytes, cost.megabytes);
  }
  pclose(child);
}

std::vector<std::string> MeasureModel(const std::string& self, const std::filesystem::path& model) {
  const std::string offline = "build/load_bench.om";
  std::system(fmt::format("'{}' --convert '{}' '{}'", self, model.string(), offline).c_str());
  Cost om, onnx, peer;
  for (int round = 0; round < kRounds; ++round) {
    Measure(self, "om", offline, om);
    Measure(self, "peer", model, peer);
    Measure(self, "onnx", model, onnx);
  }
  std::filesystem::remove(offline);
  return {model.stem().string(),
          fmt::format("{:.1f}", om.milliseconds),
          fmt::format("{:.1f}", onnx.milliseconds),
          fmt::format("{:.1f}", peer.milliseconds),
          fmt::format("{:.1f}", peer.milliseconds / om.milliseconds),
          fmt::format("{:.0f}", om.megabytes),
          fmt::format("{:.0f}", onnx.megabytes),
          fmt::format("{:.0f}", peer.megabytes)};
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
  bench::Report report("Loading");
  report.Section(
      "From the file to the first result",
      "Milliseconds, and the peak of resident megabytes of the process, with one thread: an offline "
      "model (.om), the ONNX file, and a session of ONNX Runtime. The best of rounds by turns; the "
      "ratio is ONNX Runtime's time to that of the offline model.");
  std::vector<std::vector<std::string>> rows;
  for (const auto& model : bench::FindModels("build/zoo", {}))
    rows.push_back(bench::MeasureModel(self, model));
  report.Table({"network", ".om, ms", "ONNX, ms", "ORT, ms", "ORT / .om", ".om, MB", "ONNX, MB", "ORT, MB"},
               rows);
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  return 0;
}
