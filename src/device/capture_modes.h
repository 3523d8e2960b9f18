// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which captures keep whom from calls that do not go through a stream, or that cannot be kept to be run
// later: synchronous copies and fills, and copies of pageable memory. Any thread; a forked child starts
// without captures.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace foothold {

enum class CaptureMode : int {
  kGlobal = 0,       // no thread may
  kThreadLocal = 1,  // the thread that captures may not
  kRelaxed = 2,      // all may
};

class CaptureModes {
 public:
  static CaptureModes& Get();

  // Throws 107030 if this thread may not make such a call now.
  static void CheckAllows(const char* what) {
    if (any_strict_.load(std::memory_order_relaxed)) [[unlikely]]
      Get().Look(what);
  }

  // A capture of this mode begins or ends, both as the work of the thread `by` (base/thread_id.h).
  void Begin(CaptureMode mode, std::uint32_t by);
  void End(CaptureMode mode, std::uint32_t by) noexcept;

  // What the calling thread lets others' captures forbid it, at first kGlobal. The one before.
  static CaptureMode ExchangeForThread(CaptureMode mode) noexcept;

 private:
  void Look(const char* what) const;

  // There may be captures that are not relaxed: a forked child finds its parent's, and then none. Apart from
  // the object, which most processes never need.
  static inline std::atomic<bool> any_strict_{false};
  std::atomic<std::uint32_t> global_{0};
  mutable std::mutex mutex_;            // guards threads_
  std::vector<std::uint32_t> threads_;  // one for each strict capture
};

}  // namespace foothold
