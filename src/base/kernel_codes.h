// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The error number of a failed kernel of the program; a public number like those of error_codes.h, which
// api/codes/kernel_form_check.cpp holds equal to the headers.
#pragma once

#include "base/error_codes.h"

namespace foothold {

constexpr auto kRtVectorCoreException = static_cast<Code>(507035);

}  // namespace foothold
