// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The second phase: a run of a form at the addresses of an executor, as a task of a stream. Any thread.
#pragma once

#include <optional>

#include "aclnn/executor.h"
#include "device/access.h"

namespace foothold {

struct StreamRef;

namespace aclnn {

// Queues it. Throws kParamNull and kParamInvalid for addresses that are none. `api` is a literal or lives as
// long as the process. `workspace` is what the program gave, while it is checked.
void QueueRun(const Executor& executor, const StreamRef& stream, const char* api,
              const std::optional<Access>& workspace);

}  // namespace aclnn
}  // namespace foothold
