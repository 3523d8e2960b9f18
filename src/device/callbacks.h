// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Host callbacks and host functions in streams: queueing them, and the threads subscribed to execute them.
// Any thread.
#pragma once

#include <cstdint>

#include "base/error_codes.h"
#include "device/mailbox.h"

namespace foothold {

struct StreamRef;

void Subscribe(std::uint64_t thread, const StreamRef& stream, Mailbox::Kind kind);
void Unsubscribe(std::uint64_t thread, const StreamRef& stream, Mailbox::Kind kind);

// On the subscribed thread: executes what waits for it, or waits until the deadline for the first.
Code ProcessCallbacks(Mailbox::Kind kind, Nanoseconds deadline);

// Queues one call of `function` on the thread subscribed to the stream.
void LaunchCallback(const StreamRef& stream, const char* api, UserFunction function, void* argument,
                    bool blocking);

// Queues one call of `function` on a thread of the runtime, or on the thread subscribed for host functions.
void LaunchHostFunction(const StreamRef& stream, const char* api, UserFunction function, void* argument);

}  // namespace foothold
