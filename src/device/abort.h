// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Ending queued work early, for one stream or a whole device. Tasks of the library that are running are
// waited for, because they cannot be stopped half-way and may touch memory of the program; functions of the
// program are not. Any thread.
#pragma once

#include <cstdint>

namespace foothold {

class Device;
struct StreamRef;

// The task at the head fails with 507000, the rest goes on.
void StopRunningTask(const StreamRef& stream);

// Everything queued so far is dropped; callers that wait for it leave with 107023.
void AbortStream(const StreamRef& stream);

// Forgets what a persistent stream has stored.
void ClearPersistent(const StreamRef& stream);

// Aborts all streams of the device, with 107022; calls the program's abort callbacks before and after.
void AbortDevice(Device& device, std::uint32_t timeout_ms);

}  // namespace foothold
