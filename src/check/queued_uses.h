// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Objects that a queued execution of a model goes on using on a device, and what the program does to them
// before it knows that the execution is over (ACL-MDL-002, 003, 005). Inside calls; any thread. Precondition
// of all: check::On().
#pragma once

#include <cstdint>
#include <vector>

#include "check/order.h"

namespace foothold::check {

// The last task of the stream executes the model with these objects: datasets, their buffers.
void ExecutionQueued(const StreamName& stream, std::uint32_t model,
                     const std::vector<const void*>& objects) noexcept;

// The call changes or ends the object; chooses a gear for the dataset; unloads the model.
void LookAtChange(const void* object) noexcept;
void LookAtGearChange(const void* dataset) noexcept;
void LookAtUnload(std::uint32_t model) noexcept;

}  // namespace foothold::check
