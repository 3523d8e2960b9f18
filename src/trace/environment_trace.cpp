// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "trace/environment_trace.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/environment.h"
#include "base/error.h"
#include "trace/chrome_trace.h"
#include "trace/recorder.h"

namespace foothold::trace {
namespace {

struct Request {
  std::string path;
  pid_t process = 0;
};

const Request& Requested() {
  static const auto* const request = new Request{GetEnv("FOOTHOLD_TRACE").value_or(""), getpid()};
  return *request;
}

// With the library, so that nothing is missed.
[[maybe_unused]] const bool begun = [] {
  if (Requested().path.empty()) return false;
  Recorder::Get().Begin();
  std::atexit([] { WriteEnvironmentTrace(); });
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
