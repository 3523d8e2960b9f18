// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "trace/environment_trace.h"

#include <unistd.h>

#include <string>

#include "base/environment.h"
#include "base/error.h"
#include "base/process_events.h"
#include "trace/chrome_trace.h"
#include "trace/recorder.h"

namespace foothold::trace {
namespace {

struct Request {
  std::string path;
  pid_t process = 0;
};

// "%r" is the rank that the launcher gave this process, "%p" the number of the process. The launcher itself
// has no rank, and leaves no file.
std::string Filled(std::string path) {
  const auto rank = GetEnv("RANK") ? GetEnv("RANK") : GetEnv("RANK_ID");
  if (!rank && path.find("%r") != std::string::npos) return "";
  const auto replace = [&](const char* mark, const std::string& text) {
    for (std::size_t at = path.find(mark); at != std::string::npos; at = path.find(mark, at + text.size()))
      path.replace(at, 2, text);
  };
  replace("%r", rank.value_or(""));
  replace("%p", std::to_string(getpid()));
  return path;
}

const Request& Requested() {
  static const auto* const request = new Request{Filled(GetEnv("FOOTHOLD_TRACE").value_or("")), getpid()};
  return *request;
}

// With the library, so that nothing is missed.
[[maybe_unused]] const bool begun = [] {
  if (Requested().path.empty()) return false;
  Recorder::Get().Begin();
  AtExit(ExitStage::kTimeline, [] { WriteEnvironmentTrace(); });
  return true;
}();

}  // namespace

void WriteEnvironmentTrace() noexcept {
  const Request& request = Requested();
  if (request.path.empty() || request.process != getpid()) return;
  try {
    WriteChromeTrace(request.path, 0);
  } catch (...) {
    TellWrongSetting("FOOTHOLD_TRACE", "FOOTHOLD_TRACE: " + CurrentError().message());
  }
}

}  // namespace foothold::trace
