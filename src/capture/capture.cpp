// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/capture.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/thread_id.h"
#include "capture/instances.h"
#include "capture/joins.h"

namespace foothold {
namespace {

// What an event points at that was recorded in a captured stream.
class Point final : public CapturePoint {
 public:
  Point(std::weak_ptr<Capture> capture, std::shared_ptr<Mark> mark)
      : capture_(std::move(capture)), mark_(std::move(mark)) {}

  bool is_live() const noexcept override {
    const auto capture = capture_.lock();
    return capture && capture->status() != Capture::Status::kNone;
  }
  void Precede(const StreamRef& stream, const char* api) override {
    if (const auto capture = capture_.lock()) capture->Join(stream, mark_, api);
  }

 private:
  const std::weak_ptr<Capture> capture_;
  const std::shared_ptr<Mark> mark_;
};

}  // namespace

CaptureLane::CaptureLane(std::shared_ptr<Capture> capture, const StreamRef& stream, std::size_t index)
    : capture_(std::move(capture)),
      stream_(stream),
      index_(index),
      lane_(capture_->instance().AddLane(stream)) {}

Task& CaptureLane::Reserve(const TaskType& type) {
  if (capture_->status() == Capture::Status::kInvalidated) capture_->FailInvalidated();
  if (type.clone == nullptr)
    Fail(kRtCaptureModeBlockAsync,
         "this call has to be done when it returns, and what is captured is not run");
  try {
    return group_ ? group_->tasks().Reserve() : lane_.tasks.Reserve();
  } catch (...) {
    capture_->Invalidate("there was no memory for a task");
    throw;
  }
}

std::uint32_t CaptureLane::Commit(Task& task) noexcept {
  task.id = capture_->instance().NextTaskId();
  (group_ ? group_->tasks() : lane_.tasks).Commit();
  return task.id;
}

// Precondition: the lock of the stream's queue is held.
void CaptureLane::AddControl(std::shared_ptr<Control> control, const char* api) {
  Task& task = lane_.tasks.Reserve();
  task.type = &TaskTypeOf<ControlTask>::kType;
  task.api = api;
  task.thread = KernelThreadId();
  task.id = capture_->instance().NextTaskId();
  ::new (task.room) ControlTask(std::move(control));
  lane_.tasks.Commit();
}

void CaptureLane::Add(std::shared_ptr<Control> control, const char* api) {
  const auto hold = stream_->Hold();
  stream_->CheckCurrent(stream_.handle);
  AddControl(std::move(control), api);
}

std::shared_ptr<CapturePoint> CaptureLane::Record(std::uint32_t event) {
  if (capture_->status() == Capture::Status::kInvalidated) capture_->FailInvalidated();
  if (group_) Fail(kRtTaskGroupInterrupted, "event {} cannot be recorded inside a group of tasks", event);
  return capture_->OrInvalid([&]() -> std::shared_ptr<CapturePoint> {
    auto mark = std::make_shared<Mark>();
    mark->event = event;
    mark->lane = index_;
    AddControl(std::make_shared<RecordMark>(mark), "aclrtRecordEvent");
    return std::make_shared<Point>(capture_, std::move(mark));
  });
}

void CaptureLane::RefuseOutside(std::uint32_t event) {
  capture_->Invalidate("a stream of it was to wait for an event recorded outside of it");
  Fail(kRtCaptureDependency,
       "stream {} is being captured, and event {} was recorded outside of the capture; record it in a stream "
       "of the capture, or wait for it before the capture begins",
       stream_->id(), event);
}

void CaptureLane::Break(const char* why) noexcept {
  capture_->Lose(*this, why);
}

void CaptureLane::RefuseToWait(std::int32_t stream) const {
  Fail(kRtStreamCaptured,
       "stream {} is being captured: its tasks are kept and not run; end the capture first", stream);
}

void CaptureLane::BeginGroup() {
  const auto hold = stream_->Hold();
  if (capture_->status() == Capture::Status::kInvalidated) capture_->FailInvalidated();
  if (group_)
    Fail(kRtTaskGroupStatus, "stream {} has begun a group of tasks already; end that first", stream_->id());
  group_ = std::make_shared<TaskGroup>(capture_->instance().id());
}

void* CaptureLane::EndGroup(const char* api) {
  std::shared_ptr<TaskGroup> group;
  {
    const auto hold = stream_->Hold();
    group = CloseGroup(api);
  }
  void* const handle = TaskGroups::Get().Add(group);
  group->set_handle(handle);
  try {
    capture_->instance().KeepGroup(handle);
  } catch (...) {
    TaskGroups::Get().Remove(handle);
    throw;
  }
  return handle;
}

// Precondition: the lock of the stream's queue is held.
std::shared_ptr<TaskGroup> CaptureLane::CloseGroup(const char* api) {
  if (capture_->status() == Capture::Status::kInvalidated) capture_->FailInvalidated();
  if (!group_) {
    Fail(kRtTaskGroupStatus,
         "stream {} has not begun a group of tasks; call aclmdlRICaptureTaskGrpBegin first", stream_->id());
  }
  return capture_->OrInvalid([&] {
    const auto group = std::exchange(group_, nullptr);
    group->Prepare();
    AddControl(group, api);
    return group;
  });
}

Capture::Capture(CaptureMode mode, std::shared_ptr<Instance> instance, Fate fate)
    : mode_(mode), thread_(KernelThreadId()), instance_(std::move(instance)), fate_(fate) {}

void Capture::Begin(const StreamRef& stream, CaptureMode mode, std::shared_ptr<Instance> instance,
                    Fate fate) {
  if (stream->is_default())
    Fail(kRtStreamCaptureImplicit, "the default stream cannot be captured; create a stream for it");
  stream->CheckNotDiverted();
  CaptureModes& modes = CaptureModes::Get();
  const std::shared_ptr<Capture> capture(new Capture(mode, instance, fate));
  instance->BeginFilling();
  try {
    modes.Begin(mode, capture->thread_);
  } catch (...) {
    instance->GiveUp();
    throw;
  }
  try {
    const std::lock_guard<std::mutex> lock(capture->mutex_);
    capture->AddStream(stream);
  } catch (...) {
    modes.End(mode, capture->thread_);
    instance->GiveUp();
    throw;
  }
}

std::shared_ptr<CaptureLane> Capture::LaneOf(const StreamRef& stream) {
  return std::dynamic_pointer_cast<CaptureLane>(stream->sink());
}

Capture::Status Capture::status() const noexcept {
  if (over_.load()) return Status::kNone;
  return broken_.load() == nullptr ? Status::kActive : Status::kInvalidated;
}

void Capture::Invalidate(const char* why) noexcept {
  const char* none = nullptr;
  broken_.compare_exchange_strong(none, why);
}

void Capture::FailInvalidated() const {
  Fail(kRtStreamCaptureInvalidated, "the capture is no longer valid: {}; end it and capture again",
       broken_.load());
}

// Precondition: mutex_ is held.
std::shared_ptr<CaptureLane> Capture::AddStream(const StreamRef& stream) {
  lanes_.reserve(lanes_.size() + 1);
  auto lane = std::make_shared<CaptureLane>(shared_from_this(), stream, lanes_.size());
  stream->Attach(stream.handle, lane);
  lanes_.push_back(lane);
  return lane;
}

void Capture::Join(const StreamRef& stream, const std::shared_ptr<Mark>& mark, const char* api) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (over_.load()) return;
  if (broken_.load() != nullptr) FailInvalidated();
  auto lane = LaneOf(stream);
  if (lane && &lane->capture() != this) {
    Invalidate("a stream of another capture was to wait for an event of it");
    lane->capture().Invalidate("a stream of it was to wait for an event of another capture");
    Fail(kRtStreamCaptureConflict, "stream {} belongs to another capture than the event it is to wait for",
         stream->id());
  }
  if (stream->is_default()) {
    Invalidate("the default stream was to wait for an event of it");
    Fail(kRtStreamCaptureImplicit,
         "the default stream cannot be captured, so it cannot wait for an event of a capture");
  }
  if (!lane) {
    stream->CheckNotDiverted();
    lane = OrInvalid([&] { return AddStream(stream); });
  }
  const auto hold = stream->Hold();
  if (lane->group_)
    Fail(kRtTaskGroupInterrupted, "stream {} cannot wait for an event inside a group of tasks", stream->id());
  OrInvalid([&] { lane->AddControl(std::make_shared<WaitForMark>(mark), api); });
}

void Capture::Lose(const CaptureLane& lane, const char* why) noexcept {
  Invalidate(why);
  if (lane.index() != 0) return;
  Detach();  // nobody can end it any more
  GiveUp();
}

void Capture::GiveUp() noexcept {
  instance_->GiveUp();
  if (fate_ == Fate::kRemoved) Instances::Get().Remove(instance_->handle());
}

std::vector<std::shared_ptr<CaptureLane>> Capture::Detach() noexcept {
  std::vector<std::shared_ptr<CaptureLane>> lanes;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (over_.exchange(true)) return lanes;
    lanes.swap(lanes_);
  }
  CaptureModes::Get().End(mode_, thread_);
  for (const auto& lane : lanes)
    lane->stream().stream->Detach(*lane);
  return lanes;
}

std::shared_ptr<Instance> Capture::End(const StreamRef& stream) {
  const auto lane = LaneOf(stream);
  if (!lane) Fail(kRtStreamNotCaptured, "stream {} is not being captured", stream->id());
  Capture& capture = lane->capture();
  if (lane->index() != 0) {
    Fail(kRtStreamCaptureUnmatched,
         "stream {} has joined a capture that began on another stream; end it there", stream->id());
  }
  if (capture.mode_ != CaptureMode::kRelaxed && capture.thread_ != KernelThreadId()) {
    Fail(kRtStreamCaptureWrongThread,
         "the capture of stream {} was begun by thread {} and ends only there, unless it is begun in mode "
         "ACL_MODEL_RI_CAPTURE_MODE_RELAXED (2)",
         stream->id(), capture.thread_);
  }
  const auto lanes = capture.Detach();
  if (lanes.empty()) Fail(kRtStreamNotCaptured, "the capture of stream {} was ended meanwhile", stream->id());
  try {
    capture.Finish(lanes);
  } catch (...) {
    capture.GiveUp();
    throw;
  }
  return capture.instance_;
}

void Capture::Finish(const std::vector<std::shared_ptr<CaptureLane>>& lanes) {
  if (broken_.load() != nullptr) FailInvalidated();
  for (const auto& lane : lanes) {
    if (lane->group_) {
      Fail(kRtTaskGroupInterrupted,
           "the capture ended inside a group of tasks of stream {}; end the group first",
           lane->stream()->id());
    }
  }
  CheckJoined(*instance_);
  instance_->Prepare();
}

}  // namespace foothold
