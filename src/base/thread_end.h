// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the program may end the thread they are called on (pthread_exit, pthread_cancel). Frames above
// see that as an exception, which must go on to the first frame of the thread.
#pragma once

#include <cxxabi.h>

namespace foothold {

using EndOfThread = abi::__forced_unwind;

}  // namespace foothold

// For functions with a handler of it: there is no object the reference could refer to, which UBSan would
// report, also where the function were inlined into another one.
#define FOOTHOLD_HANDLES_END_OF_THREAD __attribute__((no_sanitize("null"), noinline))
