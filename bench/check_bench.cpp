// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// What the checking mode costs: the same work in processes with and without it, in turn.
#include <aclnn/acl_meta.h>
#include <aclnnop/aclnn_mm.h>
#include <aclnnop/aclnn_relu.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "check.h"
#include "report.h"

namespace bench {
namespace {

struct Work {
  const char* name;
  const char* target;
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
  return {"a tiny task (64 bytes set)", "< 5",
          [=](aclrtStream stream) { Check(aclrtMemsetAsync(block, 64, 1, 64, stream)); }, 20000};
}

Work Events() {
  aclrtEvent event = nullptr;
  Check(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  return {"an event recorded and waited for", "< 5",
          [=](aclrtStream stream) {
            Check(aclrtRecordEvent(event, stream));
            Check(aclrtStreamWaitEvent(stream, event));
          },
          10000};
}

Work Copies(const char* name, std::size_t bytes, int times) {
  void* const from = Pinned(bytes);
  void* const to = Device(bytes);
  return {name, "< 2",
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
Work Layers(const char* name, const char* target, std::int64_t rows, std::int64_t width, int times) {
  constexpr int kLayers = 12;
  void* const memory[2] = {Device(static_cast<std::size_t>(rows * width) * 4),
                           Device(static_cast<std::size_t>(rows * width) * 4)};
  void* const weights = Device(static_cast<std::size_t>(width * width) * 4);
  return {name, target,
          [=](aclrtStream stream) {
            for (int layer = 0; layer < kLayers; ++layer) {
              aclTensor* const x = Matrix(memory[0], rows, width);
              aclTensor* const w = Matrix(weights, width, width);
              aclTensor* const y = Matrix(memory[1], rows, width);
              std::uint64_t bytes = 0;
              aclOpExecutor* executor = nullptr;
              Check(aclnnMmGetWorkspaceSize(x, w, y, 0, &bytes, &executor));
              Check(aclnnMm(nullptr, bytes, executor, stream));
              Check(aclnnReluGetWorkspaceSize(y, x, &bytes, &executor));
              Check(aclnnRelu(nullptr, bytes, executor, stream));
              for (const aclTensor* const tensor : {x, w, y})
                aclDestroyTensor(tensor);
            }
          },
          times};
}

std::vector<Work> AllWork() {
  return {TinyTasks(),
          Events(),
          Copies("a copy of 64 KiB from pinned memory", 64 << 10, 2000),
          Copies("a copy of 16 MiB from pinned memory", 16 << 20, 10),
          Layers("twelve small layers (16 x 64)", "< 2", 16, 64, 100),
          Layers("twelve layers (256 x 512)", "< 1.3", 256, 512, 3)};
}

double Measure(const Work& work, aclrtStream stream) {
  const double start = Seconds();
  for (int i = 0; i < work.times; ++i)
    work.run(stream);
  Check(aclrtSynchronizeStream(stream));
  return (Seconds() - start) / work.times;
}

// In a process of its own: the seconds of each work, a line each.
void PrintMeasured() {
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  Check(aclrtCreateStream(&stream));
  for (const Work& work : AllWork()) {
    Measure(work, stream);
    std::printf("%.12f\n", Measure(work, stream));
  }
  std::fflush(stdout);
  _exit(0);  // what is left is not what is measured
}

std::vector<double> InOwnProcess(const char* groups) {
  char self[4096] = {};
  std::vector<double> seconds;
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return seconds;
  FILE* const child = popen(fmt::format("FOOTHOLD_CHECK={} '{}' --measure", groups, self).c_str(), "r");
  for (double one; child != nullptr && std::fscanf(child, "%lf", &one) == 1;)
    seconds.push_back(one);
  if (child != nullptr) pclose(child);
  return seconds;
}

void Run(Report& report, int rounds) {
  const std::vector<const char*> modes = {"0", "all", "all,pages"};
  std::map<std::string, std::vector<std::vector<double>>> measured;
  for (int round = 0; round < rounds; ++round)
    for (const char* const mode : modes)
      measured[mode].push_back(InOwnProcess(mode));
  const auto median = [&](const char* mode, std::size_t work) {
    std::vector<double> values;
    for (const auto& one : measured[mode])
      if (work < one.size()) values.push_back(one[work]);
    return values.empty() ? 0 : Percentile(values, 0.5);
  };
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  std::vector<std::vector<std::string>> rows;
  const std::vector<Work> works = AllWork();
  for (std::size_t i = 0; i < works.size(); ++i) {
    const double off = median("0", i);
    rows.push_back({works[i].name, fmt::format("{:.2f}", off * 1e6),
                    fmt::format("{:.2f}x", median("all", i) / off),
                    fmt::format("{:.2f}x", median("all,pages", i) / off), works[i].target});
  }
  report.Section(
      "The checking mode",
      "Queued and waited for at the end; microseconds each without the mode, and so many times as much "
      "with it.");
  report.Table({"work", "off, us", "all", "all,pages", "target of all"}, rows);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--measure") == 0) bench::PrintMeasured();
  bench::Report report("The checking mode");
  bench::Run(report, argc > 2 ? std::max(1, std::atoi(argv[2])) : 5);
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
}
