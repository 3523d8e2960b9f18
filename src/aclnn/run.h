// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The second phase: a run of a form at the addresses of an executor, as a task of a stream. Any thread.
#pragma once

#include "aclnn/executor.h"

namespace foothold {

struct StreamRef;

namespace aclnn {

// Queues it. Throws kParamNull and kParamInvalid for addresses that are none. `api` is a literal or lives as
// long as the process.
void QueueRun(const Executor& executor, const StreamRef& stream, const char* api);

}  // namespace aclnn
}  // namespace foothold
