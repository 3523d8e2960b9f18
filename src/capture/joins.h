// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Whether everything captured is over once the first lane is, as it must be: every lane has to be joined, by
// an event recorded behind its last task, for which the first lane waits, or a lane it waits for.
#pragma once

namespace foothold {

class Instance;

// Throws 107025 with the stream that was not joined, and 107045 while a child is being captured.
void CheckJoined(const Instance& instance);

}  // namespace foothold
