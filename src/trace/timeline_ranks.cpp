// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "trace/timeline_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "trace/timeline_style.h"

namespace foothold::timeline {
namespace {

using Json = nlohmann::json;
using MeetingKey = std::pair<std::string, std::string>;
using Meetings = std::map<MeetingKey, std::vector<RankCall>>;

constexpr std::size_t kMostWaitsTold = 12;

Meetings MeetingsOf(const std::vector<RankCall>& calls) {
  Meetings meetings;
  for (const RankCall& call : calls)
    meetings[{call.communicator, call.meeting}].push_back(call);
  return meetings;
}

Meetings MeetingsOf(const TraceFile& file) {
  std::vector<RankCall> calls;
  for (const Json& event : file.events)
    if (event.at("ph") == "X" && event.at("cat") == "collective")
      calls.push_back(ReadRankCall(event, {}, file.offset));
  return MeetingsOf(calls);
}

// What has to be added to the times of `other` so that nobody goes on too early.
double DistanceOf(const Meetings& known, const Meetings& other) {
  double least = -std::numeric_limits<double>::infinity(), most = -least;
  for (const auto& [key, calls] : other) {
    const auto met = known.find(key);
    if (met == known.end()) continue;
    for (const RankCall& a : met->second) {
      for (const RankCall& b : calls) {
        least = std::max(least, a.begin - b.end);
        most = std::min(most, a.end - b.begin);
      }
    }
  }
  return least > most || std::isinf(least) ? 0 : (least + most) / 2;
}

}  // namespace

RankCall ReadRankCall(const Json& event, const Track& track, double offset) {
  const Json& args = event.at("args");
  const double begin = event.at("ts").get<double>() + offset;
  return {args.at("communicator"),
          args.at("meeting"),
          args.at("rank"),
          begin,
          begin + event.at("dur").get<double>(),
          track,
          0};
}

void AlignClocks(std::vector<TraceFile>& files) {
  if (files.size() < 2) return;
  const Meetings known = MeetingsOf(files.front());
  std::map<std::string, double> offset_of = {{files.front().clock, 0}};
  for (TraceFile& file : files) {
    const auto same = offset_of.find(file.clock);
    file.offset = same != offset_of.end() ? same->second : DistanceOf(known, MeetingsOf(file));
    offset_of.emplace(file.clock, file.offset);
  }
}

void AddWaits(Timeline& timeline, const std::vector<RankCall>& calls) {
  std::map<std::tuple<std::string, std::int64_t, std::int64_t>, RankWait> waits;
  for (const auto& [key, ranks] : MeetingsOf(calls)) {
    const RankCall& last = *std::max_element(
        ranks.begin(), ranks.end(), [](const RankCall& a, const RankCall& b) { return a.begin < b.begin; });
    for (const RankCall& call : ranks) {
      if (call.rank == last.rank) continue;
      RankWait& wait = waits[{key.first, call.rank, last.rank}];
      wait.communicator = key.first;
      wait.rank = call.rank;
      wait.late_rank = last.rank;
      wait.time += last.begin - call.begin;
      ++wait.collectives;
      timeline.held_up.push_back({last.row, call.row, last.begin, std::min(call.end, last.begin)});
    }
  }
  for (auto& [key, wait] : waits)
    timeline.waits.push_back(std::move(wait));
  std::stable_sort(timeline.waits.begin(), timeline.waits.end(),
                   [](const RankWait& a, const RankWait& b) { return a.time > b.time; });
}

std::string DescribeWaits(const Timeline& timeline) {
  std::string text;
  for (const RankWait& wait : timeline.waits) {
    if (&wait == &timeline.waits.front() + kMostWaitsTold)
      return text + fmt::format("and {} more\n", timeline.waits.size() - kMostWaitsTold);
    text += fmt::format("rank {} waited {} for rank {} in {} collective{} of {}\n", wait.rank,
                        Duration(wait.time), wait.late_rank, wait.collectives,
                        wait.collectives == 1 ? "" : "s", wait.communicator);
  }
  return text;
}

}  // namespace foothold::timeline
