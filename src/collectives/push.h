// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Queues the tasks of collectives. Any thread.
#pragma once

#include <memory>
#include <vector>

#include "collectives/call.h"
#include "device/stream.h"

namespace foothold::collectives {

// A collective: its part has no label yet. The memory was checked.
void PushCollective(const std::shared_ptr<Communicator>& communicator, const StreamRef& stream,
                    const char* api, CallPart part);
// Messages that do not wait for each other. A message of a rank to itself is a copy: the n-th that it sends
// meets the n-th that it receives. Throws HCCL_E_PARA if one of these is missing.
void PushMessages(const std::shared_ptr<Communicator>& communicator, const StreamRef& stream, const char* api,
                  std::vector<CallPart> parts);

// One call of a run that happens now, on a stream of its own: its label is taken here and now. Messages with
// different tags do not meet.
void PushRun(const std::shared_ptr<Communicator>& communicator, const StreamRef& stream, const char* api,
             CallPart part, std::uint32_t tag);

}  // namespace foothold::collectives
