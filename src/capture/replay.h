// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Running an instance: as a task of a stream, which is suspended and goes on like any other, or at once. Any
// thread.
#pragma once

#include <memory>

#include "base/clock.h"
#include "capture/instance.h"
#include "device/stream.h"

namespace foothold {

// Queues a run. If one goes on when its turn comes, it waits for the end of that.
void QueueRun(std::shared_ptr<Instance> instance, const StreamRef& stream, const char* api);

// Runs it in a stream of its own, as if of the current context, and throws what failed. False when the
// deadline passed first: the run goes on.
bool RunToEnd(std::shared_ptr<Instance> instance, const char* api, Nanoseconds deadline);

}  // namespace foothold
