// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/graph_trace.h"

#include <fmt/format.h>

namespace foothold {
namespace {

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::string TraceText(const Program& program) {
  std::string events;
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    events +=
        fmt::format(R"({}{{"name": {}, "ph": "X", "pid": {}, "tid": "stream 0", "ts": {}, "dur": 1, )"
                    R"("args": {{"Stream ID": 0, "Task ID": {}, "Task Type": {}}}}})",
                    i == 0 ? "\n" : ",\n", Quoted(step.name), Quoted(program.name), i, i, Quoted(step.type));
  }
  return fmt::format("{{\"traceEvents\": [{}\n]}}\n", events);
}

}  // namespace foothold
