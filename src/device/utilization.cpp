// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/utilization.h"

#include <time.h>

#include <algorithm>

namespace foothold {
namespace {

constexpr Nanoseconds kShortestInterval = 5 * kMillisecond;

Nanoseconds CpuTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

}  // namespace

Utilization::Utilization() : last_time_(Now()), last_cpu_time_(CpuTime()) {}

int Utilization::Percent(int cores) {
  std::lock_guard<std::mutex> lock(mutex_);
  const Nanoseconds now = Now();
  const Nanoseconds elapsed = now - last_time_;
  if (elapsed < kShortestInterval) return last_percent_;
  const Nanoseconds cpu = CpuTime();
  last_percent_ =
      static_cast<int>(std::min<Nanoseconds>(100, 100 * (cpu - last_cpu_time_) / (elapsed * cores)));
  last_time_ = now;
  last_cpu_time_ = cpu;
  return last_percent_;
}

}  // namespace foothold
