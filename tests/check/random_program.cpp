// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/random_program.h"

#include <map>
#include <utility>

namespace checked {
namespace {

using Kind = Step::Kind;
using Known = std::bitset<2048>;  // accesses that are over

struct Touched {
  Range range;
  bool write;
  int stream;  // to wait for if it is to be over; -1: the host's
};

// What each stream and the host know after each call.
class Oracle {
 public:
  // Accesses that the step would have no order with.
  std::vector<int> Unordered(const Step& step) {
    Oracle trial = *this;
    trial.found_.clear();
    trial.Follow(step);
    return trial.found_;
  }
  void Follow(const Step& step);
  bool raced() const { return !found_.empty(); }
  const Touched& access(int index) const { return accesses_[static_cast<std::size_t>(index)]; }
  // Of steps inside a capture: which lane to wait for.
  int lane_of(int index) const { return lanes_.at(index); }

 private:
  void Touch(const Known& known, const Range& range, bool write, int stream, Known& adds) {
    for (std::size_t i = 0; i < accesses_.size(); ++i) {
      const Touched& before = accesses_[i];
      if ((write || before.write) && before.range.Meets(range) && !known[i] && !adds[i])
        found_.push_back(static_cast<int>(i));
    }
    adds.set(accesses_.size());
    accesses_.push_back({range, write, stream});
  }
  // A task of a stream, or of a lane of a capture.
  void Task(Known& lane, const Step& step, int stream) {
    Known mine;
    if (step.kind == Kind::kCopy) Touch(lane, step.from, false, stream, mine);
    if (step.kind == Kind::kFill || step.kind == Kind::kCopy) Touch(lane, step.to, true, stream, mine);
    lane |= mine;
  }
  void Run(const Step& capture, int stream);

  std::vector<Touched> accesses_;
  std::map<int, int> lanes_;
  Known streams_[kStreams], host_;
  std::map<int, Known> events_, notifies_;
  std::map<int, Step> captures_;
  std::vector<int> found_;
};

void Oracle::Run(const Step& capture, int stream) {
  Known lanes[2];
  lanes[0] = streams_[stream];
  std::map<int, Known> marks;
  bool forked = false;
  for (const Step& step : capture.inner) {
    const int lane = step.stream == capture.stream ? 0 : 1;
    if (lane == 1 && !forked) {
      lanes[1] = lanes[0];
      forked = true;
    }
    const auto first = static_cast<int>(accesses_.size());
    if (step.kind == Kind::kRecordEvent) {
      marks[step.object] = lanes[lane];
    } else if (step.kind == Kind::kWaitEvent) {
      lanes[lane] |= marks[step.object];
    } else {
      Task(lanes[lane], step, stream);
    }
    for (auto i = first; i < static_cast<int>(accesses_.size()); ++i)
      lanes_[i] = step.stream;
  }
  streams_[stream] = lanes[0] | lanes[1];
}

void Oracle::Follow(const Step& step) {
  Known& stream = streams_[step.stream];
  const bool queues = step.kind != Kind::kSyncStream && step.kind != Kind::kSyncEvent &&
                      step.kind != Kind::kHostFill && step.kind != Kind::kCapture &&
                      step.kind != Kind::kHandOn;
  if (queues) stream |= host_;
  switch (step.kind) {
    case Kind::kFill:
    case Kind::kCopy:
      return Task(stream, step, step.stream);
    case Kind::kRecordEvent:
      events_[step.object] = stream;
      return;
    case Kind::kWaitEvent:
      stream |= events_[step.object];
      return;
    case Kind::kRecordNotify:
      notifies_[step.object] = stream;
      return;
    case Kind::kWaitNotify:
      stream |= notifies_[step.object];
      return;
    case Kind::kSyncStream:
      host_ |= stream;
      return;
    case Kind::kSyncEvent:
      host_ |= events_[step.object];
      return;
    case Kind::kHostFill:
      return Touch(Known(host_), step.to, true, -1, host_);
    case Kind::kHostFunction: {
      Known mine;
      Touch(stream | host_, step.to, true, -1, mine);
      stream |= mine;
      host_ |= stream;
      return;
    }
    case Kind::kCapture:
      captures_[step.object] = step;
      return;
    case Kind::kRun:
      return Run(captures_.at(step.object), step.stream);
    case Kind::kHandOn:  // touches nothing: who uses the block next has to wait for those before
      return;
  }
}

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  RandomProgram Draw() {
    const int steps = Number(4, 24);
    for (int i = 0; i < steps; ++i)
      Add(Any());
    return std::move(program_);
  }

 private:
  int Number(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }
  Range AnyRange() { return {Number(0, kBuffers - 1), Number(0, 2)}; }

  Step AnyTask(int stream) {
    Step step{Number(0, 1) == 0 ? Kind::kFill : Kind::kCopy, stream, 0, 0, AnyRange(), AnyRange()};
    // A copy is inside of one size and does not overlap itself.
    if (step.kind == Kind::kCopy) {
      step.from.part = step.to.part = Number(0, 2);
      if (step.from.buffer == step.to.buffer) step.from.buffer = (step.to.buffer + 1) % kBuffers;
    }
    return step;
  }

  Step Any() {
    const int stream = Number(0, kStreams - 1);
    switch (Number(0, 9)) {
      case 0:
        return {Kind::kHostFill, 0, 0, 0, AnyRange()};
      case 1:
        return {Kind::kHostFunction, stream, 0, 0, AnyRange()};
      case 2:
        return AnyCapture(stream);
      case 3:
        if (program_.instances > 0) return {Kind::kRun, stream, 0, Number(0, program_.instances - 1)};
        return AnyTask(stream);
      case 4:
        return {Kind::kHandOn, stream, 0, 0, {Number(0, kBuffers - 1), 2}};
      default:
        return AnyTask(stream);
    }
  }

  // Two lanes: where one meets the other, it waits for it inside of the capture.
  Step AnyCapture(int stream) {
    Step capture{Kind::kCapture, stream, (stream + 1) % kStreams, program_.instances++};
    const int tasks = Number(1, 5);
    for (int i = 0; i < tasks; ++i) {
      const Step task = AnyTask(Number(0, 2) == 0 ? capture.other : capture.stream);
      Step trial = capture;
      trial.inner.push_back(task);
      Oracle alone;
      alone.Follow(trial);
      const auto unordered = alone.Unordered({Kind::kRun, stream, 0, trial.object});
      if (!unordered.empty()) {
        const int from = task.stream == capture.stream ? capture.other : capture.stream;
        const int event = program_.events++;
        capture.inner.push_back({Kind::kRecordEvent, from, 0, event});
        capture.inner.push_back({Kind::kWaitEvent, task.stream, 0, event, {}, {}, true});
      }
      capture.inner.push_back(task);
    }
    return capture;
  }

  void Put(Step step) {
    oracle_.Follow(step);
    program_.steps.push_back(std::move(step));
  }

  // What it needs to wait for comes before it.
  void Add(const Step& step) {
    for (auto unordered = oracle_.Unordered(step); !unordered.empty(); unordered = oracle_.Unordered(step))
      AddWait(oracle_.access(unordered[0]).stream, step);
    Put(step);
  }

  void AddWait(int from, const Step& step) {
    const bool host = step.kind == Kind::kHostFill;
    const int way = Number(0, 3);
    if (way == 0) return Put({Kind::kSyncStream, from, 0, 0, {}, {}, true});
    if (way == 1 && !host) {
      const int notify = program_.notifies++;
      Put({Kind::kRecordNotify, from, 0, notify});
      return Put({Kind::kWaitNotify, step.stream, 0, notify, {}, {}, true});
    }
    const int event = program_.events++;
    Put({Kind::kRecordEvent, from, 0, event});
    Put({host ? Kind::kSyncEvent : Kind::kWaitEvent, host ? 0 : step.stream, 0, event, {}, {}, true});
  }

  std::mt19937 random_;
  RandomProgram program_;
  Oracle oracle_;
};

}  // namespace

RandomProgram DrawProgram(std::uint32_t seed) {
  return Generator(seed).Draw();
}

bool RemoveOneWait(RandomProgram& program, std::uint32_t seed) {
  std::vector<std::pair<std::vector<Step>*, std::size_t>> waits;
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    if (program.steps[i].removable) waits.emplace_back(&program.steps, i);
    auto& inner = program.steps[i].inner;
    for (std::size_t k = 0; k < inner.size(); ++k)
      if (inner[k].removable) waits.emplace_back(&inner, k);
  }
  if (waits.empty()) return false;
  const auto [list, at] = waits[std::mt19937(seed)() % waits.size()];
  list->erase(list->begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

bool HasRace(const RandomProgram& program) {
  Oracle oracle;
  for (const Step& step : program.steps)
    oracle.Follow(step);
  return oracle.raced();
}

}  // namespace checked
