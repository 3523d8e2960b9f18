// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// What a call of aclnn costs by itself: an Add of 16 floats, alone and in a row.
// aclnn_bench [results.md [rounds]]
#include <aclnnop/aclnn_add.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "aclnn_changing.h"
#include "check.h"

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
  // As frameworks do that find it by a key of all arguments but addresses.
  void EnqueueCached() {
    static const Cache cache;
    std::uint64_t size = 0;
    if (!cache.can_use("aclnnAdd")) std::abort();
    cache.begin();
    for (void* const memory : memory_)
      cache.add(memory);
    cache.set_key(kKey);
    aclOpExecutor* executor = cache.get(kKey, &size);
    if (executor == nullptr)
      Check(aclnnAddGetWorkspaceSize(tensors_[0], tensors_[1], alpha_, tensors_[2], &size, &executor));
    Check(aclnnAdd(nullptr, size, executor, stream_));
    cache.end();
  }
  void Wait() { Check(aclrtSynchronizeStream(stream_)); }

 private:
  static constexpr std::uint64_t kKey = 0x1234567;
  template <typename Function>
  static Function* Named(const char* name) {
    void* const found = dlsym(RTLD_DEFAULT, name);
    if (found == nullptr) std::abort();
    return reinterpret_cast<Function*>(found);
  }
  struct Cache {
    void (*begin)() = Named<void()>("InitPTACacheThreadLocal");
    void (*end)() = Named<void()>("UnInitPTACacheThreadLocal");
    bool (*can_use)(const char*) = Named<bool(const char*)>("CanUsePTACache");
    void (*add)(void*) = Named<void(void*)>("AddTensorAddrToCachedList");
    void (*set_key)(std::uint64_t) = Named<void(std::uint64_t)>("SetPTAHashKey");
    aclOpExecutor* (*get)(std::uint64_t, std::uint64_t*) =
        Named<aclOpExecutor*(std::uint64_t, std::uint64_t*)>("PTAGetExecCache");
  };

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
  std::vector<double> alone, in_a_row, described, cached;
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
    times.cached.push_back(Each(kRow, [&] {
      for (int i = 0; i < kRow; ++i)
        add.EnqueueCached();
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
                                             bench::Row("the same, tensors made for each", times.described),
                                             bench::Row("the same, by cached executors", times.cached)});
  bench::ReportChanging(report);
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  return 0;
}
