// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Python functions that video channels call for each frame, with what the program gave along with the frame.
// A frame that is never handed back is given up with its channel. Used with the interpreter's lock.
#pragma once

#include "python/python_callback.h"

namespace foothold {

// The function of a channel from now on. Throws BadArgument for what cannot be called.
void SetFrameFunction(const void* channel, Object function);
// A frame on its way, for C to hand back once: the address is that of no object any more afterwards.
void* SendsFrame(const void* channel, Object user_data);
// It will not be handed back.
void TakeBackFrame(void* frame);
// None of a channel's frames will be handed back any more, or not even its function is needed.
void TakeBackFrames(const void* channel);
void ForgetChannel(const void* channel);

// Calls fn(input, output, user_data) for a frame that was handed back, on any thread, without the lock.
void CallFrameFunction(void* frame, const void* input, const void* output);

}  // namespace foothold
