// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How long nothing has happened, counted only as far as something could have: not while the process was
// stopped, while its threads waited for a processor that others had, or while a report was written. A machine
// that is busy makes no findings.
#pragma once

#include "base/clock.h"

namespace foothold::check {

// What one look at the process sees.
struct Glance {
  Nanoseconds now = 0;
  bool reports = false;    // some thread writes a report
  bool wants = false;      // some thread but this one could run
  Nanoseconds worked = 0;  // processor time of all threads but this one, so far
};
Glance GlanceAtProcess() noexcept;

// Belongs to one thread, which looks every now and then.
class Stillness {
 public:
  // Something has happened.
  void Restart(const Glance& glance) noexcept;
  // Nothing has since the last look.
  void Continue(const Glance& glance) noexcept;
  Nanoseconds time() const noexcept { return time_; }

 private:
  Glance last_;
  Nanoseconds time_ = 0;
};

// On the stack of a thread that writes a report: that time is none of the program's.
class ReportTime {
 public:
  ReportTime() noexcept;
  ~ReportTime();
  ReportTime(const ReportTime&) = delete;
  ReportTime& operator=(const ReportTime&) = delete;

  // Some thread has one.
  static bool IsAnywhere() noexcept;
  // What this thread has spent so far.
  static Nanoseconds OfThread() noexcept;

 private:
  const Nanoseconds begin_;
};

// What this thread has waited for a processor since it began; 0 if the system does not tell.
Nanoseconds WaitedForProcessor() noexcept;

}  // namespace foothold::check
