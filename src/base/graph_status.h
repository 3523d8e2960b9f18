// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The fields inside a structured ge::Status such as 1343266818 (0x5010A002): where it arose, which part of
// the system and which module raised it, and the module's own number. Used by `foothold explain`. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace foothold {

struct StatusField {
  unsigned value;
  std::string_view name;  // empty when the number has no known name
};

struct GraphStatus {
  StatusField side;    // bits 31-30: host or device
  StatusField type;    // bits 29-28
  unsigned level;      // bits 27-25
  StatusField system;  // bits 24-17
  StatusField module;  // bits 16-12
  unsigned code;       // bits 11-0
};

// Nothing for a number that does not have this structure; a signed 32-bit reading of one is understood too.
std::optional<GraphStatus> DecodeGraphStatus(std::int64_t number) noexcept;

}  // namespace foothold
