// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Timelines of several ranks: one clock for all, and who held up whom. One thread at a time.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "trace/timeline.h"

namespace foothold::timeline {

using Track = std::pair<std::int64_t, std::int64_t>;  // streams come after threads, ranks after streams

struct TraceFile {
  nlohmann::json events;
  std::string clock;  // files with the same can be compared as they are; empty: nobody knows
  double offset = 0;  // microseconds to be added to its times
};

// One rank in one collective.
struct RankCall {
  std::string communicator, meeting;
  std::int64_t rank = 0;
  double begin = 0, end = 0;
  Track track;
  std::size_t row = 0;
};
RankCall ReadRankCall(const nlohmann::json& event, const Track& track, double offset);

// Sets the offsets. In a collective nobody goes on before the last has come: what two files tell of the ones
// they met in leaves a range for the distance of their clocks, of which the middle is taken.
void AlignClocks(std::vector<TraceFile>& files);

// Arrows from those who came last, and how long they were waited for.
void AddWaits(Timeline& timeline, const std::vector<RankCall>& calls);
std::string DescribeWaits(const Timeline& timeline);

}  // namespace foothold::timeline
