// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// What a call of aclnn costs by itself: an Add of 16 floats, alone and in a row.
// aclnn_bench [results.md [rounds]]
#include <aclnnop/aclnn_add.h>
#include <fmt/format.h>

#include <cstdlib>

#include "check.h"
#include "report.h"

namespace bench {
namespace {

constexpr std::int64_t kSize = 16;
constexpr int kRow = 1000;

// The tensors of one Add, made once: the cost of descriptions is a row of its own.
class Add {
 public:
  Add() {
    Check(aclrtCreateStream(&stream_));
    for (void*& memory : memory_)
      Check(aclrtMalloc(&memory, kSize * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
    Describe();
  }
  ~Add() {
    Destroy();
    for (void* const memory : memory_)
      aclrtFree(memory);
    aclrtDestroyStream(stream_);
  }
  Add(const Add&) = delete;
  Add& operator=(const Add&) = delete;

  void Describe() {
    for (std::size_t i = 0; i < 3; ++i)
      tensors_[i] = aclCreateTensor(&kSize, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &kSize, 1, memory_[i]);
    float one = 1;
    alpha_ = aclCreateScalar(&one, ACL_FLOAT);
  }
  void Destroy() {
    for (const aclTensor* const tensor : tensors_)
      aclDestroyTensor(tensor);
    aclDestroyScalar(alpha_);
  }
  void Enqueue() {
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    Check(aclnnAddGetWorkspaceSize(tensors_[0], tensors_[1], alpha_, tensors_[2], &size, &executor));
    Check(aclnnAdd(nullptr, size, executor, stream_));
  }
  void Wait() { Check(aclrtSynchronizeStream(stream_)); }

 private:
  aclrtStream stream_ = nullptr;
  void* memory_[3] = {};
  aclTensor* tensors_[3] = {};
  aclScalar* alpha_ = nullptr;
};

// Microseconds of each of so many.
template <typename Run>
double Each(int count, const Run& run) {
  const double start = Seconds();
  run();
  return (Seconds() - start) * 1e6 / count;
}

struct Times {
  std::vector<double> alone, in_a_row, described;
};

void Measure(Add& add, int rounds, Times& times) {
  for (int round = 0; round < rounds; ++round) {
    times.alone.push_back(Each(kRow, [&] {
      for (int i = 0; i < kRow; ++i) {
        add.Enqueue();
        add.Wait();
      }
    }));
    times.in_a_row.push_back(Each(kRow, [&] {
      for (int i = 0; i < kRow; ++i)
        add.Enqueue();
      add.Wait();
    }));
    times.described.push_back(Each(kRow, [&] {
      for (int i = 0; i < kRow; ++i) {
        add.Destroy();
        add.Describe();
        add.Enqueue();
      }
      add.Wait();
    }));
  }
}

std::vector<std::string> Row(const char* name, const std::vector<double>& times) {
  return {name, fmt::format("{:.2f}", Percentile(times, 0)), fmt::format("{:.2f}", Percentile(times, 0.5))};
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Check(aclInit(nullptr));
  bench::Check(aclrtSetDevice(0));
  bench::Times times;
  {
    bench::Add add;
    bench::Measure(add, argc > 2 ? std::atoi(argv[2]) : 200, times);
  }
  bench::Report report("Calls of aclnn");
  report.Section("An Add of 16 floats",
                 "Microseconds of both phases, 1,000 calls in each round; the best round and the median. "
                 "Tensors are made "
                 "once, or for each call as programs do.");
  report.Table({"calls", "best", "median"}, {bench::Row("each waited for", times.alone),
                                             bench::Row("1,000 in a row, then a wait", times.in_a_row),
                                             bench::Row("the same, tensors made for each", times.described)});
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  return 0;
}
