// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The checking mode as an observer of devices: from their tasks, waits and calls to what it wants to know of
// them. Any thread.
#pragma once

#include "device/observer.h"

namespace foothold::check {

class TasksOfDevices : public DeviceObserver {
 public:
  void OnTaskQueued(const Stream& stream, const Task& task) noexcept override;
  void OnTaskBegins(const Stream& stream, const Task& task) override;
  void OnTaskEnds(const Stream& stream, std::uint32_t task) noexcept override;
  void OnTaskDropped(const Stream& stream, std::uint32_t task) noexcept override;
  void OnTaskFailed(const Stream& stream, const Task& task, const std::string& arguments,
                    const Error& error) noexcept override;
  void OnStreamEnds(const Stream& stream, bool failed, std::uint64_t dropped) noexcept override;

  void OnCaptured(const Task& task) noexcept override;
  void OnForgotten(const Task& task) noexcept override;
  void OnInstanceRuns(std::uint32_t instance, const std::vector<const Task*>& tasks) override;
  bool OnInnerBegins(const Stream& stream, const Task& task, std::uint32_t instance,
                     std::uint64_t run) override;
  void OnReplayed(const Task& task) noexcept override;

  void OnTouched(const std::vector<foothold::Access>& accesses) override;
  void OnPortGiven(const void* address) override;
  void OnWritten(const void* address, std::size_t bytes) noexcept override;
  void OnWritesUnknown() noexcept override;
  void OnMemoryFreed(const void* address) override;
  void OnMemoryTaken(std::uint64_t serial) noexcept override;
  void OnMemoryShared(std::uint64_t serial) noexcept override;
};

class OrderOfDevices final : public TasksOfDevices {
 public:
  void OnReaches(const Stream& stream, const std::shared_ptr<const void>& point, Point how) noexcept override;
  void OnLearns(const Stream& stream, const void* point) noexcept override;
  void OnLearnsValue(const Stream& stream, const foothold::Access& value) noexcept override;
  void OnLearnsStream(const Stream& stream, const Stream& other) noexcept override;
  void OnWillKnow(const Stream& stream, const void* point) noexcept override;
  void OnWillKnowStream(const Stream& stream, const Stream& other) noexcept override;
  void OnPassesWait(const Stream& stream, const SyncUse& wait) override;
  void OnWaitsForNoRecord(const Stream& stream, const EventState& event) override;

  void OnHostLearns(const void* point) noexcept override;
  void OnHostLearns(const Stream& stream) noexcept override;
  void OnHostTimesOut(const Stream& stream) noexcept override;
  void OnFailureSeen(const Stream& stream) noexcept override;
  std::unique_ptr<Wait> OnHostWaits(WaitsFor kind, const void* what, bool limited) override;

  void OnEventLookedAt(const EventState& event) noexcept override;
  void OnEventWaitsKnown(const EventState& event) noexcept override;
  void OnEventDestroyed(const EventState& event) noexcept override;
  void OnEventGone(const EventState& event) noexcept override;
  void OnTimesOfTwoStreams(const EventState& start, const EventState& end) override;
  void OnNotifyCleared(const void* notify) noexcept override;
  void OnNotifyDestroyed(const void* notify) noexcept override;
  void OnNotifyGone(const void* notify) noexcept override;

  void OnFunctionQueued(const Stream& stream) noexcept override;
  std::unique_ptr<Call> OnFunctionCalled(const Stream& stream, bool holds_stream,
                                         const void* function) noexcept override;
  void OnLetterLeaves(const Stream& stream) noexcept override;
  void OnThreadSubscribed(std::uint64_t thread) noexcept override;
  void OnThreadUnsubscribes(const Stream& stream, const char* launch,
                            std::uint64_t letters) noexcept override;
};

}  // namespace foothold::check
