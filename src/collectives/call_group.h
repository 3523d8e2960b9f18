// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Calls between HcclGroupStart and HcclGroupEnd: they are kept and made together at the end. Communicators
// are made side by side, messages of one stream do not wait for each other. A group belongs to the thread
// that opened it; one inside another is a part of that.
#pragma once

#include <functional>
#include <memory>

#include "collectives/call.h"
#include "device/stream.h"

namespace foothold::collectives::call_group {

bool IsOpen() noexcept;
void Start();
// Makes the calls. Throws the first failure when all were made, and HCCL_E_PARA without a group.
void End();

// What blocks until other ranks do the same; a thread of its own calls it.
void AddCreation(std::function<void()> create);
void AddCall(std::function<void()> call);
void AddMessage(const std::shared_ptr<Communicator>& communicator, const StreamRef& stream, const char* api,
                CallPart part);

}  // namespace foothold::collectives::call_group
