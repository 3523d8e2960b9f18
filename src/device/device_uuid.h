// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A number for each device that is the same in every process of this machine and, as far as machines can be
// told apart, on no other. Any thread.
#pragma once

#include <array>
#include <cstdint>

namespace foothold {

// In the form of RFC 9562, version 8.
std::array<std::uint8_t, 16> DeviceUuid(int physical_id);

}  // namespace foothold
