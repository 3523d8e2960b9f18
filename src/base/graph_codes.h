// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Status numbers of the Graph Engine that sessions answer with, as codes of Error;
// api/codes/graph_status_check.cpp holds them equal to the headers. A code that is none of these reaches the
// program as FAILED.
#pragma once

#include "base/error.h"

namespace foothold {

constexpr Code kGeFailed = static_cast<Code>(-1);
constexpr Code kGeParamInvalid = static_cast<Code>(1343225857);
constexpr Code kGeUnsupported = static_cast<Code>(1343225956);
constexpr Code kGeNotInitialized = static_cast<Code>(1343229963);
constexpr Code kGeSessionManagerNotInit = static_cast<Code>(1343238150);
constexpr Code kGeGraphNotExist = static_cast<Code>(1343242242);
constexpr Code kGeRepeatedOperation = static_cast<Code>(1343242306);
constexpr Code kGeModelNotLoaded = static_cast<Code>(1343258628);

// The texts programs look for by their codes.
constexpr const char* kBadOption = "E10001";
constexpr const char* kBadOrder = "E10062";

}  // namespace foothold
