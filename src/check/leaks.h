// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the program has made and not ended (ACL-LEAK-001 to 006). What belongs to a device is looked at when
// the device is reset for the last time or the library is finalised, which takes it away; what belongs to the
// process when that ends, if the library was finalised before. A program that does neither has no leaks. What
// is left to aclFinalize is told at the end of the program, unless it is destroyed in between: too late,
// which is another rule (ACL-LIFE-002), but not forgotten.
#pragma once

#include "base/watch.h"
#include "check/history.h"

#include <optional>

namespace foothold::check {

// While it lives, this thread takes a device apart; then what was left is reported.
class DeviceEnd {
 public:
  DeviceEnd() {
    if (watch::Is(watch::kCheck)) taken_.emplace();
  }
  ~DeviceEnd() {
    if (taken_) Report();
  }
  DeviceEnd(const DeviceEnd&) = delete;
  DeviceEnd& operator=(const DeviceEnd&) = delete;

 private:
  void Report() noexcept;
  std::optional<Teardown> taken_;
};

void ReportLeaksAtExit() noexcept;
// After aclFinalize the program destroys or frees what began here.
void DestroyedLate(const void* object) noexcept;

}  // namespace foothold::check
