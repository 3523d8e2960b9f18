// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The process's runtime: devices, the pools behind all handles, the worker threads. Made at first use, never
// destroyed (entry points may be called from static destructors), and made anew in a forked child, where the
// parent's threads do not exist and its handles mean nothing. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/handle_pool.h"
#include "device/context.h"
#include "device/device.h"
#include "device/device_memory.h"
#include "device/event.h"
#include "device/exception_callbacks.h"
#include "device/executor.h"
#include "device/label.h"
#include "device/mailboxes.h"
#include "device/notify.h"
#include "device/state_callbacks.h"
#include "device/stream.h"
#include "device/timers.h"
#include "device/utilization.h"

namespace foothold {

struct Limits {
  std::uint32_t streams;   // per device
  std::uint32_t events;    // per device
  std::uint32_t notifies;  // per device
};

class Runtime {
 public:
  static Runtime& Get();
  // Null before the first use and in a fresh child process.
  static Runtime* GetIfAlive() noexcept;

  // Initialisation by aclInit or another front door; `default_device` from its configuration.
  void Start(std::optional<int> default_device);
  // Use without initialisation; a default device that is known stays.
  void StartAsItIs() { started_.store(true); }
  // Resets all devices and ends all threads. The first throws 107000 where the second must not be called:
  // inside a function of the program that runs on a stream or is told of a reset.
  void CheckMayStop() const;
  void Stop();
  bool started() const { return started_.load(); }

  int device_count() const { return static_cast<int>(devices_.size()); }
  Device& device(int id);  // throws 107001
  std::optional<int> default_device() const;
  // The device behind a number of the machine (ASCEND_RT_VISIBLE_DEVICES renumbers); throws 107001.
  Device& device_by_physical_id(int physical_id);
  const std::string& soc_name() const { return soc_name_; }
  // Cores that run the work of all devices (FOOTHOLD_THREADS).
  int cores() const { return cores_; }

  // A thread chose a device: one more user, and its default context becomes current.
  void SetDevice(int id);
  void ResetDevice(int id, bool force);
  bool SynchronizeDevice(Device& device, Nanoseconds deadline);
  std::vector<StreamRef> StreamsOf(const Device& device);

  // Both make it the thread's current one.
  Context& CreateContext(int device);
  void UseContext(const void* handle);
  void DestroyContext(const void* handle);

  // A function that is told of every stream that has ended, by the handle it had, with no lock held. One for
  // the process, set before there are streams; children have it too.
  using StreamEndListener = void (*)(const void* handle);
  static void SetStreamEndListener(StreamEndListener listener) noexcept;

  Stream& CreateStream(Context& context, std::uint32_t priority, std::uint32_t flags);
  void DestroyStream(const StreamRef& stream, bool force);
  // A stream that no call of the program finds and no limit counts, as if of this context. Closed, it does
  // what is queued, or drops it and waits for what runs.
  StreamRef OpenHiddenStream(Context& context, std::int32_t id, std::uint32_t flags = 0);
  void CloseHiddenStream(const StreamRef& stream, bool drop) noexcept;

  void* CreateEvent(Context& context, Event::Kind kind, std::uint32_t flags);
  // One of another process, and the same for notifies.
  void* AdoptEvent(Context& context, std::shared_ptr<SharedEvent> shared);
  void DestroyEvent(const void* handle);
  void* CreateNotify(Context& context);
  void* AdoptNotify(Context& context, std::shared_ptr<SharedNotify> shared);
  void DestroyNotify(const void* handle);
  void* CreateCountNotify(Context& context);
  void DestroyCountNotify(const void* handle);

  const Limits& limits() const { return limits_; }

  HandlePool<Context> contexts{HandleKind::kContext};
  HandlePool<Stream> streams{HandleKind::kStream};
  HandlePool<Event> events{HandleKind::kEvent};
  HandlePool<Notify> notifies{HandleKind::kNotify};
  HandlePool<CountNotify> count_notifies{HandleKind::kCountNotify};
  HandlePool<Label> labels{HandleKind::kLabel};
  HandlePool<LabelList> label_lists{HandleKind::kLabelList};
  Mailboxes mailboxes;
  ExceptionCallbacks exception_callbacks;
  StateCallbacks state_callbacks;
  Timers timers;
  Utilization utilization;
  std::atomic<std::uint32_t> next_label{0};  // the number of the next one

  // Process-wide settings.
  std::atomic<std::uint32_t> op_wait_timeout{0};     // seconds, 0 = never
  std::atomic<std::uint64_t> op_execute_timeout{0};  // microseconds, 0 = the maximum
  std::atomic<std::int64_t> sys_params[Context::kSysParams] = {};

 private:
  Runtime();
  Executor& executor();
  Context& OpenContext(Device& device, bool is_default);
  // False if another thread closes it.
  bool CloseContext(Context& context, const void* handle);
  // Waits for work that can go on by itself; what waits for something only another call could bring is given
  // up.
  void WaitWhileMoving(const Context& context);
  bool IsMoving(std::uint64_t& progress);
  Stream& OpenStream(Context& context, std::uint32_t priority, std::uint32_t flags, bool is_default);
  Stream& TakeStream(Context& context, const Stream::Settings& settings);
  bool CloseStream(const StreamRef& stream, bool drop);  // false if it was closed already
  void ReleaseDevice(Device& device);
  template <typename... Arguments>
  void* OpenEvent(Device& device, Arguments&&... arguments);
  template <typename State, typename Pool, typename... Arguments>
  void* OpenNotify(Pool& pool, Context& context, Arguments&&... arguments);
  template <typename Pool>
  void CloseNotify(Pool& pool, const void* handle);
  template <typename Pool>
  void CloseAllOf(Pool& pool, const Device& device);

  Limits limits_;
  const std::string soc_name_;
  const int cores_;
  std::atomic<bool> started_{false};
  std::vector<std::unique_ptr<Device>> devices_;
  std::atomic<int> default_device_{-1};
  std::atomic<std::int32_t> next_stream_id_{0};
  std::atomic<std::uint32_t> next_event_id_{0};
  std::atomic<std::uint32_t> next_notify_id_{0};
  std::mutex executor_mutex_;  // guards making and ending executor_
  std::unique_ptr<Executor> executor_;
};

}  // namespace foothold
