// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// A stream whose tasks go elsewhere.
#include <mutex>
#include <utility>

#include "device/stream.h"

namespace foothold {

void Stream::Attach(const void* handle, std::shared_ptr<TaskSink> sink) {
  const std::lock_guard<SpinLock> lock(push_lock_);
  CheckTakesTasks(handle);
  if (sink_) Fail(kRtStreamCaptured, "the tasks of stream {} are being captured already", id());
  sink_ = std::move(sink);
  failures_.set_diverted(true);
}

bool Stream::Detach(const TaskSink& sink) noexcept {
  std::shared_ptr<TaskSink> gone;  // ends without the lock
  const std::lock_guard<SpinLock> lock(push_lock_);
  if (sink_.get() != &sink) return false;
  gone.swap(sink_);
  failures_.set_diverted(false);
  return true;
}

std::shared_ptr<TaskSink> Stream::sink() const noexcept {
  if (!is_diverted()) return nullptr;
  const std::lock_guard<SpinLock> lock(push_lock_);
  return sink_;
}

std::shared_ptr<CapturePoint> Stream::RecordInSink(const void* handle, std::uint32_t event) {
  if (!is_diverted()) return nullptr;
  const std::lock_guard<SpinLock> lock(push_lock_);
  CheckTakesTasks(handle);
  return sink_ ? sink_->Record(event) : nullptr;
}

void Stream::CheckMayWaitOutside(const void* handle, std::uint32_t event) {
  if (!is_diverted()) return;
  const std::lock_guard<SpinLock> lock(push_lock_);
  CheckTakesTasks(handle);
  if (sink_) sink_->RefuseOutside(event);
}

void Stream::RefuseWhileDiverted() const {
  if (const auto diverted = sink()) diverted->RefuseToWait(id());
}

}  // namespace foothold
