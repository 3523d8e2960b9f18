// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace foothold::run {

double Percentile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

std::string LatencyTable(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const double total = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  const double mean = total / static_cast<double>(seconds.size());
  return fmt::format(
      "{:>7}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n{:>7}{:>12.3f}{:>12.3f}{:>12.3f}{:>12.3f}{:>12.3f}{:>12.1f}"
      "\n",
      "runs", "min ms", "p50 ms", "p90 ms", "p99 ms", "mean ms", "runs/s", seconds.size(),
      seconds.front() * 1e3, Percentile(seconds, 0.5) * 1e3, Percentile(seconds, 0.9) * 1e3,
      Percentile(seconds, 0.99) * 1e3, mean * 1e3, 1 / mean);
}

}  // namespace foothold::run
