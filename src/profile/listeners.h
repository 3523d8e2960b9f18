// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of libraries that want to hear when profiling begins and ends (MsprofRegisterCallback). They are
// called without a lock, on the thread that makes the change. Any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace foothold {

enum class ProfileChange : std::uint32_t { kInit = 0, kStart = 1, kStop = 2, kFinalize = 3 };

// What a listener is handed: its layout is the one libraries were compiled with.
struct ProfileCommand {
  std::uint64_t mask = 0;  // the data types of aclprofCreateConfig
  std::uint64_t mask_high = 0;
  std::uint32_t device_count = 0;
  std::uint32_t devices[64] = {};
  std::uint32_t model = UINT32_MAX;  // all
  std::uint32_t change = 0;
  std::uint32_t cache = 0;
  struct {
    std::uint32_t path_length = 0;
    std::uint32_t storage_limit = 0;
    std::uint32_t data_length = 0;
    char path[1024] = {};
    char data[4096] = {};
  } parameters;
};

class ProfileListeners {
 public:
  using Listener = std::int32_t (*)(std::uint32_t type, void* data, std::uint32_t bytes);

  static ProfileListeners& Get();

  // While a profile is made it hears of that at once.
  void Add(Listener listener);
  void Tell(ProfileChange change, const std::vector<std::uint32_t>& devices = {}, std::uint64_t mask = 0);

 private:
  ProfileListeners() = default;

  std::mutex mutex_;  // guards both
  std::vector<Listener> listeners_;
  std::optional<ProfileCommand> running_;
};

}  // namespace foothold
