// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Draws programs. A step that touches memory which another stream of its body has touched waits for that
// stream first, unless something has ordered the two already.
#include <algorithm>
#include <array>
#include <random>

#include "conformance/capture_model/program.h"

namespace capture_model {
namespace {

// What steps touch, one bit each: buffers, cells, conditions.
struct Touched {
  std::uint64_t reads = 0, writes = 0;
  void operator|=(const Touched& other) {
    reads |= other.reads;
    writes |= other.writes;
  }
};
std::uint64_t Buffer(int index) {
  return std::uint64_t{1} << index;
}
std::uint64_t Cell(int index) {
  return std::uint64_t{1} << (kBuffers + index);
}
std::uint64_t ConditionBit(int index) {
  return std::uint64_t{1} << (kBuffers + kCells + index);
}

// Which steps of a body come before which.
class Order {
 public:
  Order() { active_[0] = true; }
  bool active(int stream) const { return active_[stream]; }
  // A stream whose work `stream` must wait for before it may touch this, or -1.
  int Missing(int stream, const Touched& touched) const {
    for (int other = 0; other < kStreams; ++other) {
      if (other == stream) continue;
      for (std::size_t i = Seen(stream, other); i < done_[other].size(); ++i) {
        const Touched& before = done_[other][i];
        if ((before.writes & (touched.reads | touched.writes)) != 0 || (before.reads & touched.writes) != 0)
          return other;
      }
    }
    return -1;
  }
  // Something of `other` that `stream` does not come behind.
  bool IsAhead(int other, int stream) const { return Seen(stream, other) < done_[other].size(); }
  void Do(int stream, const Touched& touched) { done_[stream].push_back(touched); }
  void Wait(int stream, int other) {
    active_[stream] = true;
    for (int i = 0; i < kStreams; ++i)
      if (i != stream) seen_[stream][i] = std::max(seen_[stream][i], Seen(other, i));
  }

 private:
  std::size_t Seen(int stream, int other) const {
    return stream == other ? done_[other].size() : seen_[stream][other];
  }
  bool active_[kStreams] = {};
  std::array<std::vector<Touched>, kStreams> done_;
  std::size_t seen_[kStreams][kStreams] = {};
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) { program_.seed = seed; }
  Program Make();

 private:
  int Draw(int count) { return static_cast<int>(random_() % static_cast<std::uint64_t>(count)); }
  bool OneIn(int count) { return Draw(count) == 0; }
  int Device() { return Draw(kDeviceBuffers); }
  int Like(int buffer) { return (Draw(kDeviceBuffers / 2) * 2) + buffer % 2; }

  Touched Fill(Body& body, int depth);
  Touched DrawTask(Step& step, Kind kind);
  Touched PlaceNeighbours(Body& body, Order& order, const Step& first);
  Touched DrawGroup(Step& step);
  bool DrawCondition(Body& body, Order& order, int depth, Touched& all);
  void Place(Body& body, Order& order, Step step, const Touched& touched);
  void Sync(Body& body, Order& order, int from, int to);
  Kind DrawKind();

  Program program_;
  std::mt19937_64 random_;
  int notifies_ = 0;
};

void Generator::Sync(Body& body, Order& order, int from, int to) {
  Step step;
  step.from = from;
  step.stream = to;
  step.kind = Kind::kEvent;
  step.id = Draw(kEvents);
  if (order.active(to) && notifies_ < kNotifies && OneIn(3)) {
    step.kind = Kind::kNotify;
    step.id = notifies_++;
  }
  body.steps.push_back(step);
  order.Wait(to, from);
}

void Generator::Place(Body& body, Order& order, Step step, const Touched& touched) {
  if (!order.active(step.stream)) Sync(body, order, 0, step.stream);
  for (int other = order.Missing(step.stream, touched); other >= 0;
       other = order.Missing(step.stream, touched))
    Sync(body, order, other, step.stream);
  order.Do(step.stream, touched);
  body.steps.push_back(std::move(step));
}

Kind Generator::DrawKind() {
  static constexpr Kind kKinds[] = {Kind::kCopy,        Kind::kCopy,       Kind::kFill, Kind::kReduce,
                                    Kind::kReduce,      Kind::kAdd,        Kind::kAdd,  Kind::kMul,
                                    Kind::kMaximum,     Kind::kFillScalar, Kind::kAdd,  Kind::kValueWrite,
                                    Kind::kHostFunction};
  return kKinds[Draw(static_cast<int>(std::size(kKinds)))];
}

Touched Generator::DrawTask(Step& step, Kind kind) {
  step.kind = kind;
  step.value = Draw(5);
  step.first = Draw(500);
  step.count = 1 + Draw(500);
  step.out = Device();
  step.a = Like(step.out);
  step.b = Like(step.out);
  switch (kind) {
    case Kind::kFill:
    case Kind::kFillScalar:
      return {0, Buffer(step.out)};
    case Kind::kCopy:
      if (OneIn(3)) {  // floats of the host, there or back
        (OneIn(2) ? step.a : step.out) = kDeviceBuffers + Draw(kHostBuffers);
        int& device = step.a < kDeviceBuffers ? step.a : step.out;
        device = Draw(kDeviceBuffers / 2) * 2;
      } else if (step.a == step.out) {
        step.a = (step.out + 2) % kDeviceBuffers;
      }
      return {Buffer(step.a), Buffer(step.out)};
    case Kind::kReduce:
      if (step.a == step.out) step.a = (step.out + 2) % kDeviceBuffers;
      return {Buffer(step.a), Buffer(step.out)};
    case Kind::kValueWrite:
      step.out = Draw(kCells);
      return {0, Cell(step.out)};
    case Kind::kHostFunction:
      step.out = kDeviceBuffers + Draw(kHostBuffers);
      return {0, Buffer(step.out)};
    default:
      return {Buffer(step.a) | Buffer(step.b), Buffer(step.out)};
  }
}

// More calls on the same elements, which may be run as one with the first.
Touched Generator::PlaceNeighbours(Body& body, Order& order, const Step& first) {
  Touched all;
  for (int i = Draw(6); i > 0; --i) {
    static constexpr Kind kKinds[] = {Kind::kAdd, Kind::kMul, Kind::kMaximum};
    Step step;
    step.stream = first.stream;
    const Touched touched = DrawTask(step, kKinds[Draw(3)]);
    step.first = first.first;
    step.count = first.count;
    Place(body, order, step, touched);
    all |= touched;
  }
  return all;
}

Touched Generator::DrawGroup(Step& step) {
  step.kind = Kind::kGroup;
  step.id = program_.groups++;
  std::vector<Kind> kinds;
  for (int i = 1 + Draw(3); i > 0; --i) {
    static constexpr Kind kKinds[] = {Kind::kAdd, Kind::kMul, Kind::kMaximum, Kind::kFillScalar,
                                      Kind::kReduce};
    kinds.push_back(kKinds[Draw(5)]);
  }
  Touched all;
  step.variants.resize(kVariants);
  for (auto& variant : step.variants) {
    for (const Kind kind : kinds) {
      Step task;
      task.stream = step.stream;
      all |= DrawTask(task, kind);
      variant.push_back(task);
    }
  }
  return all;
}

// One with its children; the condition is set from a cell, or counted down, or by its default alone.
bool Generator::DrawCondition(Body& body, Order& order, int depth, Touched& all) {
  if (static_cast<int>(program_.conditions.size()) == kConditions) return false;
  const int id = static_cast<int>(program_.conditions.size());
  Step step;
  step.id = id;
  step.stream = Draw(kStreams);
  step.late = OneIn(3);
  static constexpr Kind kKinds[] = {Kind::kIf, Kind::kWhile, Kind::kSwitch};
  step.kind = kKinds[Draw(3)];
  program_.conditions.push_back({static_cast<std::uint32_t>(Draw(kMostCell + 1)), !OneIn(3)});
  body.conditions.push_back(id);
  if (OneIn(2)) {
    Step set;
    set.kind = Kind::kSetCondition;
    set.stream = Draw(kStreams);
    set.a = Draw(kCells);
    set.out = id;
    const Touched touched{Cell(set.a), ConditionBit(id)};
    Place(body, order, set, touched);
    all |= touched;
  }
  const bool loops = step.kind == Kind::kWhile;
  const int children = loops ? 1 : step.kind == Kind::kIf ? 1 + Draw(2) : 1 + Draw(3);
  Touched touched{ConditionBit(id), 0};
  for (int i = 0; i < children; ++i) {
    Body child;
    touched |= Fill(child, depth + 1);
    if (loops || OneIn(4)) {
      // Behind all else, on the stream that has waited for the others.
      Step change;
      change.kind = loops ? Kind::kCountDown : Kind::kWriteCondition;
      change.value = Draw(kMostCell + 1);
      change.out = id;
      touched.writes |= ConditionBit(id);
      child.steps.push_back(change);
    }
    step.children.push_back(std::move(child));
  }
  Place(body, order, std::move(step), touched);
  all |= touched;
  return true;
}

Touched Generator::Fill(Body& body, int depth) {
  Order order;
  Touched all;
  const int steps = depth == 0 ? 4 + Draw(16) : 1 + Draw(5);
  for (int i = 0; i < steps; ++i) {
    if (depth + 1 < kDepth && OneIn(8) && DrawCondition(body, order, depth, all)) continue;
    Step step;
    step.stream = Draw(kStreams);
    Touched touched;
    if (depth + 1 < kDepth && OneIn(16)) {
      step.kind = Kind::kInstance;
      step.children.emplace_back();
      touched = Fill(step.children.back(), depth + 1);
    } else if (program_.groups < kGroups && OneIn(8)) {
      touched = DrawGroup(step);
    } else {
      touched = DrawTask(step, DrawKind());
    }
    const bool joins = step.kind == Kind::kAdd || step.kind == Kind::kMul || step.kind == Kind::kMaximum;
    const Step placed = step;
    Place(body, order, std::move(step), touched);
    all |= touched;
    if (joins && OneIn(2)) all |= PlaceNeighbours(body, order, placed);
  }
  // Joined one after the other, or through each other.
  for (int stream = kStreams - 1; stream > 0; --stream) {
    if (!order.active(stream)) continue;
    const int to = stream == 2 && order.active(1) && OneIn(2) ? 1 : 0;
    Step join;
    join.kind = Kind::kEvent;
    join.from = stream;
    join.stream = to;
    join.id = Draw(kEvents);
    body.steps.push_back(join);
    order.Wait(to, stream);
  }
  return all;
}

Program Generator::Make() {
  static constexpr int kSizes[] = {16, 64, 64, 64, 1000, 1000, 20'000};
  program_.elements = kSizes[Draw(7)];
  program_.mode = Draw(3);
  Fill(program_.body, 0);
  for (int i = 2 + Draw(3); i > 0; --i) {
    Run run;
    run.times = 1 + Draw(2);
    for (int group = 0; group < program_.groups; ++group)
      run.variants.push_back(program_.runs.empty() ? -1 : Draw(kVariants + 1) - 1);
    for (int cell = 0; cell < kCells; ++cell)
      run.cells.push_back(static_cast<std::uint64_t>(Draw(kMostCell + 1)));
    program_.runs.push_back(std::move(run));
  }
  return std::move(program_);
}

}  // namespace

Program Generate(std::uint64_t seed) {
  return Generator(seed).Make();
}

}  // namespace capture_model
