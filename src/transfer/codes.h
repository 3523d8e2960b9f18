// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Error numbers of channels and queues; api/codes/transfer_codes_check.cpp holds them equal to the headers.
#pragma once

#include "base/error.h"

namespace foothold {

constexpr Code kInvalidQueueId = static_cast<Code>(100032);
constexpr Code kRtQueueEmpty = static_cast<Code>(207013);
constexpr Code kRtQueueFull = static_cast<Code>(207014);

}  // namespace foothold
