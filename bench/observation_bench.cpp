// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// observation_bench [results.md]: what it costs to watch ResNet-50 run: all its outputs to a callback, beside
// memcpy of as many bytes, and a timeline of all its kernels.
#include <acl/acl.h>
#include <acl/acl_dump.h>
#include <acl/acl_prof.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iostream>
#include <vector>

#include "check.h"
#include "graph_benches.h"
#include "report.h"
#include "zoo_models.h"

namespace bench {
namespace {

constexpr int kRounds = 15;
using Options = std::map<ge::AscendString, ge::AscendString>;

// A program that keeps what it is given: each piece goes behind the last one.
std::vector<char> kept(256u << 20);
std::size_t received = 0;

int32_t Keep(const acldumpChunk* chunk, int32_t) {
  if (received + chunk->bufLen > kept.size()) return 1;
  std::memcpy(kept.data() + received, chunk->dataBuf, chunk->bufLen);
  received += chunk->bufLen;
  return 0;
}

double Median(const std::function<void()>& run) {
  std::vector<double> times;
  for (int i = 0; i < kRounds; ++i) {
    const double start = Seconds();
    run();
    times.push_back(Seconds() - start);
  }
  return Percentile(times, 0.5);
}

void BenchDump(Report& report, const std::filesystem::path& path, const std::vector<ge::Tensor>& inputs) {
  Check(acldumpRegCallback(Keep, 0));
  Check(aclmdlInitDump());
  double dumped = 0, plain = 0;
  {
    Network network(path);
    network.Run(inputs);
    dumped = Median([&] {
      received = 0;
      network.Run(inputs);
    });
    Check(aclmdlFinalizeDump());
    acldumpUnregCallback();
    plain = Median([&] { network.Run(inputs); });
  }
  std::vector<char> source(received, 1);
  const double copied = Median([&] { std::memcpy(kept.data(), source.data(), source.size()); });
  const double bytes = static_cast<double>(received), dump_rate = bytes / (dumped - plain),
               copy_rate = bytes / copied;
  report.Section(
      "Dump of ResNet-50 to a callback",
      "All outputs of all operators in one run, kept by the callback; the rate is that of the additional "
      "time. Beside it memcpy of as many bytes. Medians.");
  report.Table({"", "MB", "ms", "GB/s", "share of memcpy"},
               {{"dump", fmt::format("{:.1f}", bytes / 1e6), fmt::format("{:.2f}", (dumped - plain) * 1e3),
                 fmt::format("{:.2f}", dump_rate / 1e9), fmt::format("{:.2f}", dump_rate / copy_rate)},
                {"memcpy", fmt::format("{:.1f}", bytes / 1e6), fmt::format("{:.2f}", copied * 1e3),
                 fmt::format("{:.2f}", copy_rate / 1e9), "1.00"}});
}

void BenchTimeline(Report& report, const std::filesystem::path& path, const std::vector<ge::Tensor>& inputs) {
  const std::string directory = std::filesystem::temp_directory_path().string();
  Check(aclprofInit(directory.c_str(), directory.size()));
  uint32_t devices[] = {0};
  aclprofConfig* const config = aclprofCreateConfig(devices, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_TASK_TIME);
  Network network(path);
  network.Run(inputs);
  std::vector<double> off, on;
  for (int i = 0; i < kRounds; ++i) {  // by turns, so that both see the same machine
    double start = Seconds();
    network.Run(inputs);
    off.push_back(Seconds() - start);
    Check(aclprofStart(config));
    start = Seconds();
    network.Run(inputs);
    on.push_back(Seconds() - start);
    Check(aclprofStop(config));
  }
  Check(aclprofDestroyConfig(config));
  Check(aclprofFinalize());
  const double a = Percentile(off, 0.5), b = Percentile(on, 0.5);
  report.Section("Timeline of ResNet-50", "Runs with and without a recording, by turns. Medians.");
  report.Table({"off, ms", "on, ms", "more"},
               {{fmt::format("{:.2f}", a * 1e3), fmt::format("{:.2f}", b * 1e3),
                 fmt::format("{:+.1f} %", (b / a - 1) * 100)}});
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const std::filesystem::path path = "build/zoo/resnet50.onnx";
  if (!std::filesystem::exists(path)) {
    std::cout << "make zoo-check makes the networks this benchmark needs\n";
    return 0;
  }
  bench::Check(aclInit(nullptr));
  bench::Check(aclrtSetDevice(0));
  bench::CheckGe(ge::GEInitialize(bench::Options{}));
  bench::PeerTensor image;
  image.name = "input";
  image.shape = {1, 3, 224, 224};
  std::vector<bench::PeerTensor> inputs = {image};
  bench::FillInputs(inputs);
  const std::vector<ge::Tensor> tensors = bench::ToTensors(inputs);
  bench::Report report("Watching runs");
  bench::BenchDump(report, path, tensors);
  bench::BenchTimeline(report, path, tensors);
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  bench::CheckGe(ge::GEFinalize());
  bench::Check(aclrtResetDevice(0));
  bench::Check(aclFinalize());
  return 0;
}
