// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Programs drawn by chance that use streams, events, notifies, blocks of a pool that go from stream to
// stream, host functions and captures, with exactly the waits they need; and an oracle that says whether two
// accesses of such a program have no order, by following its calls one by one.
#pragma once

#include <bitset>
#include <cstdint>
#include <random>
#include <vector>

namespace checked {

inline constexpr int kStreams = 4;
inline constexpr int kBuffers = 4;

// A part of a buffer: its first half, its second, or all of it.
struct Range {
  int buffer = 0;
  int part = 2;

  bool Meets(const Range& other) const {
    return buffer == other.buffer && (part == 2 || other.part == 2 || part == other.part);
  }
};

struct Step {
  enum class Kind {
    kFill,          // stream writes `to`
    kCopy,          // stream reads `from`, writes `to`
    kRecordEvent,   // object, stream
    kWaitEvent,     //
    kRecordNotify,  //
    kWaitNotify,    //
    kSyncStream,    //
    kSyncEvent,     //
    kHostFill,      // the host writes `to`
    kHostFunction,  // the stream calls a function that writes `to`, and the host waits for it
    kCapture,       // `inner` on stream and other, which forks off and comes back; becomes instance `object`
    kRun,           // instance `object` on stream
    kHandOn,        // a pool takes the buffer of `to` back and hands it out for stream
  };
  Kind kind{};
  int stream = 0, other = 0, object = 0;
  Range to{}, from{};
  bool removable = false;
  std::vector<Step> inner{};
};

struct RandomProgram {
  std::vector<Step> steps;
  int events = 0, notifies = 0, instances = 0;
};

RandomProgram DrawProgram(std::uint32_t seed);
// The same without one of its waits. False if it has none.
bool RemoveOneWait(RandomProgram& program, std::uint32_t seed);
// Whether two accesses meet, one of them writing, and nothing orders them.
bool HasRace(const RandomProgram& program);

}  // namespace checked
