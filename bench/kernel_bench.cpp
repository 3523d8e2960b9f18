// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Kernels of the program: what a launch costs, and a large one beside the same loop on threads.
// kernel_bench [results.md [rounds]]
#include <fmt/format.h>
#include <foothold/kernel.h>

#include <cstdlib>
#include <thread>

#include "check.h"
#include "report.h"

namespace bench {
namespace {

constexpr int kRow = 1000;
constexpr std::int64_t kElements = 16 << 20;

void Empty(const FootholdBlock*, const void*) {}

struct AddArguments {
  const float* x;
  const float* y;
  float* z;
};

void AddPart(const AddArguments& a, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i)
    a.z[i] = a.x[i] + a.y[i];
}

void Add(const FootholdBlock* block, const void* args) {
  AddPart(*static_cast<const AddArguments*>(args), kElements * block->index / block->count,
          kElements * (block->index + 1) / block->count);
}

class Launcher {
 public:
  Launcher() { Check(aclrtCreateStream(&stream_)); }
  ~Launcher() { aclrtDestroyStream(stream_); }
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  static aclrtFuncHandle Function(FootholdKernel kernel) {
    aclrtFuncHandle function = nullptr;
    Check(aclrtGetFuncBySymbol(reinterpret_cast<const void*>(kernel), &function));
    return function;
  }
  void Launch(aclrtFuncHandle function, std::uint32_t blocks, AddArguments& arguments) {
    Check(aclrtLaunchKernelWithHostArgs(function, blocks, stream_, nullptr, &arguments, sizeof arguments,
                                        nullptr, 0));
  }
  void Wait() { Check(aclrtSynchronizeStream(stream_)); }

 private:
  aclrtStream stream_ = nullptr;
};

// Microseconds of each of so many.
template <typename Run>
double Each(int count, const Run& run) {
  const double start = Seconds();
  run();
  return (Seconds() - start) * 1e6 / count;
}

struct Times {
  std::vector<double> alone, in_a_row, add, on_threads;
};

void MeasureEmpty(Launcher& launcher, Times& times) {
  static const aclrtFuncHandle empty = Launcher::Function(Empty);
  AddArguments none{};
  times.alone.push_back(Each(kRow, [&] {
    for (int i = 0; i < kRow; ++i) {
      launcher.Launch(empty, 2, none);
      launcher.Wait();
    }
  }));
  times.in_a_row.push_back(Each(kRow, [&] {
    for (int i = 0; i < kRow; ++i)
      launcher.Launch(empty, 2, none);
    launcher.Wait();
  }));
}

void MeasureAdd(Launcher& launcher, AddArguments arguments, Times& times) {
  static const aclrtFuncHandle add = Launcher::Function(Add);
  const unsigned cores = std::max(std::thread::hardware_concurrency(), 1u);
  times.add.push_back(Each(1, [&] {
    launcher.Launch(add, cores, arguments);
    launcher.Wait();
  }));
  times.on_threads.push_back(Each(1, [&] {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < cores; ++i)
      threads.emplace_back(
          [&, i] { AddPart(arguments, kElements * i / cores, kElements * (i + 1) / cores); });
    for (std::thread& thread : threads)
      thread.join();
  }));
}

std::vector<std::string> Row(const char* name, const std::vector<double>& times, const char* floor,
                             const char* goal) {
  return {name, fmt::format("{:.2f}", Percentile(times, 0)), fmt::format("{:.2f}", Percentile(times, 0.5)),
          floor, goal};
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 100;
  Times times;
  AddArguments arguments{};
  for (void** memory : {const_cast<void**>(reinterpret_cast<const void**>(&arguments.x)),
                        const_cast<void**>(reinterpret_cast<const void**>(&arguments.y)),
                        reinterpret_cast<void**>(&arguments.z)}) {
    Check(aclrtMalloc(memory, kElements * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
    Check(aclrtMemset(*memory, kElements * sizeof(float), 0, kElements * sizeof(float)));
  }
  {
    Launcher launcher;
    for (int round = 0; round < rounds; ++round) {
      MeasureEmpty(launcher, times);
      MeasureAdd(launcher, arguments, times);
    }
  }
  Report report("Kernels of the program");
  report.Section("An empty kernel on 2 blocks",
                 "Microseconds of each of 1,000 launches in a round; the best round and the median.");
  report.Table({"launches", "best", "median", "floor", "goal"},
               {Row("each waited for", times.alone, "3", "1"),
                Row("1,000 in a row, then a wait", times.in_a_row, "3", "1")});
  report.Section("Adding two vectors of 16 M floats",
                 "Microseconds, a block or a thread for each core; threads are started each time.");
  report.Table(
      {"way", "best", "median", "floor", "goal"},
      {Row("kernel", times.add, "", ""),
       Row("std::thread", times.on_threads, "", ""),
       {"threads / kernel", fmt::format("{:.2f}", Percentile(times.on_threads, 0) / Percentile(times.add, 0)),
        fmt::format("{:.2f}", Percentile(times.on_threads, 0.5) / Percentile(times.add, 0.5)), "0.9",
        "1.0"}});
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  Check(aclrtResetDeviceForce(0));
  return aclFinalize();
}
