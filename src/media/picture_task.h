// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An operation on pictures as a task of a stream: what it touches, what it does, and whom it tells how that
// went. All it needs it owns; a copy may run again when it was captured. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "device/access.h"
#include "device/stream.h"

namespace foothold::media {

// Memory of the program, as it gave it; `name` is a literal for messages.
struct MediaMemory {
  const void* address;
  std::size_t bytes;
  Use use;
  Extent extent;
  const char* name;
};

struct MediaWork {
  std::vector<MediaMemory> memory;
  // With the addresses that code follows, in the order of `memory`. Throws what fails.
  std::function<void(const std::vector<std::uint8_t*>&)> run;
  // 0, or the number of the failure: what "return code" of the described pictures shall be. Must not throw.
  std::function<void(std::uint32_t)> tell;
};

// Checks the memory, fails with 100000 for what is none, and queues the work; answers the task's number. A
// failure of the work itself ends the stream's task with 507018 and the message.
std::uint32_t PushMediaWork(const StreamRef& stream, const char* api, MediaWork work);

}  // namespace foothold::media
