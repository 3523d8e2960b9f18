// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/cache_size.h"

#include <unistd.h>

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

}  // namespace

std::size_t SharedCacheBytes() {
  static const std::size_t bytes = Measure();
  return bytes;
}

}  // namespace foothold
