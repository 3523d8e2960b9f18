// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// check_bench [results.md [rounds [networks]]]: what the checking mode costs. The same work in processes with
// and without it, in turn; `networks` is a folder of make_zoo.py (build/zoo), or tests/zoo/tiny.
#include <aclnn/acl_meta.h>
#include <aclnnop/aclnn_mm.h>
#include <aclnnop/aclnn_relu.h>
#include <fmt/format.h>
#include <ge/ge_api.h>
#include <ge/ge_ir_build.h>
#include <parser/onnx_parser.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_mdl.h"
#include "check.h"
#include "report.h"

namespace bench {
namespace {

struct Work {
  std::string name;
  double target;
  std::function<void(aclrtStream)> run;
  int times;  // of run in one measurement
};

void* Device(std::size_t bytes) {
  void* memory = nullptr;
  Check(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  Check(aclrtMemset(memory, bytes, 0, bytes));
  return memory;
}

void* Pinned(std::size_t bytes) {
  void* memory = nullptr;
  Check(aclrtMallocHost(&memory, bytes));
  std::memset(memory, 1, bytes);
  return memory;
}

Work TinyTasks() {
  void* const block = Device(64);
  return {"a tiny task (64 bytes set)", 5,
          [=](aclrtStream stream) { Check(aclrtMemsetAsync(block, 64, 1, 64, stream)); }, 20000};
}

Work Events() {
  aclrtEvent event = nullptr;
  Check(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  return {"an event recorded and waited for", 5,
          [=](aclrtStream stream) {
            Check(aclrtRecordEvent(event, stream));
            Check(aclrtStreamWaitEvent(stream, event));
          },
          10000};
}

Work Copies(const std::string& name, std::size_t bytes, int times) {
  void* const from = Pinned(bytes);
  void* const to = Device(bytes);
  return {name, 2,
          [=](aclrtStream stream) {
            Check(aclrtMemcpyAsync(to, bytes, from, bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
          },
          times};
}

aclTensor* Matrix(void* memory, std::int64_t rows, std::int64_t columns) {
  const std::int64_t dims[] = {rows, columns}, strides[] = {columns, 1};
  return aclCreateTensor(dims, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, dims, 2, memory);
}

// Layers of a product and a rectifier, one operator at a time.
Work Layers(const std::string& name, double target, std::int64_t rows, std::int64_t width, int times) {
  constexpr int kLayers = 12;
  constexpr std::size_t kWorkspace = 1 << 20;
  void* const memory[2] = {Device(static_cast<std::size_t>(rows * width) * 4),
                           Device(static_cast<std::size_t>(rows * width) * 4)};
  void* const weights = Device(static_cast<std::size_t>(width * width) * 4);
  void* const workspace = Device(kWorkspace);
  return {name, target,
          [=](aclrtStream stream) {
            for (int layer = 0; layer < kLayers; ++layer) {
              aclTensor* const x = Matrix(memory[0], rows, width);
              aclTensor* const w = Matrix(weights, width, width);
              aclTensor* const y = Matrix(memory[1], rows, width);
              std::uint64_t bytes = 0;
              aclOpExecutor* executor = nullptr;
              Check(aclnnMmGetWorkspaceSize(x, w, y, 0, &bytes, &executor));
              Check(aclnnMm(workspace, bytes, executor, stream));
              Check(aclnnReluGetWorkspaceSize(y, x, &bytes, &executor));
              Check(aclnnRelu(workspace, bytes, executor, stream));
              for (const aclTensor* const tensor : {x, w, y})
                aclDestroyTensor(tensor);
            }
          },
          times};
}

using Options = std::map<ge::AscendString, ge::AscendString>;

void CheckGraph(std::uint32_t status) {
  if (status == 0) return;
  std::fprintf(stderr, "error %u: %s\n", status, ge::GEGetErrorMsg().c_str());
  std::exit(1);
}

std::uint32_t LoadNetwork(const std::string& path) {
  ge::Graph graph;
  CheckGraph(ge::aclgrphParseONNX(path.c_str(), Options(), graph));
  ge::ModelBufferData model;
  CheckGraph(ge::aclgrphBuildModel(graph, Options(), model));
  std::uint32_t id = 0;
  Check(aclmdlLoadFromMem(model.data.get(), model.length, &id));
  return id;
}

// Device memory for every port.
struct Ports {
  Ports(std::size_t count, const std::function<std::size_t(std::size_t)>& bytes)
      : set(aclmdlCreateDataset()) {
    for (std::size_t i = 0; i < count; ++i)
      Check(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(Device(bytes(i)), bytes(i))));
  }
  aclmdlDataset* const set;
};

// As make_zoo.py writes them, or as tests have them: in a folder each.
std::vector<std::filesystem::path> NetworksIn(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto inside = entry.path() / "model.onnx";
    if (entry.path().extension() == ".onnx") paths.push_back(entry.path());
    if (std::filesystem::exists(inside)) paths.push_back(inside);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string NameOf(const std::filesystem::path& network) {
  return (network.filename() == "model.onnx" ? network.parent_path() : network).stem().string();
}

// The target depends on how long it runs: 0 until that is known.
Work Network(const std::filesystem::path& path) {
  const std::uint32_t id = LoadNetwork(path.string());
  aclmdlDesc* const about = aclmdlCreateDesc();
  Check(aclmdlGetDesc(about, id));
  const Ports inputs(aclmdlGetNumInputs(about),
                     [&](std::size_t i) { return aclmdlGetInputSizeByIndex(about, i); });
  const Ports outputs(aclmdlGetNumOutputs(about),
                      [&](std::size_t i) { return aclmdlGetOutputSizeByIndex(about, i); });
  return {NameOf(path), 0,
          [=](aclrtStream stream) { Check(aclmdlExecuteAsync(id, inputs.set, outputs.set, stream)); }, 1};
}

std::vector<Work> CallsAndTasks() {
  return {TinyTasks(),
          Events(),
          Copies("a copy of 64 KiB from pinned memory", 64 << 10, 2000),
          Copies("a copy of 16 MiB from pinned memory", 16 << 20, 10),
          Layers("twelve small layers by aclnn (16 x 64)", 2, 16, 64, 100),
          Layers("twelve layers by aclnn (256 x 512)", 1.3, 256, 512, 3)};
}

// Of all threads: what others do on the machine at the same time does not count.
double ProcessorSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double Measure(const Work& work, aclrtStream stream) {
  const double start = ProcessorSeconds();
  for (int i = 0; i < work.times; ++i)
    work.run(stream);
  Check(aclrtSynchronizeStream(stream));
  return (ProcessorSeconds() - start) / work.times;
}

void PrintBest(Work work, aclrtStream stream) {
  const double first = Measure(work, stream);
  if (work.target == 0) work.times = std::max(1, static_cast<int>(0.05 / first));
  double best = Measure(work, stream);
  for (int i = 0; i < 4; ++i)
    best = std::min(best, Measure(work, stream));
  std::printf("%s\t%.12f\n", work.name.c_str(), best);
}

double PeakMegabytes() {
  std::ifstream status("/proc/self/status");
  double kilobytes = 0;
  for (std::string line; std::getline(status, line);)
    if (std::sscanf(line.c_str(), "VmHWM: %lf", &kilobytes) == 1) break;
  return kilobytes / 1024;
}

// In a process of its own: a line for each work.
void PrintMeasured(const char* folder) {
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  Check(aclrtCreateStream(&stream));
  if (folder == nullptr) {
    for (const Work& work : CallsAndTasks())
      PrintBest(work, stream);
  } else {
    Options none;
    CheckGraph(ge::aclgrphBuildInitialize(none));
    for (const auto& path : NetworksIn(folder))
      PrintBest(Network(path), stream);
    std::printf("memory\t%.1f\n", PeakMegabytes());
  }
  std::fflush(stdout);
  _exit(0);  // what is left is not what is measured
}

using Measured = std::map<std::string, std::vector<double>>;

void InOwnProcess(const std::string& variables, const std::string& folder, Measured& measured) {
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return;
  FILE* const child = popen(fmt::format("{} '{}' --measure {}", variables, self, folder).c_str(), "r");
  char name[256];
  for (double one; child != nullptr && std::fscanf(child, "%255[^\t]\t%lf\n", name, &one) == 2;)
    measured[name].push_back(one);
  if (child != nullptr) pclose(child);
}

double Best(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
}

constexpr const char* kModes[] = {"FOOTHOLD_CHECK=0", "FOOTHOLD_CHECK=all", "FOOTHOLD_CHECK=all,pages",
                                  "FOOTHOLD_CHECK=all FOOTHOLD_CHECK_QUARANTINE=0"};

// Rounds of all modes by turns; no more of them than are asked for.
std::vector<Measured> InTurns(int rounds, std::size_t modes, const std::string& folder) {
  std::vector<Measured> measured(modes);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t mode = 0; mode < modes; ++mode)
      InOwnProcess(kModes[mode], folder, measured[mode]);
  return measured;
}

std::string Ratio(const Measured& of, const Measured& to, const std::string& name) {
  const auto a = of.find(name), b = to.find(name);
  if (a == of.end() || b == to.end()) return "-";
  return fmt::format("{:.2f} ({:.2f})", Best(a->second) / Best(b->second),
                     Percentile(a->second, 0.5) / Percentile(b->second, 0.5));
}

void BenchTasks(Report& report, int rounds) {
  const auto measured = InTurns(rounds, 3, "");
  std::vector<std::vector<std::string>> rows;
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  for (const Work& work : CallsAndTasks())
    rows.push_back({work.name, fmt::format("{:.2f}", Best(measured[0].at(work.name)) * 1e6),
                    Ratio(measured[1], measured[0], work.name), Ratio(measured[2], measured[0], work.name),
                    fmt::format("< {}", work.target)});
  report.Section(
      "Calls and tasks",
      "Queued and waited for at the end. Microseconds of processor time each without the mode, and so "
      "many times as much with it: best by best, medians in brackets.");
  report.Table({"work", "off, us", "all", "all,pages", "target of all"}, rows);
}

void BenchNetworks(Report& report, int rounds, const std::string& folder) {
  constexpr double kLong = 5e-3;
  const auto measured = InTurns(rounds, 4, folder);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, seconds] : measured[0])
    if (name != "memory")
      rows.push_back({name, fmt::format("{:.3f}", Best(seconds) * 1e3), Ratio(measured[1], measured[0], name),
                      Best(seconds) > kLong ? "< 1.3" : "< 2"});
  report.Section(
      "Networks",
      "Offline models on a stream. Milliseconds of processor time without the mode, and so many times "
      "as much with it: best by best, medians in brackets.");
  report.Table({"network", "off, ms", "all", "target"}, rows);
  const auto megabytes = [&](std::size_t mode) { return Best(measured[mode].at("memory")); };
  report.Section("Memory", "Of the process at its largest, all those networks loaded.");
  report.Table({"off, MB", "all", "without a quarantine", "target of that"},
               {{fmt::format("{:.0f}", megabytes(0)), fmt::format("{:.2f}", megabytes(1) / megabytes(0)),
                 fmt::format("{:.2f}", megabytes(3) / megabytes(0)), "< 1.3"}});
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--measure") == 0) bench::PrintMeasured(argc > 2 ? argv[2] : nullptr);
  const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;
  const std::string networks = argc > 3                               ? argv[3]
                               : std::filesystem::exists("build/zoo") ? "build/zoo"
                                                                      : "tests/zoo/tiny";
  bench::Report report("The checking mode");
  bench::BenchTasks(report, rounds);
  bench::BenchNetworks(report, rounds, networks);
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
}
