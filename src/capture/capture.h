// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A capture that goes on: the streams that belong to it, whose tasks go into the lanes of an instance. A
// stream comes in at the begin, or by waiting for an event recorded in a stream that is in. Any thread,
// unless a comment says otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "capture/instance.h"
#include "capture/mark.h"
#include "capture/task_group.h"
#include "device/capture_modes.h"
#include "device/stream.h"
#include "device/task_sink.h"

namespace foothold {

class Capture;

// One stream's part. The lane is filled under the lock of the stream's queue, which the sink is called under.
class CaptureLane final : public TaskSink, public std::enable_shared_from_this<CaptureLane> {
 public:
  CaptureLane(std::shared_ptr<Capture> capture, const StreamRef& stream, std::size_t index);

  Task& Reserve(const TaskType& type) override;
  std::uint32_t Commit(Task& task) noexcept override;
  std::shared_ptr<CapturePoint> Record(std::uint32_t event) override;
  void RefuseOutside(std::uint32_t event) override;
  void Break(const char* why) noexcept override;
  void RefuseToWait(std::int32_t stream) const override;

  Capture& capture() const { return *capture_; }
  const StreamRef& stream() const { return stream_; }
  std::size_t index() const { return index_; }

  // A control behind the last task.
  void Add(std::shared_ptr<Control> control, const char* api);
  // Throw 107033.
  void BeginGroup();
  void* EndGroup(const char* api);

 private:
  friend class Capture;
  void AddControl(std::shared_ptr<Control> control, const char* api);
  std::shared_ptr<TaskGroup> CloseGroup(const char* api);

  const std::shared_ptr<Capture> capture_;
  const StreamRef stream_;
  const std::size_t index_;
  Lane& lane_;
  std::shared_ptr<TaskGroup> group_;  // that is open
};

class Capture : public std::enable_shared_from_this<Capture> {
 public:
  enum class Status { kNone = 0, kActive = 1, kInvalidated = 2 };

  // The tasks of `stream` go into `instance`, which is empty, from now on. Throws 107031 for a default
  // stream, 107027 for one whose tasks go elsewhere already, 107026 for an instance that is being captured,
  // 107000 for one that is not empty. `Fate`: what happens to its handle if nothing comes of it.
  enum class Fate { kRemoved, kStays };
  static void Begin(const StreamRef& stream, CaptureMode mode, std::shared_ptr<Instance> instance, Fate fate);
  // What the stream takes part in, or null.
  static std::shared_ptr<CaptureLane> LaneOf(const StreamRef& stream);

  // On the stream it began on: nothing is captured any more, and the instance is ready. Throws 107029, 107036
  // and 107038 with the capture going on; 107025, 107034, 107045 and 507903 with it over and nothing
  // captured.
  static std::shared_ptr<Instance> End(const StreamRef& stream);

  Status status() const noexcept;
  // Nothing will come of it. The first reason is kept for the end.
  void Invalidate(const char* why) noexcept;
  // What it fails with from then on.
  [[noreturn]] void FailInvalidated() const;

  Instance& instance() const { return *instance_; }
  CaptureMode mode() const { return mode_; }

  // `stream` comes in, if it is not, and goes on behind `mark`.
  void Join(const StreamRef& stream, const std::shared_ptr<Mark>& mark, const char* api);

 private:
  // What `add` adds belongs to the capture: without it nothing will come of that.
  template <typename Add>
  auto OrInvalid(const Add& add) {
    try {
      return add();
    } catch (...) {
      Invalidate("there was no memory for a part of it");
      throw;
    }
  }

  Capture(CaptureMode mode, std::shared_ptr<Instance> instance, Fate fate);
  std::shared_ptr<CaptureLane> AddStream(const StreamRef& stream);
  // A stream was destroyed.
  void Lose(const CaptureLane& lane, const char* why) noexcept;
  friend class CaptureLane;
  // Nothing is captured any more. What was, or nothing if that is so already.
  std::vector<std::shared_ptr<CaptureLane>> Detach() noexcept;
  void GiveUp() noexcept;
  void Finish(const std::vector<std::shared_ptr<CaptureLane>>& lanes);

  const CaptureMode mode_;
  const std::uint32_t thread_;
  const std::shared_ptr<Instance> instance_;
  const Fate fate_;
  std::atomic<const char*> broken_{nullptr};
  std::atomic<bool> over_{false};
  std::mutex mutex_;  // guards streams coming in and going out; taken before the lock of a stream's queue
  std::vector<std::shared_ptr<CaptureLane>> lanes_;
};

}  // namespace foothold
