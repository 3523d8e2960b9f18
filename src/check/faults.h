// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// FOOTHOLD_FAULTS: a plan of what is to go wrong, so that a program can show what it does then. Works without
// the checking mode too. docs/checking.md has the language (fault_plan.h). Precondition of all:
// watch::Is(watch::kFaults). Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error_codes.h"
#include "base/watch.h"

namespace foothold::check {

// Throws what is planned for this call of the API.
void FailCall(const char* call);

// A task that is about to run, in a stream of a device.
struct TaskFault {
  Nanoseconds delay = 0;     // it begins later
  std::uint32_t flips = 0;   // so many bits of what it has written change
  std::optional<Code> code;  // it fails
};
TaskFault FaultOfTask(const char* call, int stream, int device);

// The device answers with this number until it is reset by force; nothing: it works.
std::optional<Code> FaultOfDevice(int device);
// Once for each device whose tasks are to be aborted.
bool TakeAbort(int device);
void DeviceReset(int device) noexcept;
// Memory errors were found on the device.
bool HasMemoryErrors(int device);
// An allocation failed because the plan wants memory to look full.
bool MemoryLooksFull() noexcept;

enum class AllocatorFault { kNone, kNull, kSmall, kThrow };
AllocatorFault FaultOfAllocator();
// The program's dump callback counts as if it had refused.
bool DumpIsRefused();

// Tells which device the calls of this thread use; -1: none. Set once, by who knows.
void SetDeviceOfThread(int (*device)()) noexcept;

// What of the plan has not happened so far, as it was written.
std::vector<std::string> FaultsThatNeverHappened();

// How many faults there were so far.
std::uint64_t FaultsInjected() noexcept;

}  // namespace foothold::check
