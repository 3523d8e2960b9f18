// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "profile/profiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/tell.h"
#include "profile/profile_codes.h"
#include "profile/subscriptions.h"
#include "trace/chrome_trace.h"
#include "trace/recorder.h"

namespace foothold {

Profiler& Profiler::Get() {
  static auto* const profiler = new Profiler;
  return *profiler;
}

void Profiler::Begin(const std::optional<ProfilerConfig>& config) {
  if (!config || !config->enabled) return;
  std::lock_guard<std::mutex> lock(mutex_);
  configured_ = config->output.empty() ? "." : config->output;
  configured_from_ = Now();
  trace::Recorder::Get().Begin();
}

void Profiler::End() noexcept {
  std::optional<std::string> directory;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    directory.swap(configured_);
  }
  if (!directory) return;
  try {
    Write(*directory, configured_from_);
    // The program did not choose the name, and its user may not know that it profiles.
    Tell(LogLevel::kInfo,
         fmt::format("the timeline of this run is in {} (foothold trace draws it)", last_file()));
  } catch (...) {
    Tell(LogLevel::kError, "profiling: " + CurrentError().message());
  }
  trace::Recorder::Get().End();
}

void Profiler::Init(const std::string& directory) {
  if (Subscriptions::Get().any())
    Fail(kProfApiConflict, "a model is subscribed to; aclprofModelUnSubscribe has to come first");
  if (!std::filesystem::is_directory(directory))
    Fail(kInvalidParam, "the path '{}' for results of profiling is not a directory", directory);
  std::lock_guard<std::mutex> lock(mutex_);
  if (configured_)
    Fail(kProfAlreadyRun, "the configuration given to aclInit has switched profiling on already");
  if (directory_) Fail(kProfAlreadyRun, "aclprofInit was called already, with '{}'", *directory_);
  directory_ = directory;
}

void Profiler::RequireInit(const char* api) const {
  if (!directory_) Fail(kProfNotRun, "{}: aclprofInit has to be called first", api);
}

void Profiler::Finalize() {
  std::vector<std::uint32_t> running;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    RequireInit("aclprofFinalize");
    running.assign(devices_.begin(), devices_.end());
  }
  if (!running.empty()) Stop(running);
  std::lock_guard<std::mutex> lock(mutex_);
  directory_.reset();
}

bool Profiler::initialized() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return directory_.has_value() || configured_.has_value();
}

void Profiler::Start(const std::vector<std::uint32_t>& devices) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireInit("aclprofStart");
  for (const std::uint32_t device : devices)
    if (devices_.count(device) != 0) Fail(kProfAlreadyRun, "device {} is profiled already", device);
  if (devices_.empty()) {
    from_ = Now();
    trace::Recorder::Get().Begin();
  }
  devices_.insert(devices.begin(), devices.end());
}

void Profiler::Stop(const std::vector<std::uint32_t>& devices) {
  std::string directory;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    RequireInit("aclprofStop");
    for (const std::uint32_t device : devices)
      if (devices_.count(device) == 0) Fail(kProfNotRun, "device {} is not profiled", device);
    for (const std::uint32_t device : devices)
      devices_.erase(device);
    if (!devices_.empty()) return;
    directory = *directory_;
  }
  try {
    Write(directory, from_);
  } catch (...) {
    trace::Recorder::Get().End();
    throw;
  }
  trace::Recorder::Get().End();
}

void Profiler::Write(const std::string& directory, Nanoseconds from) {
  std::lock_guard<std::mutex> lock(mutex_);
  const std::string path = fmt::format("{}/foothold_timeline_{}_{}.json", directory, getpid(), files_++);
  trace::WriteChromeTrace(path, from);
  last_file_ = path;
}

std::string Profiler::last_file() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return last_file_;
}

}  // namespace foothold
