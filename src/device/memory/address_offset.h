// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How far the addresses of device memory that programs hold lie above those where its bytes are on this
// machine. Nothing in the product, unless a program is checked; a build of its own (make addresses-check)
// puts them where no system maps anything, so that whoever follows a program's pointer without asking the
// memory map crashes.
#pragma once

#include <cstdint>

namespace foothold {

#ifdef FOOTHOLD_ADDRESS_OFFSET
// Beyond all that x86-64 and 64-bit Arm give to processes that do not ask for more, and below what handles
// use.
constexpr std::uintptr_t kDeviceAddressOffset = std::uintptr_t{1} << 53;
#else
constexpr std::uintptr_t kDeviceAddressOffset = 0;
#endif
// Unless the program is being checked (hidden_addresses.h).
constexpr bool kAddressesAreAlike = kDeviceAddressOffset == 0;

}  // namespace foothold
