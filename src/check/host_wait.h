// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A thread of the program that waits in the library. The longer it does the closer it looks: whether what it
// waits for can ever happen (ACL-SYNC-007, 008), whether a callback finds nobody to run it (ACL-CB-002), and
// whether nothing happens at all (ACL-SYNC-009). Precondition of all: check::On(). On the thread that waits.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/stream_facts.h"
#include "check/order.h"
#include "check/stillness.h"

namespace foothold::check {

class HostWait {
 public:
  enum class For { kStream, kPoint, kReports };

  // `what` is the key of a stream or a point; null for kReports. `limited`: with a time limit.
  HostWait(For kind, const void* what, bool limited);
  ~HostWait();
  HostWait(const HostWait&) = delete;
  HostWait& operator=(const HostWait&) = delete;

  // After each while without an end of the wait. Throws 107000 if there can be none and findings fail calls.
  void Look(const std::vector<StreamFacts>& facts);

  For kind() const { return kind_; }
  const void* what() const { return what_; }
  bool limited() const { return limited_; }
  std::uint32_t thread() const { return thread_; }
  std::uint64_t self() const { return self_; }
  Site site() const { return site_; }

 private:
  bool Moves(const std::vector<StreamFacts>& facts);
  bool LookForThread(const std::vector<StreamFacts>& facts);
  void ReportStandstill(const std::vector<StreamFacts>& facts);

  const For kind_;
  const void* const what_;
  const bool limited_;
  const std::uint32_t thread_;
  const std::uint64_t self_;
  const Site site_;
  Nanoseconds looked_ = 0;  // the last time
  Stillness still_;
  std::optional<Nanoseconds> hopeless_;  // it has looked so since that time of still_
  std::uint64_t progress_ = 0;
  bool told_ = false, told_thread_ = false;
};

// All of them, as plain values.
struct Waiting {
  HostWait::For kind;
  const void* what;
  bool limited;
  std::uint32_t thread;
  std::uint64_t self;
  Site site;
};
std::vector<Waiting> AllWaiting();

}  // namespace foothold::check
