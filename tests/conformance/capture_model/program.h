// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A program of random calls that may be captured: bodies of steps on a few streams, ordered where they touch
// the same memory. What it does is told by its seed alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace capture_model {

constexpr int kDeviceBuffers = 6;  // even ones hold floats, odd ones int32
constexpr int kHostBuffers = 2;    // pinned, of floats
constexpr int kBuffers = kDeviceBuffers + kHostBuffers;
constexpr int kCells = 6;       // of 64 bits in device memory, with small numbers
constexpr int kConditions = 8;  // most in a program
constexpr int kStreams = 3;     // of a body; the first is the one a capture begins on
constexpr int kDepth = 3;       // of bodies in bodies
constexpr int kEvents = 4;      // used again and again
constexpr int kNotifies = 3;    // used once each
constexpr int kGroups = 4;      // most in a program
constexpr int kVariants = 3;    // of a group: the captured one and two to replace it
constexpr std::uint64_t kMostCell = 3;

enum class Kind {
  kCopy,
  kFill,
  kReduce,
  kAdd,
  kMul,
  kMaximum,
  kFillScalar,
  kValueWrite,  // `out` is a cell
  kHostFunction,
  kEvent,   // `stream` waits for what `from` has
  kNotify,  // the same
  kGroup,
  kSetCondition,    // copies cell `a` to condition `out`
  kCountDown,       // condition `out` -= 1
  kWriteCondition,  // writes `value` to condition `out`
  kIf,
  kWhile,
  kSwitch,
  kInstance,  // a run of another instance, which is captured too
};

struct Step;

struct Body {
  std::vector<Step> steps;
  std::vector<int> conditions;  // made for this body
};

struct Step {
  Kind kind = Kind::kFill;
  int stream = 0;
  int from = 0;  // stream of kEvent and kNotify
  int a = 0, b = 0, out = 0;
  int value = 0;
  int first = 0, count = 0;  // elements, of all that are in a buffer in thousandths
  int id = 0;                // of an event, notify, group or condition
  bool late = false;         // children are captured at the end of their parent
  std::vector<std::vector<Step>> variants;
  std::vector<Body> children;
};

struct Condition {
  std::uint32_t value = 0;  // the default
  bool assign = true;
};

struct Run {
  int times = 1;
  std::vector<int> variants;         // of each group, -1: as it is
  std::vector<std::uint64_t> cells;  // before the run
};

struct Program {
  std::uint64_t seed = 0;
  int elements = 0;  // of a buffer
  int mode = 0;
  Body body;
  std::vector<Condition> conditions;
  int groups = 0;
  std::vector<Run> runs;
};

Program Generate(std::uint64_t seed);
std::string Text(const Program& program);

}  // namespace capture_model
