// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How callbacks, host functions and their threads are used (ACL-CB-004 to 008). Precondition of all:
// check::On(). Any thread.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "check/order.h"

namespace foothold::check {

class CallScope;

// A function of the program has held up its stream for this long and returns.
void FunctionWasLong(const StreamName& stream, const void* function, Nanoseconds time) noexcept;
// A call of the API begins inside a function that a stream has called.
void CalledInFunction(const CallScope& call) noexcept;
// A callback or host function was queued.
void FunctionLaunched(const StreamName& stream) noexcept;
// Inside the calls that subscribe a thread, and that end a subscription with so many callbacks on their way.
void ThreadSubscribed(std::uint64_t thread) noexcept;
void ThreadUnsubscribes(const StreamName& stream, const char* launch, std::uint64_t letters) noexcept;

}  // namespace foothold::check
