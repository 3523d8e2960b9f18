// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Collectives inside of runs that cannot be suspended, such as those of graphs: the thread waits here until
// the other ranks have come, or do not come any more. Any thread; a worker that waits is replaced meanwhile.
#pragma once

#include <cstdint>
#include <memory>

#include "collectives/call.h"

namespace foothold::collectives {

// `part` has memory of the library. Throws what the task of a stream would fail with.
void RunNow(const std::shared_ptr<Communicator>& communicator, const char* api, CallPart part,
            std::uint32_t tag = 0);

}  // namespace foothold::collectives
