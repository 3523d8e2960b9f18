// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/block_guards.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "check/guards.h"

namespace foothold {
namespace {

constexpr std::size_t kReadableTail = 32;  // kernels load whole vectors

constexpr std::size_t RoundUp(std::size_t bytes, std::size_t step) {
  return (bytes + step - 1) / step * step;
}

unsigned char* At(std::uintptr_t address) {
  return reinterpret_cast<unsigned char*>(address);
}

}  // namespace

std::size_t BlockGuards::Front(std::size_t size) const noexcept {
  const bool large = own_pages_ || has_pages() || FootprintOf(size + 2 * guard_) > kLargestClass;
  return large ? RoundUp(guard_, kPage) : guard_;
}

// From the end of the block on: bytes that are looked at.
std::size_t BlockGuards::BehindOf(std::size_t size) const noexcept {
  return has_pages() ? RoundUp(size + kReadableTail, kPage) - size : guard_;
}

std::size_t BlockGuards::Room(std::size_t size) const noexcept {
  const std::size_t pages = has_pages() ? RoundUp(guard_, kPage) : 0;
  const std::size_t room = FootprintOf(FrontOf(size) + size + (any() ? BehindOf(size) : 0) + pages);
  return own_pages_ || has_pages() ? std::max(room, kLargestClass + 64) : room;
}

void BlockGuards::Paint(std::uintptr_t block, std::size_t size) const noexcept {
  if (!has_pages()) std::memset(At(block - guard_), check::kGuardByte, guard_);
  std::memset(At(block + size), check::kGuardByte, BehindOf(size));
  if (has_pages()) Protect(block, size, PROT_READ);
}

void BlockGuards::Open(std::uintptr_t block, std::size_t size) const noexcept {
  if (has_pages()) Protect(block, size, PROT_READ | PROT_WRITE);
}

// Reading them is no mistake: kernels may load a little too much. Where the system has no more ranges to
// give, they stay as they are.
void BlockGuards::Protect(std::uintptr_t block, std::size_t size, int protection) const noexcept {
  mprotect(At(block - FrontOf(size)), FrontOf(size), protection);
  mprotect(At(block + size + BehindOf(size)), RoundUp(guard_, kPage), protection);
}

std::optional<BlockGuards::Damage> BlockGuards::Look(std::uintptr_t block, std::size_t size) const noexcept {
  if (!any()) return std::nullopt;
  Damage damage{0, 0};
  const auto look = [&](std::ptrdiff_t begin, std::size_t bytes) {
    const unsigned char* const at = At(block) + begin;
    for (std::size_t i = 0; i < bytes; ++i) {
      if (at[i] == check::kGuardByte) continue;
      if (damage.count++ == 0) damage.first = begin + static_cast<std::ptrdiff_t>(i);
    }
  };
  if (!has_pages()) look(-static_cast<std::ptrdiff_t>(guard_), guard_);
  look(static_cast<std::ptrdiff_t>(size), BehindOf(size));
  return damage.count == 0 ? std::nullopt : std::optional<Damage>(damage);
}

}  // namespace foothold
