// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/cache_size.h"

#include <unistd.h>

#include <atomic>
#include <fstream>

namespace foothold {
namespace {

// sysconf adds up all caches of some processors, so the kernel's own table is asked first.
std::size_t FromKernel() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
  std::size_t number = 0;
  char unit = 0;
  if (!(file >> number >> unit)) return 0;
  return number << (unit == 'K' ? 10 : unit == 'M' ? 20 : 0);
}

std::size_t Measure() {
  constexpr std::size_t kGuess = std::size_t{16} << 20;
  if (const std::size_t bytes = FromKernel(); bytes > 0) return bytes;
  const long answer = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return answer > 0 ? static_cast<std::size_t>(answer) : kGuess;
}

std::atomic<std::size_t> known{0};

}  // namespace

// No local static: a fork in the middle of its first use would leave it locked in the child for ever.
std::size_t SharedCacheBytes() {
  std::size_t bytes = known.load(std::memory_order_relaxed);
  if (bytes == 0) known.store(bytes = Measure(), std::memory_order_relaxed);
  return bytes;
}

}  // namespace foothold
