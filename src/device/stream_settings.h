// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a stream is made with and what calls set later: a part of Stream that everybody asks for, so it is a
// base of it. Seldom written. All atomic, because a thread with an outdated pointer may look while the object
// is used anew. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/spin.h"

namespace foothold {

class Context;
class Executor;
class Timers;
struct StreamAllocator;

// What a stored stream is bound to: whoever runs the tasks it keeps.
class StreamBinding {
 public:
  virtual ~StreamBinding() = default;
  // The stream ends with it, and not otherwise.
  virtual bool owns_stream() const { return false; }
};

enum StreamFlags : std::uint32_t {
  kStreamFastLaunch = 1,
  kStreamFastSync = 2,
  kStreamPersistent = 4,
  kStreamHuge = 8,
  kStreamCpuSchedule = 16,
  kStreamDeviceUseOnly = 32,
};

class StreamSettings {
 public:
  struct Settings {
    std::int32_t id = 0;
    std::uint32_t priority = 0;
    std::uint32_t flags = 0;
    bool is_default = false;
  };

  Context& context() const noexcept { return *context_.load(std::memory_order_relaxed); }
  Executor& executor() const noexcept { return *executor_.load(std::memory_order_relaxed); }
  Timers& timers() const noexcept { return *timers_.load(std::memory_order_relaxed); }
  int device() const noexcept { return device_.load(std::memory_order_relaxed); }
  std::int32_t id() const noexcept { return id_.load(std::memory_order_relaxed); }
  std::uint32_t priority() const noexcept { return priority_.load(std::memory_order_relaxed); }
  std::uint32_t flags() const noexcept { return flags_.load(std::memory_order_relaxed); }
  bool is_default() const noexcept { return is_default_.load(std::memory_order_relaxed); }
  // Tasks are stored, not run, and synchronising is immediate.
  bool is_stored() const noexcept { return flags() & kStreamPersistent; }
  bool skips_sync() const noexcept {
    return flags() & (kStreamPersistent | kStreamCpuSchedule | kStreamDeviceUseOnly);
  }
  void set_priority(std::uint32_t priority) noexcept { priority_.store(priority); }

  // The program's allocator for work on this stream (aclrtAllocatorRegister), or null.
  std::shared_ptr<const StreamAllocator> allocator() const;
  void set_allocator(std::shared_ptr<const StreamAllocator> allocator);

  // Null if it is bound to nothing.
  std::shared_ptr<StreamBinding> binding() const;
  // False if it is bound already.
  bool BindTo(const std::shared_ptr<StreamBinding>& binding);
  void Unbind() noexcept;

 protected:
  // Before the stream is published.
  void Set(Context& context, Executor& executor, Timers& timers, const Settings& settings) noexcept;

 private:
  // On one cache line with the handle: every call looks at these.
  std::atomic<Context*> context_{nullptr};
  std::atomic<Executor*> executor_{nullptr};
  std::atomic<Timers*> timers_{nullptr};
  std::atomic<int> device_{0};
  std::atomic<std::int32_t> id_{0};
  std::atomic<std::uint32_t> priority_{0};
  std::atomic<std::uint32_t> flags_{0};
  std::atomic<bool> is_default_{false};

 public:
  // Only later calls read these back or later work looks at them.
  std::atomic<std::uint32_t> overflow_switch{0};
  std::atomic<std::uint32_t> custom_tag{0};
  std::atomic<std::uint32_t> cache_op_info{0};
  std::atomic<std::uint32_t> res_limit[2] = {};

 private:
  mutable SpinLock allocator_lock_;  // guards the two below
  std::shared_ptr<const StreamAllocator> allocator_;
  std::weak_ptr<StreamBinding> binding_;
};

}  // namespace foothold
