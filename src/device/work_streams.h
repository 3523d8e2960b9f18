// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Hidden streams of the library whose tasks touch memory that programs gave for it, as those of media
// channels do. The end of a context waits for what they were given, since that memory may end with it. Any
// thread.
#pragma once

#include "device/current.h"

namespace foothold {

StreamRef OpenWorkStream(Context& context);
// Drops what is queued and waits for what runs.
void CloseWorkStream(const StreamRef& stream) noexcept;
// Until what the work streams of the context have been given by now is done.
void AwaitWorkStreams(const Context& context);

}  // namespace foothold
