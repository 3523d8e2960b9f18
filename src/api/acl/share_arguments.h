// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Arguments that the calls for sharing between processes have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "api/guard.h"
#include "device/sharing/share_key.h"

namespace foothold {

// What programs reserve for a key.
constexpr std::size_t kKeyRoom = 65;

inline void CheckKeyRoom(const char*, std::size_t length) {
  if (length < kKeyRoom) Fail(kRtParamInvalid, "len must be at least {}; it is {}", kKeyRoom, length);
}

// To the last byte: programs compare and pass on all of them.
inline void WriteKey(const ShareKey& key, char* to) {
  const std::string text = key.Text();
  std::memset(to, 0, kKeyRoom);
  std::memcpy(to, text.data(), text.size());
}

inline void CheckShareFlags(std::uint64_t flags, std::uint64_t other) {
  if (flags != 0 && flags != other)
    Fail(kRtParamInvalid, "flags must be 0 or {}; they are {:#x}", other, flags);
}

inline void CheckProcesses(const std::int32_t* pid, std::size_t count, const char* name) {
  FOOTHOLD_NOT_NULL(pid);
  if (count == 0) Fail(kRtParamInvalid, "{} must not be 0", name);
  for (std::size_t i = 0; i < count; ++i) {
    if (pid[i] <= 0) Fail(kRtParamInvalid, "pid[{}] is {}, which is no process", i, pid[i]);
  }
}

}  // namespace foothold
