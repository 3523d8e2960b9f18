// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "hccl_ranks.h"
#include "report.h"

namespace bench {
namespace {

struct Flags {
  std::atomic<int> came{0};
};

struct Shared {
  Flags* flags;
  float *from[2], *to[2];
  std::size_t count;
};

float* Map(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return static_cast<float*>(memory);
}

void Meet(const Shared& all, int round) {
  all.flags->came.fetch_add(1);
  for (int i = 0; all.flags->came.load() < 2 * round; ++i)
    if (i > 1000) sched_yield();
}

void AddHalf(const Shared& all, int rank) {
  const std::size_t begin = static_cast<std::size_t>(rank) * all.count / 2, end = begin + all.count / 2;
  const float *const a = all.from[0], *const b = all.from[1];
  float *const x = all.to[0], *const y = all.to[1];
  for (std::size_t i = begin; i < end; ++i)
    x[i] = y[i] = a[i] + b[i];
}

std::vector<double> Run(const Shared& all, int rank, int times) {
  std::vector<double> seconds;
  for (int i = -2, round = 0; i < times; ++i) {
    Meet(all, ++round);
    const double begin = Seconds();
    AddHalf(all, rank);
    Meet(all, ++round);
    if (i >= 0) seconds.push_back(Seconds() - begin);
  }
  return seconds;
}

}  // namespace

double SharedMemoryLimit(std::uint64_t bytes, int times, bool processes) {
  Shared all{
      new (Map(4096)) Flags, {Map(bytes), Map(bytes)}, {Map(bytes), Map(bytes)}, bytes / sizeof(float)};
  std::vector<double> seconds;
  if (processes) {
    const pid_t child = fork();
    if (child == 0) {
      Run(all, 1, times);
      std::_Exit(0);
    }
    seconds = Run(all, 0, times);
    waitpid(child, nullptr, 0);
  } else {
    std::thread other([&] { Run(all, 1, times); });
    seconds = Run(all, 0, times);
    other.join();
  }
  for (float* const memory : {all.from[0], all.from[1], all.to[0], all.to[1]})
    munmap(memory, bytes);
  munmap(all.flags, 4096);
  return Percentile(seconds, 0);
}

}  // namespace bench
