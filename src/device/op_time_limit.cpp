// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/op_time_limit.h"

#include "device/runtime.h"

namespace foothold {

std::uint64_t SetOpTimeLimit(std::uint64_t microseconds) {
  std::uint64_t limit = kLongestOpTime;
  if (microseconds != 0 && microseconds < kLongestOpTime)
    limit = (microseconds + kOpTimeInterval - 1) / kOpTimeInterval * kOpTimeInterval;
  Runtime::Get().op_execute_timeout.store(limit);
  return limit;
}

std::uint64_t OpTimeLimit() {
  const std::uint64_t limit = Runtime::Get().op_execute_timeout.load();
  return limit == 0 ? kLongestOpTime : limit;
}

}  // namespace foothold
