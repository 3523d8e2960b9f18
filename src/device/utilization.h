// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How busy the process keeps the cores its devices stand for, between one look and the next. Any thread.
#pragma once

#include <mutex>

#include "base/clock.h"

namespace foothold {

class Utilization {
 public:
  Utilization();
  // 0 to 100 since the last call, or since this object was made. Calls within a few milliseconds of each
  // other get the same answer: the clocks are too coarse for less.
  int Percent(int cores);

 private:
  std::mutex mutex_;  // guards the three below
  Nanoseconds last_time_;
  Nanoseconds last_cpu_time_;
  int last_percent_ = 0;
};

}  // namespace foothold
