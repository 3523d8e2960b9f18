// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What works and could be faster, or comes near a limit of devices (ACL-PERF-001 to 004, ACL-STREAM-004).
// Inside calls; any thread. Precondition of all: check::On().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "check/order.h"
#include "check/stacks.h"

namespace foothold::check {

// A copy was asked to be queued, and one of its ends is memory of the program.
void LookAtPageableCopy(std::size_t bytes) noexcept;
// The call is about to wait for the stream, or for all of a device.
void LookAtStreamWait(const StreamName& stream) noexcept;
void LookAtDeviceWait() noexcept;
// A block that one call made was freed by this one.
void LookAtFree(const Site& made, std::size_t bytes) noexcept;
// There are so many streams, or events, of a device with this name.
void LookAtStreamCount(std::uint32_t count, std::string_view soc) noexcept;
void LookAtEventCount(std::uint32_t count) noexcept;

}  // namespace foothold::check
