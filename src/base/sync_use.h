// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a task has to do with others: it waits for something, tells that something has happened, or takes that
// back. Every task that does says so of itself (device/task.h). A plain value.
#pragma once

#include <cstdint>
#include <string>

namespace foothold {

struct SyncUse {
  enum class Kind : std::uint8_t { kNone, kWaits, kTells, kResets };
  enum class What : std::uint8_t { kEvent, kNotify, kCountNotify, kValue, kOther };

  Kind kind = Kind::kNone;
  What what = What::kOther;
  bool limited = false;          // waits no longer than a time limit
  bool outside = false;          // another process may tell as well
  bool plain = false;            // an event that must not be recorded again under its waits
  std::uint32_t id = 0;          // of the event or notify, for reports
  const void* point = nullptr;   // what is told and waited for: a record, a notify, an address
  const void* object = nullptr;  // the event or notify

  std::string Name() const;  // "event 3"
};

}  // namespace foothold
