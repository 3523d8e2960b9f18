// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "trace/chrome_trace.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/whole_file.h"
#include "trace/recorder.h"

namespace foothold::trace {
namespace {

// Threads are one process of the viewer, streams another, ranks of communicators the third.
constexpr int kThreads = 1;
constexpr int kStreams = 2;
constexpr int kRanks = 3;

std::string Quoted(const char* text) {
  std::string quoted = "\"";
  for (const char* c = text == nullptr ? "" : text; *c != '\0'; ++c) {
    if (*c == '"' || *c == '\\') {
      quoted += '\\';
      quoted += *c;
    } else if (static_cast<unsigned char>(*c) < 0x20) {
      quoted += fmt::format("\\u{:04x}", static_cast<int>(*c));
    } else {
      quoted += *c;
    }
  }
  return quoted + '"';
}

const char* Category(Kind kind) {
  switch (kind) {
    case Kind::kCall:
      return "api";
    case Kind::kQueued:
      return "queue";
    case Kind::kTask:
      return "task";
    case Kind::kNode:
      return "node";
    case Kind::kCallback:
      return "callback";
    case Kind::kRange:
    case Kind::kSpan:
    case Kind::kMark:
      return "mark";
    case Kind::kFinding:
    case Kind::kBefore:
      return "finding";
    case Kind::kMemory:
      return "memory";
  }
  return "";
}

// What a collective says of itself, between tabs: communicator, rank, number of ranks, bytes.
struct RankDetail {
  explicit RankDetail(const char* text) {
    std::string_view rest(text);
    for (std::string* field : {&communicator, &rank, &ranks, &bytes}) {
      const std::size_t end = std::min(rest.find('\t'), rest.size());
      *field = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  std::string communicator, rank, ranks, bytes;
};

// Processes whose times can be compared.
std::string ClockName() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string name;
  std::getline(file, name);
  return name;
}

// When tasks ran. Captured ones run again and again, under one number.
class TaskRuns {
 public:
  void Add(const Event& task) { runs_[{task.stream, task.number}].insert(task.begin); }
  // The last run of the task of a mark before the mark was made, or the first of all.
  std::optional<Nanoseconds> Before(const Event& mark) const {
    const auto found = runs_.find({mark.stream, mark.number - 1});
    if (found == runs_.end()) return std::nullopt;
    const auto behind = found->second.upper_bound(mark.begin);
    return behind == found->second.begin() ? *behind : *std::prev(behind);
  }

 private:
  std::map<std::pair<std::int32_t, std::uint64_t>, std::set<Nanoseconds>> runs_;
};

class Writer {
 public:
  std::string Text(const std::vector<ThreadRecord>& threads, std::uint64_t lost) {
    text_ = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
    Name("process_name", kThreads, 0, "threads");
    Name("process_name", kStreams, 0, "streams");
    for (const ThreadRecord& thread : threads)
      for (const Event& event : thread.events)
        if (event.kind == Kind::kTask) runs_.Add(event);
    for (const ThreadRecord& thread : threads) {
      Name("thread_name", kThreads, thread.thread, thread.name.c_str());
      for (const Event& event : thread.events)
        Add(event, thread.thread);
    }
    for (const std::int32_t stream : streams_)
      Name("thread_name", kStreams, static_cast<std::uint32_t>(stream),
           fmt::format("stream {}", stream).c_str());
    if (!ranks_.empty()) Name("process_name", kRanks, 0, "ranks");
    for (const auto& [name, row] : ranks_)
      Name("thread_name", kRanks, row, name.c_str());
    text_.resize(text_.size() - 2);  // the last comma
    text_ += fmt::format("\n], \"otherData\": {{\"lost events\": {}, \"clock\": {}}}}}\n", lost,
                         Quoted(ClockName().c_str()));
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += ",\n";
  }

  void Name(const char* what, int process, std::uint32_t thread, const char* name) {
    Line(R"({{"ph": "M", "name": "{}", "pid": {}, "tid": {}, "args": {{"name": {}}}}})", what, process,
         thread, Quoted(name));
  }

  static double Microseconds(Nanoseconds time) { return static_cast<double>(time) / 1000; }

  void Add(const Event& event, std::uint32_t thread) {
    switch (event.kind) {
      case Kind::kQueued:
        return Arrow('s', event, kThreads, thread, event.begin);
      case Kind::kTask:
        streams_.insert(event.stream);
        Box(event, kStreams, static_cast<std::uint32_t>(event.stream));
        return Arrow('f', event, kStreams, static_cast<std::uint32_t>(event.stream), event.begin);
      case Kind::kMark:
        return Mark(event, thread);
      case Kind::kMemory:
        return Line(
            R"({{"ph": "C", "cat": "memory", "name": "memory of device {}", "pid": {}, "tid": 0, "ts": {:.3f}, "args": {{"bytes": {}}}}})",
            event.stream, kThreads, Microseconds(event.begin), event.number);
      case Kind::kFinding:
      case Kind::kBefore:
        return Finding(event, thread);
      case Kind::kSpan:
        if (event.detail != nullptr) return RankBox(event);
        Async('b', event, event.begin, thread);
        return Async('e', event, event.end, thread);
      default:
        return Box(event, kThreads, thread);
    }
  }

  void Mark(const Event& event, std::uint32_t thread) {
    const std::string details = event.detail == nullptr
                                    ? std::string()
                                    : fmt::format(R"(, "args": {{"what": {}}})", Quoted(event.detail));
    Line(R"({{"ph": "i", "s": "t", "cat": "mark", "name": {}, "pid": {}, "tid": {}, "ts": {:.3f}{}}})",
         Quoted(event.name), kThreads, thread, Microseconds(event.begin), details);
  }

  void Box(const Event& event, int process, std::uint32_t thread) {
    std::string details;
    if (event.kind == Kind::kTask) details = fmt::format(R"("task": {})", event.number);
    if (event.detail != nullptr)
      details += fmt::format(R"({}"type": {})", details.empty() ? "" : ", ", Quoted(event.detail));
    Line(
        R"({{"ph": "X", "cat": "{}", "name": {}, "pid": {}, "tid": {}, "ts": {:.3f}, "dur": {:.3f}, "args": {{{}}}}})",
        Category(event.kind), Quoted(event.name), process, thread, Microseconds(event.begin),
        Microseconds(event.end - event.begin), details);
  }

  // A collective, or how long it waited for the other ranks.
  void RankBox(const Event& event) {
    const RankDetail detail(event.detail);
    const std::string row = fmt::format("rank {}, {}", detail.rank, detail.communicator);
    const auto number = ranks_.emplace(row, static_cast<std::uint32_t>(ranks_.size())).first->second;
    Line(
        R"({{"ph": "X", "cat": "{}", "name": {}, "pid": {}, "tid": {}, "ts": {:.3f}, "dur": {:.3f}, "args": {{"communicator": {}, "rank": {}, "ranks": {}, "bytes": {}, "meeting": "{:016x}", "stream": {}}}}})",
        std::string_view(event.name) == "waits" ? "held" : "collective", Quoted(event.name), kRanks, number,
        Microseconds(event.begin), Microseconds(event.end - event.begin), Quoted(detail.communicator.c_str()),
        detail.rank, detail.ranks, detail.bytes, event.number, event.stream);
  }

  // From the call that queued a task to its run.
  void Arrow(char phase, const Event& event, int process, std::uint32_t thread, Nanoseconds at) {
    Line(
        R"({{"ph": "{}", "bp": "e", "cat": "queue", "name": "queued", "id": "{}.{}", "pid": {}, "tid": {}, "ts": {:.3f}}})",
        phase, event.stream, event.number, process, thread, Microseconds(at));
  }

  // A mark on the task, or on the thread at the moment of the report; and an arrow from what was before.
  void Finding(const Event& event, std::uint32_t thread) {
    const std::optional<Nanoseconds> run = event.number == 0 ? std::nullopt : runs_.Before(event);
    if (event.number != 0 && !run) return;  // dropped, or not recorded
    const bool on_thread = event.number == 0;
    const int process = on_thread ? kThreads : kStreams;
    const std::uint32_t row = on_thread ? thread : static_cast<std::uint32_t>(event.stream);
    const double at = Microseconds(on_thread ? event.begin : *run);
    Line(
        R"({{"ph": "i", "s": "t", "cat": "finding", "name": {}, "pid": {}, "tid": {}, "ts": {:.3f}, "args": {{"what": {}}}}})",
        Quoted(event.name), process, row, at, Quoted(event.detail));
    Line(
        R"({{"ph": "{}", "bp": "e", "cat": "finding", "name": {}, "id": "finding {}", "pid": {}, "tid": {}, "ts": {:.3f}}})",
        event.kind == Kind::kBefore ? 's' : 'f', Quoted(event.name), event.begin, process, row, at);
  }

  void Async(char phase, const Event& event, Nanoseconds at, std::uint32_t thread) {
    Line(R"({{"ph": "{}", "cat": "mark", "name": {}, "id": {}, "pid": {}, "tid": {}, "ts": {:.3f}}})", phase,
         Quoted(event.name), event.number, kThreads, thread, Microseconds(at));
  }

  std::string text_;
  std::set<std::int32_t> streams_;
  TaskRuns runs_;
  std::map<std::string, std::uint32_t> ranks_;  // rows
};

}  // namespace

namespace {

struct Window {
  Nanoseconds begin = 0, end = 0;
  bool Holds(const Event& event) const { return event.end >= begin && event.begin <= end; }
};

// From the first moment that has to do with a finding to the last, and a little around it.
Window AroundFindings(const std::vector<ThreadRecord>& threads) {
  TaskRuns runs;
  Window window{std::numeric_limits<Nanoseconds>::max(), 0};
  const auto widen = [&](const Event& event) {
    window.begin = std::min(window.begin, event.begin);
    window.end = std::max(window.end, event.end);
  };
  const auto each = [&](auto&& visit) {
    for (const ThreadRecord& thread : threads)
      for (const Event& event : thread.events)
        visit(event);
  };
  each([&](const Event& event) {
    if (event.kind == Kind::kTask) runs.Add(event);
  });
  each([&](const Event& event) {
    if (event.kind != Kind::kFinding && event.kind != Kind::kBefore) return;
    widen(event);
    if (const auto run = event.number == 0 ? std::nullopt : runs.Before(event))
      window.begin = std::min(window.begin, *run);
  });
  const Nanoseconds margin = std::max<Nanoseconds>((window.end - window.begin) / 4, 100 * kMicrosecond);
  return {window.begin - margin, window.end + margin};
}

bool AnyFinding(const std::vector<ThreadRecord>& threads) {
  for (const ThreadRecord& thread : threads)
    for (const Event& event : thread.events)
      if (event.kind == Kind::kFinding) return true;
  return false;
}

}  // namespace

std::string FindingsTrace(std::size_t most) {
  const Recorder& recorder = Recorder::Get();
  std::vector<ThreadRecord> threads = recorder.Events(0);
  if (!AnyFinding(threads)) return {};
  const Window window = AroundFindings(threads);
  std::size_t count = 0;
  for (ThreadRecord& thread : threads)
    std::erase_if(thread.events, [&](const Event& event) {
      const bool mark = event.kind == Kind::kFinding || event.kind == Kind::kBefore;
      return !mark && (!window.Holds(event) || ++count > most);
    });
  return Writer().Text(threads, recorder.lost());
}

std::string ChromeTrace(Nanoseconds from) {
  const Recorder& recorder = Recorder::Get();
  return Writer().Text(recorder.Events(from), recorder.lost());
}

void WriteChromeTrace(const std::string& path, Nanoseconds from) {
  if (WriteWholeFile(path, ChromeTrace(from)) == FileOutcome::kDone) return;
  Fail(kInvalidFile, "the trace '{}' cannot be written: {}", path, std::strerror(errno));
}

}  // namespace foothold::trace
