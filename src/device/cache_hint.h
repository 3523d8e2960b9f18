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

// The same for memory that a description names, which stands in device memory and is read when the task runs.
constexpr std::size_t kCacheHintBytes = 64;
void WriteCacheHint(void* description, void* address, std::size_t bytes);
void PushDescribedCacheHint(const StreamRef& stream, const char* api, void* description);

// Waits for hints, which are over when they have run: holds its place in the stream.
void PushCacheBarrier(const StreamRef& stream, const char* api);

}  // namespace foothold
