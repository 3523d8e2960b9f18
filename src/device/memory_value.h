// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Synchronisation through device memory: stream tasks that store or wait for an 8-byte value. Any thread.
#pragma once

#include <cstdint>

namespace foothold {

struct StreamRef;

enum class ValueCondition : std::uint32_t { kGreaterOrEqual = 0, kEqual = 1, kAnd = 2, kNor = 3 };

// `address` is a multiple of 8. Throws 107000 if it is not device memory; a task whose memory is freed before
// it runs fails.
void PushValueWrite(const StreamRef& stream, const char* api, void* address, std::uint64_t value);
void PushValueWait(const StreamRef& stream, const char* api, void* address, std::uint64_t value,
                   ValueCondition condition);

}  // namespace foothold
