// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "profile/listeners.h"

#include <algorithm>
#include <cstddef>

namespace foothold {
namespace {

// The one kind of message there is: profiling changes.
constexpr std::uint32_t kSwitch = 1;

static_assert(offsetof(ProfileCommand, change) == 280 && offsetof(ProfileCommand, parameters) == 288);

ProfileCommand CommandOf(ProfileChange change, const std::vector<std::uint32_t>& devices,
                         std::uint64_t mask) {
  ProfileCommand command;
  command.mask = mask;
  command.change = static_cast<std::uint32_t>(change);
  command.device_count = static_cast<std::uint32_t>(std::min(devices.size(), std::size(command.devices)));
  std::copy_n(devices.begin(), command.device_count, command.devices);
  return command;
}

// Each may change what it is handed. What it answers is for the tools of an NPU.
void Call(ProfileListeners::Listener listener, ProfileCommand command) {
  listener(kSwitch, &command, sizeof command);
}

}  // namespace

ProfileListeners& ProfileListeners::Get() {
  static auto* const listeners = new ProfileListeners;
  return *listeners;
}

void ProfileListeners::Add(Listener listener) {
  std::optional<ProfileCommand> running;
  {
    const std::lock_guard lock(mutex_);
    listeners_.push_back(listener);
    running = running_;
  }
  if (running) Call(listener, *running);
}

void ProfileListeners::Tell(ProfileChange change, const std::vector<std::uint32_t>& devices,
                            std::uint64_t mask) {
  const ProfileCommand command = CommandOf(change, devices, mask);
  std::vector<Listener> listeners;
  {
    const std::lock_guard lock(mutex_);
    if (change == ProfileChange::kStart) running_ = command;
    if (change == ProfileChange::kStop) running_.reset();
    listeners = listeners_;
  }
  for (const Listener listener : listeners)
    Call(listener, command);
}

}  // namespace foothold
