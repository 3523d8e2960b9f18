// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the checking mode wants to know of operators: the workspace a first call asks for, which only the mode
// does, and the objects that have to live until the second (NN-WS-001, NN-EXEC-002, 003, NN-TENSOR-001).
// Precondition of all: check::On(). Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "aclnn/arguments.h"
#include "aclnn/objects.h"
#include "device/access.h"

namespace foothold::aclnn {

// The first call has made this executor; answers the bytes of workspace it asks for.
std::uint64_t TellPrepared(const void* executor, const Arguments& arguments) noexcept;
// The second call is about to queue it. The workspace, if it is memory of a device.
std::optional<Access> LookAtRun(const void* executor, bool repeatable, void* workspace,
                                std::uint64_t bytes) noexcept;
// A list is destroyed, and one of its members is gone already.
void LookAtLostMember(const void* member) noexcept;

}  // namespace foothold::aclnn
