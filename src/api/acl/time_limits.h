// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Time limits as calls give them: milliseconds, -1 for ever, 0 only looks.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/error.h"

namespace foothold {

inline Nanoseconds DeadlineOf(std::int32_t timeout) {
  if (timeout < -1)
    Fail(kRtParamInvalid, "timeout must be -1 (for ever), 0 or milliseconds, not {}", timeout);
  return DeadlineIn(timeout);
}

}  // namespace foothold
