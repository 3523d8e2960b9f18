// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Bytes around blocks that nobody may write (ACL-MEM-007). Heaps keep and look at them; here is what that
// means. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold::check {

// How heaps treat their blocks; all 0 and false while programs are not checked.
struct BlockCare {
  std::size_t guard = 0;       // bytes on each side
  std::size_t quarantine = 0;  // bytes of freed blocks that stay unused
  bool fills = false;
  std::uint8_t fresh = 0, freed = 0;
};
BlockCare CareForBlocks() noexcept;
inline constexpr std::uint8_t kGuardByte = 0xB7;

// A byte in front of or behind the block was written: so far from its start, and so many in all. Locks of
// heaps may be held.
void GuardDamaged(std::uint64_t serial, std::ptrdiff_t first, std::size_t count) noexcept;

// Somebody who can look at all blocks that live, calling GuardDamaged for what is found.
void SetGuardLook(void (*look)()) noexcept;
// The host has waited for something: a good moment, unless there was one a short time ago.
void LookAtGuardsSometimes() noexcept;
void LookAtGuards() noexcept;

}  // namespace foothold::check
