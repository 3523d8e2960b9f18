// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Hints about caches as tasks of a stream (aclrtCmoAsync). Caches of a CPU need none, so the task only holds
// its place in the stream and notices memory that is gone. Any thread.
#pragma once

#include <cstddef>

#include "device/current.h"

namespace foothold {

void PushCacheHint(const StreamRef& stream, const char* api, void* address, std::size_t bytes);

}  // namespace foothold
