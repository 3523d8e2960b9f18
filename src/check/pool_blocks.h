// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Blocks inside of allocations, as pools of the program tell of them (include/foothold/check.h): a write
// behind the end of one is reported (ACL-MEM-007), and what two lives of one place do in no order is the
// pool's mistake (ACL-RACE-006). Any thread; a lock of its own for a moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "check/accesses.h"
#include "check/finding.h"

namespace foothold::check {

// Precondition of all: check::On().
void BlockTaken(const void* address, std::size_t bytes, const char* name) noexcept;
void BlockGiven(const void* address) noexcept;
// The allocation is gone, and the blocks in it.
void PoolGone(std::uintptr_t base, std::size_t bytes) noexcept;

// Says of each touch which life of which block it meets, and reports writes that leave theirs. The call of
// this thread makes them.
void LookAtPoolBlocks(std::span<Touch> touches) noexcept;

// Of a life that touches were given, also one that is over.
std::optional<Object> DescribeLife(std::uint64_t life);

// What this thread does is not looked at.
bool Ignoring() noexcept;
void Ignore(bool begins) noexcept;

}  // namespace foothold::check
