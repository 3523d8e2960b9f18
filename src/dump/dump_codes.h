// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Error numbers of dumps; public numbers like those of base/error_codes.h, which api/acl/dump.cpp holds equal
// to the headers.
#pragma once

#include "base/error_codes.h"

namespace foothold {

constexpr auto kDumpAlreadyRun = static_cast<Code>(100044);
constexpr auto kDumpNotRun = static_cast<Code>(100045);

}  // namespace foothold
