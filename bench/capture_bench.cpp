// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// What capturing tasks and running them again costs, beside queueing them anew.
// capture_bench [results.md [rounds]]
#include <aclnnop/aclnn_add.h>
#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "check.h"
#include "report.h"

namespace bench {
namespace {

constexpr int kTiny = 1000;
constexpr int kMany = 10'000;
constexpr int kCalls = 100;
constexpr std::int64_t kElements = 4096;

using Queue = std::function<void()>;

// Nanoseconds of each of so many tasks.
double Each(int tasks, const Queue& run) {
  const double start = Seconds();
  run();
  return (Seconds() - start) * 1e9 / tasks;
}

struct Row {
  std::string name;
  std::vector<double> anew, again;
};

class Machine {
 public:
  Machine() {
    Check(aclrtCreateStream(&stream_));
    for (void*& memory : memory_)
      Check(aclrtMalloc(&memory, kElements * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
    float one = 1;
    alpha_ = aclCreateScalar(&one, ACL_FLOAT);
    for (std::size_t i = 0; i < 3; ++i) {
      Check(aclrtMemset(memory_[i], kElements * sizeof(float), 0, kElements * sizeof(float)));
      tensors_[i] =
          aclCreateTensor(&kElements, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &kElements, 1, memory_[i]);
    }
  }
  ~Machine() {
    for (const aclTensor* const tensor : tensors_)
      aclDestroyTensor(tensor);
    aclDestroyScalar(alpha_);
    for (void* const memory : memory_)
      aclrtFree(memory);
    aclrtDestroyStream(stream_);
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  void WriteValue() { Check(aclrtValueWrite(memory_[0], 7, 0, stream_)); }
  void Fill() { Check(aclrtMemsetAsync(memory_[0], 64, 1, 64, stream_)); }
  void Copy() {
    Check(aclrtMemcpyAsync(memory_[0], 64, memory_[1], 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  }
  // As programs do: objects for each call, which end with it.
  void DescribeAndAdd() {
    for (std::size_t i = 0; i < 3; ++i) {
      aclDestroyTensor(tensors_[i]);
      tensors_[i] =
          aclCreateTensor(&kElements, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &kElements, 1, memory_[i]);
    }
    aclDestroyScalar(alpha_);
    float one = 1;
    alpha_ = aclCreateScalar(&one, ACL_FLOAT);
    Add();
    std::swap(memory_[0], memory_[2]);
  }
  // The next one reads what this one has written.
  void Add() {
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    Check(aclnnAddGetWorkspaceSize(tensors_[0], tensors_[1], alpha_, tensors_[2], &size, &executor));
    Check(aclnnAdd(nullptr, size, executor, stream_));
    std::swap(tensors_[0], tensors_[2]);
  }
  void Wait() { Check(aclrtSynchronizeStream(stream_)); }
  aclmdlRI Capture(const Queue& queue) {
    aclmdlRI instance = nullptr;
    Check(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
    queue();
    Check(aclmdlRICaptureEnd(stream_, &instance));
    return instance;
  }
  void Run(aclmdlRI instance) {
    Check(aclmdlRIExecuteAsync(instance, stream_));
    Wait();
  }

 private:
  aclrtStream stream_ = nullptr;
  void* memory_[3] = {};
  aclTensor* tensors_[3] = {};
  aclScalar* alpha_ = nullptr;
};

Queue Times(int times, const Queue& queue) {
  return [=] {
    for (int i = 0; i < times; ++i)
      queue();
  };
}

Row MeasureRuns(Machine& machine, const std::string& name, int tasks, int rounds, const Queue& one) {
  Row row{name, {}, {}};
  const Queue all = Times(tasks, one);
  const aclmdlRI instance = machine.Capture(all);
  for (int round = 0; round < rounds; ++round) {
    row.anew.push_back(Each(tasks, [&] {
      all();
      machine.Wait();
    }));
    row.again.push_back(Each(tasks, [&] { machine.Run(instance); }));
  }
  Check(aclmdlRIDestroy(instance));
  return row;
}

std::vector<double> MeasureCapture(Machine& machine, int rounds, const Queue& one) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    aclmdlRI instance = nullptr;
    times.push_back(Each(kMany, [&] { instance = machine.Capture(Times(kMany, one)); }));
    Check(aclmdlRIDestroy(instance));
  }
  return times;
}

std::string Ns(const std::vector<double>& times, double fraction) {
  return fmt::format("{:.0f}", Percentile(times, fraction));
}

std::vector<std::string> Text(const Row& row) {
  return {row.name,           Ns(row.anew, 0),
          Ns(row.anew, 0.5),  Ns(row.again, 0),
          Ns(row.again, 0.5), fmt::format("{:.1f}", Percentile(row.anew, 0.5) / Percentile(row.again, 0.5))};
}

void WriteRuns(Report& report, Machine& machine, int rounds) {
  report.Section(
      "Captured tasks, run again",
      "Nanoseconds per task, from the first call to the end of the synchronisation: queued anew, and "
      "captured once and run again. The best round and the median of each.");
  const Row rows[] = {
      MeasureRuns(machine, "1,000 values written", kTiny, rounds, [&] { machine.WriteValue(); }),
      MeasureRuns(machine, "1,000 fills of 64 bytes", kTiny, rounds, [&] { machine.Fill(); }),
      MeasureRuns(machine, "1,000 copies of 64 bytes", kTiny, rounds, [&] { machine.Copy(); }),
      MeasureRuns(machine, "100 aclnnAdd of 4,096 floats", kCalls, rounds, [&] { machine.DescribeAndAdd(); }),
      MeasureRuns(machine, "the same, tensors kept", kCalls, rounds, [&] { machine.Add(); }),
  };
  std::vector<std::vector<std::string>> text;
  for (const Row& row : rows)
    text.push_back(Text(row));
  report.Table({"tasks", "anew, best", "median", "again, best", "median", "times as fast"}, text);
}

void WriteCaptures(Report& report, Machine& machine, int rounds) {
  report.Section("Capturing 10,000 tasks", "Nanoseconds per task, from the begin of the capture to its end.");
  const auto fills = MeasureCapture(machine, rounds, [&] { machine.Fill(); });
  const auto adds = MeasureCapture(machine, rounds, [&] { machine.Add(); });
  report.Table({"tasks", "best", "median"}, {{"fills of 64 bytes", Ns(fills, 0), Ns(fills, 0.5)},
                                             {"aclnnAdd of 4,096 floats", Ns(adds, 0), Ns(adds, 0.5)}});
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 100;
  bench::Check(aclInit(nullptr));
  bench::Check(aclrtSetDevice(0));
  bench::Report report("Capture and replay");
  {
    bench::Machine machine;
    bench::WriteRuns(report, machine, rounds);
    bench::WriteCaptures(report, machine, rounds);
  }
  bench::Check(aclrtResetDevice(0));
  bench::Check(aclFinalize());
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  return 0;
}
