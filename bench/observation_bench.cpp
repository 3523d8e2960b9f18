// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// observation_bench [results.md]: what it costs to watch ResNet-50 run: all its outputs to a callback, beside
// memcpy of as many bytes, and a timeline of all its kernels.
#include <acl/acl.h>
#include <acl/acl_dump.h>
#include <acl/acl_prof.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <vector>

#include "check.h"
#include "graph_benches.h"
#include "report.h"
#include "zoo_models.h"

namespace bench {
namespace {

constexpr int kRounds = 20;
constexpr int kTimelineRounds = 100;  // a difference of a few percent takes that many
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

double Once(const std::function<void()>& run) {
  const double start = Seconds();
  run();
  return Seconds() - start;
}

// Every other run is dumped, so that both kinds see the same machine and the same program.
std::string EveryOtherRun() {
  std::string steps = "0";
  for (int i = 2; i <= 2 * kRounds; i += 2)
    steps += "|" + std::to_string(i);
  const std::string directory = std::filesystem::temp_directory_path().string();
  const std::string path = directory + "/foothold_observation_bench.json";
  std::ofstream(path) << fmt::format(
      R"({{"dump": {{"dump_path": "{}", "dump_list": [{{}}], "dump_step": "{}"}}}})", directory, steps);
  return path;
}

void BenchDump(Report& report, const std::filesystem::path& path, const std::vector<ge::Tensor>& inputs) {
  const std::string config = EveryOtherRun();
  Check(acldumpRegCallback(Keep, 0));
  Check(aclmdlInitDump());
  Check(aclmdlSetDump(config.c_str()));
  std::filesystem::remove(config);
  std::size_t bytes = 0;
  double dumped = 1e9, plain = 1e9, copied = 1e9;
  {
    Network network(path);
    for (int i = 0; i < kRounds; ++i) {
      received = 0;
      dumped = std::min(dumped, Once([&] { network.Run(inputs); }));
      bytes = received;
      plain = std::min(plain, Once([&] { network.Run(inputs); }));
      const std::vector<char> source(bytes, 1);
      copied = std::min(copied, Once([&] { std::memcpy(kept.data(), source.data(), bytes); }));
    }
  }
  Check(aclmdlFinalizeDump());
  acldumpUnregCallback();
  const double dump_rate = static_cast<double>(bytes) / (dumped - plain);
  const double copy_rate = static_cast<double>(bytes) / copied;
  report.Section(
      "Dump of ResNet-50 to a callback",
      "All outputs of all operators in one run, kept by the callback; the rate is that of the time a "
      "dumped run takes more than the same program without. Beside it memcpy of as many bytes. The best "
      "of interleaved runs.");
  const auto row = [&](const char* name, double seconds, double rate) {
    return std::vector<std::string>{name, fmt::format("{:.1f}", static_cast<double>(bytes) / 1e6),
                                    fmt::format("{:.2f}", seconds * 1e3), fmt::format("{:.2f}", rate / 1e9),
                                    fmt::format("{:.2f}", rate / copy_rate)};
  };
  report.Table({"", "MB", "ms", "GB/s", "share of memcpy"},
               {row("dump", dumped - plain, dump_rate), row("memcpy", copied, copy_rate)});
}

void BenchTimeline(Report& report, const std::filesystem::path& path, const std::vector<ge::Tensor>& inputs) {
  const std::string directory = std::filesystem::temp_directory_path().string();
  Check(aclprofInit(directory.c_str(), directory.size()));
  uint32_t devices[] = {0};
  aclprofConfig* const config = aclprofCreateConfig(devices, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_TASK_TIME);
  Network network(path);
  network.Run(inputs);
  double off = 1e9, on = 1e9;
  for (int i = 0; i < kTimelineRounds; ++i) {
    off = std::min(off, Once([&] { network.Run(inputs); }));
    Check(aclprofStart(config));
    on = std::min(on, Once([&] { network.Run(inputs); }));
    Check(aclprofStop(config));
  }
  Check(aclprofDestroyConfig(config));
  Check(aclprofFinalize());
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.path().filename().string().rfind(fmt::format("foothold_timeline_{}_", getpid()), 0) == 0)
      std::filesystem::remove(entry.path());
  report.Section("Timeline of ResNet-50", "Runs with and without a recording, by turns; the best of each.");
  report.Table({"off, ms", "on, ms", "more"},
               {{fmt::format("{:.2f}", off * 1e3), fmt::format("{:.2f}", on * 1e3),
                 fmt::format("{:+.1f} %", (on / off - 1) * 100)}});
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
