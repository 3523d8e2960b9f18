// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tasks that are kept to be run again: where they were captured, and whether the memory they use is still
// there (ACL-MEM-050). Precondition of all: check::On(). Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "check/accesses.h"
#include "check/stacks.h"

namespace foothold::check {

// A task is known by its address as long as it is kept.
void TaskCaptured(const void* task) noexcept;
void TaskForgotten(const void* task) noexcept;
Site SiteOfCaptured(const void* task) noexcept;

// The call of this thread asks for a run of an instance whose tasks touch this.
void InstanceRuns(std::uint32_t instance, const std::vector<Touch>& touches) noexcept;

}  // namespace foothold::check
