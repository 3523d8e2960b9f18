// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Addresses of device memory as programs hold them, while they are checked: apart from where the bytes are,
// and without access, so that host code that follows one is found (ACL-MEM-001). It ends there, as on a
// device, or goes on with the bytes where that was asked for and they are pages of a file. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold::check {

// Whether device addresses are to be apart from their bytes.
bool HidesDeviceAddresses() noexcept;
// Whether host code may go on with the bytes, which must then be pages of a file.
bool OpensDeviceAddresses() noexcept;

// The range at `given` has no access; its bytes are at `given - offset`.
void HideDeviceAddresses(std::uintptr_t given, std::size_t bytes, std::uintptr_t offset) noexcept;
// It is about to be given back to the system.
void ForgetDeviceAddresses(std::uintptr_t given) noexcept;

}  // namespace foothold::check
