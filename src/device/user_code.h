// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the program run by the runtime: which stream's function this thread is inside, so that calls
// which would wait for themselves are refused instead of hanging, and what happens when one throws.
#pragma once

#include "device/mailbox.h"
#include "device/task.h"

namespace foothold {

class Stream;

// Calls `function` on behalf of `stream`. An exception that leaves it becomes an Error: the boundary is C.
void CallUserFunction(UserFunction function, void* argument, Stream& stream);

// True while this thread is inside a function called on behalf of `stream`.
bool InsideUserFunctionOf(const Stream& stream) noexcept;
// The same on behalf of any stream.
bool InsideUserFunction() noexcept;

}  // namespace foothold
