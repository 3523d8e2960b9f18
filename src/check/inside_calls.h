// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which calls are going on with which objects, on which threads: an object that another thread destroys
// meanwhile is reported (ACL-LIFE-006). Each thread writes to a place of its own, which whoever destroys
// looks through. Precondition of all: check::On().
#pragma once

#include <cstdint>

#include "check/stacks.h"

namespace foothold::check {

struct ThreadState;

// A call of this thread with this handle begins; the last ones that have begun end.
void CallEnters(std::uint64_t handle, const Site& site, const ThreadState& thread) noexcept;
void CallsLeave(std::uint32_t handles, const ThreadState& thread) noexcept;
// The call of this thread, at `here`, has ended the object.
void LookAtEnd(std::uint64_t handle, const Site& here, const ThreadState& thread) noexcept;

}  // namespace foothold::check
