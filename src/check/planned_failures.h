// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the plan of faults (faults.h) does to allocations and runs inside of calls. Precondition of all:
// watch::Is(watch::kFaults). Any thread.
#pragma once

namespace foothold::check {

// Device memory that the library takes for itself, in whatever call: it counts as an "allocation" of the plan
// and throws what is planned. Calls that allocate meet the plan as calls.
void FailOwnAllocation(const char* api);

// A run that is no task of a stream: waits, or throws. `device` is -1 if it has none.
void FailRun(const char* call, int device);

// Whether this thread has met a planned failure since it was asked last.
bool TakePlannedFailure() noexcept;

}  // namespace foothold::check
