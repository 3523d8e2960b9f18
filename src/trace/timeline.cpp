// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "trace/timeline.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json_text.h"

namespace foothold::timeline {
namespace {

using Json = nlohmann::json;
using Track = std::pair<std::int64_t, std::int64_t>;  // streams come after threads

std::string CategoryOf(const Json& event) {
  const std::string name = event.at("name"), category = event.at("cat");
  const bool waits = name.starts_with("aclrtSynchronize") || name == "aclrtProcessReport";
  return category == "api" && waits ? "wait" : category;
}

bool Has(const Row& row, std::string_view name) {
  return std::any_of(row.boxes.begin(), row.boxes.end(), [&](const Box& box) { return box.name == name; });
}

std::string RoleOf(const Row& row) {
  if (Has(row, "aclrtProcessReport")) return "report thread";
  if (Has(row, "aclInit") || Has(row, "GEInitialize")) return "main thread";
  const bool calls = std::any_of(row.boxes.begin(), row.boxes.end(),
                                 [](const Box& box) { return box.category == "api" || box.Waits(); });
  return calls ? "program's thread" : "worker";
}

// Threads have the name of the program unless somebody names them: a name that several have says nothing.
void NameByRole(std::vector<Row>& rows) {
  std::map<std::string, int> names, roles;
  for (const Row& row : rows)
    ++names[row.name];
  for (Row& row : rows) {
    if (names[row.name] < 2) continue;
    row.name = RoleOf(row);
    if (const int number = ++roles[row.name]; number > 1) row.name += " " + std::to_string(number);
  }
}

class Reader {
 public:
  explicit Reader(const Json& events) {
    first_ = std::numeric_limits<double>::infinity();
    for (const Json& event : events)
      if (event.contains("ts")) first_ = std::min(first_, event.at("ts").get<double>());
    for (const Json& event : events)
      Add(event);
  }

  Timeline Finish() {
    Timeline timeline;
    std::map<Track, std::size_t> places;
    for (auto& [track, row] : rows_) {
      if (row.boxes.empty()) continue;
      if (row.name.empty()) row.name = "thread " + std::to_string(track.second);
      Nest(row);
      for (const Box& box : row.boxes)
        timeline.length = std::max(timeline.length, box.end);
      places[track] = timeline.rows.size();
      timeline.rows.push_back(std::move(row));
    }
    NameByRole(timeline.rows);
    AddArrows(queued_, places, timeline.arrows);
    AddArrows(found_, places, timeline.findings);
    for (auto& [track, mark] : marks_) {
      const auto row = places.find(track);
      if (row == places.end()) continue;
      mark.row = row->second;
      timeline.marks.push_back(std::move(mark));
    }
    timeline.memory = std::move(memory_);
    std::stable_sort(timeline.memory.begin(), timeline.memory.end(),
                     [](const MemoryUse& a, const MemoryUse& b) { return a.time < b.time; });
    return timeline;
  }

 private:
  using End = std::pair<Track, double>;
  struct Flows {
    std::map<std::string, End> begins, ends;
  };

  static void AddArrows(const Flows& flows, const std::map<Track, std::size_t>& places,
                        std::vector<Arrow>& arrows) {
    for (const auto& [id, end] : flows.ends) {
      const auto begin = flows.begins.find(id);
      if (begin == flows.begins.end()) continue;
      const auto from = places.find(begin->second.first), to = places.find(end.first);
      if (from != places.end() && to != places.end())
        arrows.push_back({from->second, to->second, begin->second.second, end.second});
    }
  }

  void Add(const Json& event) {
    const std::string phase = event.at("ph");
    const Track track(event.at("pid").get<std::int64_t>(), event.at("tid").get<std::int64_t>());
    if (phase == "M" && event.at("name") == "thread_name") rows_[track].name = event.at("args").at("name");
    if (!event.contains("ts")) return;
    const double time = event.at("ts").get<double>() - first_;
    if (phase == "X")
      rows_[track].boxes.push_back(
          {event.at("name"), CategoryOf(event), time, time + event.at("dur").get<double>(), 0});
    const bool finding = event.value("cat", "") == "finding";
    Flows& flows = finding ? found_ : queued_;
    if (phase == "s") flows.begins[event.at("id")] = End(track, time);
    if (phase == "f") flows.ends[event.at("id")] = End(track, time);
    if (phase == "i" && finding)
      marks_.emplace_back(track, Mark{0, time, event.at("name"), event.at("args").value("what", "")});
    if (phase == "C") memory_.push_back({time, event.at("args").at("bytes").get<double>()});
  }

  static void Nest(Row& row) {
    std::stable_sort(row.boxes.begin(), row.boxes.end(), [](const Box& a, const Box& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::vector<double> open;
    for (Box& box : row.boxes) {
      while (!open.empty() && open.back() <= box.begin)
        open.pop_back();
      box.depth = static_cast<int>(open.size());
      open.push_back(box.end);
      row.depth = std::max(row.depth, box.depth + 1);
    }
  }

  double first_ = 0;
  std::map<Track, Row> rows_;
  Flows queued_, found_;
  std::vector<std::pair<Track, Mark>> marks_;
  std::vector<MemoryUse> memory_;
};

}  // namespace

Timeline ReadTimeline(const std::string& path) {
  std::ifstream file(path);
  if (!file) Fail(kInvalidFile, "the trace '{}' cannot be opened", path);
  return ParseTimeline(std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>()),
                       path);
}

Timeline ParseTimeline(const std::string& text, const std::string& origin) {
  try {
    return Reader(ParseJson(text).at("traceEvents")).Finish();
  } catch (const Error& error) {
    Fail(kParseFile, "'{}' is no trace: {}", origin, error.message());
  } catch (const Json::exception&) {
    Fail(kParseFile, "'{}' is no trace: it lacks \"traceEvents\", or what these have", origin);
  }
}

}  // namespace foothold::timeline
