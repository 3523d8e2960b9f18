// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Addresses for programs to hold while they are checked, apart from those of the bytes and without access:
// check/device_addresses.h says what that is for. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "device/memory/address_offset.h"

namespace foothold {

namespace hidden_addresses_detail {
extern std::atomic<bool> any;  // were ever made
}

// Whether code may follow addresses as programs hold them.
inline bool GivenAddressesAreFollowed() noexcept {
  return kAddressesAreAlike && !hidden_addresses_detail::any.load(std::memory_order_relaxed);
}

// Addresses for the bytes at `kernel`, a multiple of `alignment`, at `expected` if that is not 0 and free.
// Answers 0 where programs are not checked for it, and where the system grants none, which is told.
std::uintptr_t HideAddresses(std::uintptr_t kernel, std::size_t bytes, std::size_t alignment,
                             std::uintptr_t expected = 0) noexcept;
// They are nobody's any more.
void DropHiddenAddresses(std::uintptr_t given, std::size_t bytes) noexcept;
// The bytes behind some of them are others now: what host code was let through to is closed again.
void CloseHiddenAddresses(std::uintptr_t given, std::size_t bytes) noexcept;

}  // namespace foothold
