// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// aclprofInit ... aclprofFinalize, and the "profiler" part of aclInit's configuration: when a timeline is
// recorded and where it is written. Any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/profiler_config.h"

namespace foothold {

class Profiler {
 public:
  static Profiler& Get();

  // With the library: records from Begin to End if the configuration says so.
  void Begin(const std::optional<ProfilerConfig>& config);
  void End() noexcept;

  // Files go below `directory`, which must exist. Throws kProfAlreadyRun if profiling was begun already in
  // one of the two ways, kProfApiConflict while a model is subscribed to.
  void Init(const std::string& directory);
  // Stops what runs. All below throw kProfNotRun before Init.
  void Finalize();
  bool initialized() const;

  // Devices that are recorded; kProfAlreadyRun if one is already. Memory, calls and tasks of all devices end
  // up in the one timeline.
  void Start(const std::vector<std::uint32_t>& devices);
  // Writes the timeline. Throws kProfNotRun if one of the devices is not recorded.
  void Stop(const std::vector<std::uint32_t>& devices);

  // The file that was written last, for people; empty before.
  std::string last_file() const;

 private:
  Profiler() = default;
  void RequireInit(const char* api) const;  // with the lock
  void Write(const std::string& directory, Nanoseconds from);

  mutable std::mutex mutex_;  // guards all below
  std::optional<std::string> directory_;
  std::set<std::uint32_t> devices_;
  Nanoseconds from_ = 0;
  std::optional<std::string> configured_;  // the directory the configuration names
  Nanoseconds configured_from_ = 0;
  std::string last_file_;
  int files_ = 0;
};

}  // namespace foothold
