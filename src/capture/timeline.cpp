// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/timeline.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json_tree.h"
#include "base/whole_file.h"
#include "capture/condition.h"
#include "capture/timeline_tasks.h"
#include "device/task_form.h"

namespace foothold {
namespace {

constexpr double kTaskTime = 1.0;  // microseconds from one begin to the next
constexpr double kTaskLength = 0.8;

const char* NameOf(TaskKind kind) {
  static constexpr const char* kNames[] = {"task",        "kernel",      "event record", "event wait",
                                           "event reset", "value write", "value wait"};
  return kNames[static_cast<int>(kind)];
}

TaskKind ShownKind(const Task& task) {
  const Control* const control = ControlTask::Of(task);
  return control != nullptr ? control->kind() : KindOf(task);
}

std::string Title(const Instance& instance) {
  const std::string name = instance.name();
  return name.empty() ? fmt::format("model instance {}", instance.id())
                      : fmt::format("model instance {} \"{}\"", instance.id(), name);
}

const Condition* ConditionAt(const Task& task) {
  return dynamic_cast<const Condition*>(ControlTask::Of(task));
}

std::string LaneName(const Instance& instance, std::size_t lane) {
  if (instance.lanes()[lane]->stream.stream == nullptr) return "begin";
  return fmt::format("stream {}", instance.lanes()[lane]->stream_id);
}

// Written as text at once: a tree of JSON cannot be destroyed where there is no memory.
class Timeline {
 public:
  explicit Timeline(Detail detail) : detail_(detail) {}

  // An instance is a process of the viewer.
  void Add(const Instance& instance) {
    const ShownTasks shown(instance);
    Name("process_name", instance.id(), 0, Title(instance));
    for (std::size_t lane = 0; lane < shown.lanes().size(); ++lane) {
      Name("thread_name", instance.id(), lane, LaneName(instance, lane));
      for (const ShownTask& one : shown.lanes()[lane])
        Box(instance, lane, one);
    }
    for (const ShownArrow& arrow : shown.arrows()) {
      const ShownTask& from = shown.lanes()[arrow.from_lane][arrow.from_task];
      const ShownTask& to = shown.lanes()[arrow.to_lane][arrow.to_task];
      Arrow({instance.id(), arrow.from_lane, End(from)}, {instance.id(), arrow.to_lane, Begin(to)});
    }
    for (const auto& child : instance.children())
      Add(*child);
  }
  std::string Text() && {
    events_ += "\n]}\n";
    return std::move(events_);
  }

 private:
  struct Point {
    std::uint32_t process;
    std::size_t thread;
    double time;
  };

  static double Begin(const ShownTask& task) { return static_cast<double>(task.time) * kTaskTime; }
  static double End(const ShownTask& task) { return Begin(task) + kTaskLength; }

  template <typename... Values>
  void Event(fmt::format_string<Values...> format, Values&&... values) {
    events_ += any_ ? ",\n{" : "\n{";
    any_ = true;
    fmt::format_to(std::back_inserter(events_), format, std::forward<Values>(values)...);
    events_ += '}';
  }

  void Name(const char* what, std::uint32_t process, std::size_t thread, const std::string& name) {
    Event(R"("ph": "M", "name": "{}", "pid": {}, "tid": {}, "args": {{"name": {}}})", what, process, thread,
          JsonQuoted(name));
  }

  void Box(const Instance& instance, std::size_t lane, const ShownTask& one) {
    const Task& task = *one.task;
    const char* const kind = NameOf(ShownKind(task));
    Event(R"("ph": "X", "cat": "{0}", "name": {1}, "pid": {2}, "tid": {3}, "ts": {4}, "dur": {5}, )"
          R"("args": {{"task": {6}, "kind": "{0}"{7}}})",
          kind, JsonQuoted(task.api), instance.id(), lane, Begin(one), kTaskLength, task.id, Details(one));
    const Condition* const condition = ConditionAt(task);
    if (condition == nullptr) return;
    for (const auto& child : condition->children())
      Arrow({instance.id(), lane, Begin(one)}, {child->id(), 0, 0});
  }

  std::string Details(const ShownTask& one) const {
    const Task& task = *one.task;
    std::string text;
    if (one.group != nullptr) text += fmt::format(R"(, "group": {})", JsonQuoted(one.group->Describe()));
    if (detail_ != Detail::kVerbose) return text;
    text +=
        fmt::format(R"(, "thread": {}, "arguments": {})", task.thread, JsonQuoted(task.type->describe(task)));
    std::vector<Access> accesses;
    task.type->accesses(task, accesses);
    if (accesses.empty()) return text;
    const char* separator = R"(, "memory": [)";
    for (const Access& access : accesses) {
      text += fmt::format(R"({}"{} {} bytes at {}")", std::exchange(separator, ", "),
                          access.use == Use::kRead ? "reads" : "writes", access.bytes, access.address);
    }
    return text + ']';
  }

  void Arrow(const Point& from, const Point& to) {
    const std::size_t id = ++arrows_;
    for (const auto& [phase, point] : {std::pair{"s", from}, std::pair{"f", to}}) {
      Event(R"("ph": "{}", "bp": "e", "cat": "order", "name": "before", "id": {}, "pid": {}, "tid": {}, )"
            R"("ts": {})",
            phase, id, point.process, point.thread, point.time);
    }
  }

  const Detail detail_;
  std::string events_ = R"({"displayTimeUnit": "ns", "traceEvents": [)";
  bool any_ = false;
  std::size_t arrows_ = 0;
};

void Describe(const Instance& instance, const std::string& margin, std::string& text) {
  const ShownTasks shown(instance);
  text += fmt::format("{}{}: {} streams\n", margin, Title(instance), shown.lanes().size());
  for (std::size_t lane = 0; lane < shown.lanes().size(); ++lane) {
    text += fmt::format("{}  {}\n", margin, LaneName(instance, lane));
    for (const ShownTask& one : shown.lanes()[lane]) {
      const Task& task = *one.task;
      text += fmt::format("{}    {} {}({}), {}\n", margin, task.id, task.api, task.type->describe(task),
                          NameOf(ShownKind(task)));
      const Condition* const condition = ConditionAt(task);
      if (condition == nullptr) continue;
      for (const auto& child : condition->children())
        Describe(*child, margin + "      ", text);
    }
  }
}

}  // namespace

std::string DescribeInstance(const Instance& instance) {
  std::string text;
  Describe(instance, "", text);
  return text;
}

std::string TimelineOf(const Instance& instance, Detail detail) {
  Timeline timeline(detail);
  timeline.Add(instance);
  return std::move(timeline).Text();
}

void WriteTimeline(const Instance& instance, const std::string& path, Detail detail) {
  const FileOutcome outcome = WriteWholeFile(path, TimelineOf(instance, detail));
  if (outcome == FileOutcome::kDone) return;
  Fail(outcome == FileOutcome::kNotOpened ? kRtFileOpen : kRtFileWrite, "'{}' cannot be written: {}", path,
       std::strerror(errno));
}

}  // namespace foothold
