// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "trace/timeline.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json_text.h"
#include "trace/timeline_ranks.h"

namespace foothold::timeline {
namespace {

using Json = nlohmann::json;

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
void NameByRole(std::span<Row> rows) {
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
  explicit Reader(const std::vector<TraceFile>& files) : several_(files.size() > 1) {
    first_ = std::numeric_limits<double>::infinity();
    for (const TraceFile& file : files)
      for (const Json& event : file.events)
        if (event.contains("ts")) first_ = std::min(first_, event.at("ts").get<double>() + file.offset);
    for (std::size_t i = 0; i < files.size(); ++i)
      for (const Json& event : files[i].events)
        Add(event, i, files[i]);
  }

  Timeline Finish() {
    Timeline timeline;
    std::map<Track, std::size_t> places;
    std::vector<std::size_t> file_of;
    for (auto& [track, row] : rows_) {
      if (row.boxes.empty()) continue;
      if (row.name.empty()) row.name = "thread " + std::to_string(track.second);
      Nest(row);
      for (const Box& box : row.boxes)
        timeline.length = std::max(timeline.length, box.end);
      places[track] = timeline.rows.size();
      file_of.push_back(static_cast<std::size_t>(track.first / kTracksOfFile));
      timeline.rows.push_back(std::move(row));
    }
    NameRows(timeline.rows, file_of);
    AddArrows(queued_, places, timeline.arrows);
    AddArrows(found_, places, timeline.findings);
    for (auto& [track, mark] : marks_) {
      const auto row = places.find(track);
      if (row == places.end()) continue;
      mark.row = row->second;
      timeline.marks.push_back(std::move(mark));
    }
    for (RankCall& call : calls_)
      call.row = places.at(call.track);
    AddWaits(timeline, calls_);
    timeline.memory = std::move(memory_);
    std::stable_sort(timeline.memory.begin(), timeline.memory.end(),
                     [](const MemoryUse& a, const MemoryUse& b) { return a.time < b.time; });
    return timeline;
  }

 private:
  using End = std::pair<Track, double>;
  static constexpr std::int64_t kTracksOfFile = 16;
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

  // Threads of each process by their roles, with the process in front where there are several.
  void NameRows(std::vector<Row>& rows, const std::vector<std::size_t>& file_of) const {
    for (std::size_t begin = 0; begin < rows.size();) {
      std::size_t end = begin;
      while (end < rows.size() && file_of[end] == file_of[begin])
        ++end;
      const std::span<Row> of_file(rows.data() + begin, end - begin);
      NameByRole(of_file);
      for (Row& row : of_file)
        if (several_ && !row.name.starts_with("rank "))
          row.name = std::to_string(file_of[begin]) + ": " + row.name;
      begin = end;
    }
  }

  void Add(const Json& event, std::size_t number, const TraceFile& file) {
    const std::string phase = event.at("ph");
    const Track track(event.at("pid").get<std::int64_t>() + kTracksOfFile * static_cast<std::int64_t>(number),
                      event.at("tid").get<std::int64_t>());
    if (phase == "M" && event.at("name") == "thread_name") rows_[track].name = event.at("args").at("name");
    if (!event.contains("ts")) return;
    const double time = event.at("ts").get<double>() + file.offset - first_;
    if (phase == "X") {
      rows_[track].boxes.push_back(
          {event.at("name"), CategoryOf(event), time, time + event.at("dur").get<double>(), 0});
      if (event.at("cat") == "collective") calls_.push_back(ReadRankCall(event, track, file.offset - first_));
    }
    const auto id = [&] { return std::to_string(number) + "/" + event.at("id").get<std::string>(); };
    const bool finding = event.value("cat", "") == "finding";
    Flows& flows = finding ? found_ : queued_;
    if (phase == "s") flows.begins[id()] = End(track, time);
    if (phase == "f") flows.ends[id()] = End(track, time);
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

  const bool several_;
  double first_ = 0;
  std::map<Track, Row> rows_;
  Flows queued_, found_;
  std::vector<std::pair<Track, Mark>> marks_;
  std::vector<MemoryUse> memory_;
  std::vector<RankCall> calls_;
};

TraceFile ReadText(const std::string& text, const std::string& origin) {
  try {
    Json tree = ParseJson(text);
    TraceFile read{tree.at("traceEvents"), tree.value("otherData", Json::object()).value("clock", "")};
    for (const Json& event : read.events)
      event.at("ph");
    return read;
  } catch (const Error& error) {
    Fail(kParseFile, "'{}' is no trace: {}", origin, error.message());
  } catch (const Json::exception&) {
    Fail(kParseFile, "'{}' is no trace: it lacks \"traceEvents\", or what these have", origin);
  }
}

TraceFile ReadFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) Fail(kInvalidFile, "the trace '{}' cannot be opened", path);
  return ReadText(std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>()),
                  path);
}

Timeline TimelineOf(std::vector<TraceFile> files, const std::string& origin) {
  try {
    AlignClocks(files);
    return Reader(files).Finish();
  } catch (const Json::exception&) {
    Fail(kParseFile, "'{}' is no trace: it lacks \"traceEvents\", or what these have", origin);
  }
}

}  // namespace

Timeline ReadTimeline(const std::vector<std::string>& paths) {
  std::vector<TraceFile> files;
  for (const std::string& path : paths)
    files.push_back(ReadFile(path));
  return TimelineOf(std::move(files), paths.front());
}

Timeline ParseTimeline(const std::string& text, const std::string& origin) {
  return TimelineOf({ReadText(text, origin)}, origin);
}

}  // namespace foothold::timeline
