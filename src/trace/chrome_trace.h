// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A recording as a file that chrome://tracing and Perfetto open: threads with what they did, streams with
// their tasks, arrows from the call that queued a task to its run, memory over time. Any thread.
#pragma once

#include <cstddef>
#include <string>

#include "base/clock.h"

namespace foothold::trace {

// What ended since `from`, as JSON.
std::string ChromeTrace(Nanoseconds from);

// The same to a file, which takes its name when it is complete. Throws kInvalidFile with the path and what
// the system said.
void WriteChromeTrace(const std::string& path, Nanoseconds from);

// What happened around findings of the checking mode, at most so many events; empty if there are none.
std::string FindingsTrace(std::size_t most);

}  // namespace foothold::trace
