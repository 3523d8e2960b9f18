// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a call shows in the timeline: from when its rank came to when it could go on, and how long it waited
// for others. The number of an event is the same on all ranks, so that their files can be put together.
#pragma once

#include "base/clock.h"
#include "collectives/call.h"
#include "collectives/meeting.h"

namespace foothold::collectives {

// One part of a call that is over. `run` is that of its label.
void TraceCall(const Call& call, const CallPart& part, std::uint64_t run, const Meeting& meeting, int stream,
               Nanoseconds came);

}  // namespace foothold::collectives
