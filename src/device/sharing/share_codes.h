// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Error numbers of sharing between processes; public numbers like those of base/error_codes.h, which
// api/codes/error_codes_check.cpp holds equal to the headers.
#pragma once

#include "base/error_codes.h"

namespace foothold {

constexpr auto kRtNoPermission = static_cast<Code>(207006);
constexpr auto kRtIpcError = static_cast<Code>(507022);

}  // namespace foothold
