// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Error numbers of single operators; public numbers like those of base/error_codes.h, which
// api/codes/op_codes_check.cpp holds equal to the headers.
#pragma once

#include "base/error_codes.h"

namespace foothold {

constexpr auto kOpInputNotMatch = static_cast<Code>(100021);
constexpr auto kOpOutputNotMatch = static_cast<Code>(100022);
constexpr auto kOpAttrNotMatch = static_cast<Code>(100023);
constexpr auto kOpNotFound = static_cast<Code>(100024);
constexpr auto kOpLoadFailed = static_cast<Code>(100025);
constexpr auto kOpUnsupportedDynamic = static_cast<Code>(148050);

}  // namespace foothold
