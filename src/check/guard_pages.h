// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pages around blocks that cannot be written, where guards of a page or more are asked for: who writes there
// is told at once, with its line (ACL-MEM-007). Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold::check {

// A heap with such pages, where code follows its addresses. `offset`: so far above lie those that programs
// hold.
void WatchGuardPages(std::uintptr_t begin, std::size_t bytes, std::uintptr_t offset) noexcept;
void ForgetGuardPages(std::uintptr_t begin) noexcept;

}  // namespace foothold::check
