// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Whether arithmetic on a device left the range of its type since the status was last cleared. Kernels that
// saturate raise it; tasks read and clear it in the order of their stream. Any thread.
#pragma once

#include <cstddef>

#include "device/current.h"

namespace foothold {

constexpr std::size_t kOverflowStatusBytes = 64;

enum class OverflowMode : int { kSaturate = 0, kInfNan = 1 };

OverflowMode OverflowModeOf(int device);
void RaiseOverflow(int device) noexcept;

// Writes the status to `address`: kOverflowStatusBytes bytes of device memory, all zero for "none".
void PushReadOverflow(const StreamRef& stream, const char* api, void* address, std::size_t bytes);
void PushClearOverflow(const StreamRef& stream, const char* api);

}  // namespace foothold
