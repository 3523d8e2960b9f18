// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/run.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "base/error.h"
#include "capture/instance.h"
#include "device/observer.h"
#include "device/runtime.h"
#include "device/user_code.h"

namespace foothold {
namespace {

// What the stream of a lane runs: the lane, once.
class LaneTask {
 public:
  static constexpr bool kReplays = false;
  static constexpr bool kSuspends = true;
  static constexpr bool kRunsInner = true;

  LaneTask(std::shared_ptr<Instance> instance, std::size_t lane, std::size_t step)
      : instance_(std::move(instance)), step_(step), lane_(static_cast<std::uint32_t>(lane)) {}
  LaneTask(LaneTask&&) noexcept = default;
  ~LaneTask() { End(); }

  Outcome Run(Stream& stream) {
    foothold::Run& run = instance_->run();
    LaneRun& lane = run.lane_run(lane_);
    if (!std::exchange(begun_, true)) {
      lane.Begin(run, instance_->steps_of(lane_), LaneRun::Part::kStarted);
      lane.Jump(step_);
    }
    if (lane.Go(stream) == Outcome::kSuspended) return Outcome::kSuspended;
    run.TakeFailure(stream);
    End();
    return Outcome::kDone;
  }
  void Cancel(const Failure&) noexcept { End(); }
  Place place() const { return begun_ ? instance_->run().lane_run(lane_).place() : Place{}; }
  std::string Describe() const { return {}; }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  void End() noexcept {
    const auto instance = std::exchange(instance_, nullptr);
    if (!instance) return;
    if (begun_) instance->run().lane_run(lane_).Drop();
    instance->run().LaneEnds();
  }

  std::shared_ptr<Instance> instance_;
  std::size_t step_;
  std::uint32_t lane_;
  bool begun_ = false;
};

// Of a run that is given up in the middle.
const Failure& GivenUp() {
  static const auto* const failure = new Failure(
      std::make_shared<const Error>(kRtStreamAbort, "the run of the model instance was given up"));
  return *failure;
}
[[maybe_unused]] const Failure& given_up_at_load = GivenUp();

// Helps: this may be the only thread there is.
// Does not wait for functions of the program: one of them may be waiting for this thread.
void AwaitQuiet(Stream& stream) {
  do {
    if (!stream.TryClaim()) continue;
    Runner runner(Runner::Role::kCaller);
    stream.Drain(runner);
    runner.Flush();
  } while (!stream.waiting().UntilQuiet(Now() + kMillisecond));
}

// Without a point it is not known which lane has started this one: it knows what all have done.
void TellStart(DeviceObserver& observer, Stream& lane, Stream& main, const std::vector<StreamRef>& others,
               const void* point) noexcept {
  if (point != nullptr) return observer.OnWillKnow(lane, point);
  observer.OnWillKnowStream(lane, main);
  for (const StreamRef& other : others)
    observer.OnWillKnowStream(lane, *other.stream);
}

}  // namespace

Run::~Run() {
  CloseStreams();
}

// Precondition: the lock of the turn is held. What is given up goes on without its main stream.
bool Run::IsInside(const Stream& stream) const noexcept {
  if (main_ == nullptr || given_up_.load()) return false;
  return &stream == main_ || std::any_of(streams_.begin(), streams_.end(),
                                         [&](const StreamRef& own) { return own.stream == &stream; });
}

bool Run::TakeTurn(Stream& main) {
  {
    const std::lock_guard<SpinLock> lock(turn_->lock);
    if (turn_->run == nullptr) {
      turn_->run = this;
      main_ = &main;
      alive_.store(1);
      given_up_.store(false);
      return true;
    }
    auto& waiting = turn_->waiting;
    if (!turn_->run->IsInside(main)) {
      if (std::find(waiting.begin(), waiting.end(), &main) == waiting.end()) waiting.push_back(&main);
      return false;
    }
  }
  Fail(kRtModelExecute, "model instance {} is to run inside a run of its own, and would wait for itself",
       instance_.id());
}

bool Run::TryBegin(Stream& main) {
  if (!TakeTurn(main)) return false;
  ++number_;
  for (const StreamRef& stream : streams_)
    stream->failures().Take();  // of a run that was cancelled
  try {
    instance_.tasks().MakeChanges();
    instance_.cells().BeginRun();
    if (!instance_.is_line()) OpenStreams();
    for (std::size_t lane = 1; lane < instance_.lanes().size() && !instance_.is_line(); ++lane) {
      if (instance_.lanes()[lane]->starts_at_once) Start(lane, "aclmdlRIExecuteAsync");
    }
  } catch (...) {
    End();
    throw;
  }
  return true;
}

bool Run::TryChange() {
  {
    const std::lock_guard<SpinLock> lock(turn_->lock);
    if (turn_->run != nullptr) return false;
    turn_->run = this;
    main_ = nullptr;
    alive_.store(1);
  }
  instance_.tasks().MakeChanges();
  End();
  return true;
}

// The task that runs it is the one at the head of its stream as long as it is busy.
void Run::Abort(const Failure& failure) {
  const std::lock_guard<SpinLock> lock(turn_->lock);
  if (turn_->run != nullptr && turn_->run->main_ != nullptr) turn_->run->main_->StopRunningTask(failure);
}

void Run::End() noexcept {
  if (others_run()) Cancel(GivenUp());
  if (main_ != nullptr) LearnOthers();  // also of a run that did not get to its end: nothing of them goes on
  if (alive_.fetch_sub(1) == 1) Free();
}

void Run::Free() noexcept {
  std::vector<Stream*> waiting;
  {
    const std::lock_guard<SpinLock> lock(turn_->lock);
    turn_->run = nullptr;
    waiting.swap(turn_->waiting);
  }
  for (Stream* stream : waiting)
    stream->Wake();
}

// Twice: in the first round a lane may still have started one that was quiet before.
void Run::Cancel(const Failure& failure) noexcept {
  given_up_.store(true);
  for (int round = 0; round < 2; ++round) {
    for (const StreamRef& stream : streams_) {
      try {
        stream->Abort(failure);
        if (!InsideUserFunctionOf(*stream.stream)) AwaitQuiet(*stream.stream);
        stream->failures().Take();  // the next run begins without it
      } catch (...) {               // it would be waiting for itself
      }
    }
  }
}

void Run::Start(std::size_t lane, const char* api, std::size_t step, const void* point) {
  if (given_up_.load()) return;
  alive_.fetch_add(1);
  if (auto* const observer = Observer())
    TellStart(*observer, *streams_[lane - 1].stream, *main_, streams_, point);
  try {
    streams_[lane - 1].Push(api, LaneTask(instance_.shared_from_this(), lane, step));
  } catch (...) {
    alive_.fetch_sub(1);  // the one that starts it is there as well
    throw;
  }
}

Stream& Run::StreamOf(std::size_t lane) const noexcept {
  return lane == 0 ? *main_ : *streams_[lane - 1].stream;
}

Stream* Run::StreamThatRuns() const noexcept {
  for (const StreamRef& stream : streams_) {
    if (!stream->IsIdle()) return stream.stream;
  }
  return nullptr;
}

void Run::LaneEnds() noexcept {
  Stream& main = *main_;
  const int alive = alive_.fetch_sub(1) - 1;
  if (alive == 1) main.Wake();
  if (alive == 0) Free();
}

void Run::LearnOthers() noexcept {
  DeviceObserver* const observer = Observer();
  if (observer == nullptr) return;
  for (const StreamRef& stream : streams_)
    observer->OnLearnsStream(*main_, *stream.stream);
}

void Run::TakeFailure(Stream& of_lane) noexcept {
  if (&of_lane == main_) return;
  if (const Failure failure = of_lane.failures().Take()) main_->Adopt(failure);
}

// Those of a runtime that has ended since are of no use.
void Run::OpenStreams() {
  const std::size_t wanted = instance_.lanes().size() - 1;
  if (streams_.size() == wanted && (wanted == 0 || &streams_[0]->executor() == &main_->executor())) return;
  CloseStreams();
  std::vector<StreamRef> room;  // memory is asked for without the lock
  room.reserve(wanted);
  {
    const std::lock_guard<SpinLock> lock(turn_->lock);
    streams_.swap(room);
  }
  while (lanes_.size() <= wanted)
    lanes_.push_back(std::make_unique<LaneRun>());
  while (streams_.size() < wanted) {
    const std::int32_t id = instance_.lanes()[streams_.size() + 1]->stream_id;
    const StreamRef opened = Runtime::Get().OpenHiddenStream(main_->context(), id);
    const std::lock_guard<SpinLock> lock(turn_->lock);
    streams_.push_back(opened);
  }
}

void Run::CloseStreams() noexcept {
  std::vector<StreamRef> closed;
  {
    const std::lock_guard<SpinLock> lock(turn_->lock);
    closed.swap(streams_);
  }
  for (const StreamRef& stream : closed)
    Runtime::Get().CloseHiddenStream(stream, false);  // maybe on a thread that has just run it
}

}  // namespace foothold
