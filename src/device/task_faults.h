// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the plan of faults (check/faults.h) does to tasks. By the thread that drains the stream.
#pragma once

#include <cstdint>

namespace foothold {

class Stream;
struct Task;

// Before a task runs: waits, or throws what it fails with. Answers how many bits of its result change.
std::uint32_t MeetFaults(const Stream& stream, Task& task);
// After it ran.
void FlipBits(const Task& task, std::uint32_t count);

}  // namespace foothold
