// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Error numbers of profiling; public numbers like those of base/error_codes.h, which api/acl/profile.cpp
// holds equal to the headers.
#pragma once

#include "base/error_codes.h"

namespace foothold {

constexpr auto kProfAlreadyRun = static_cast<Code>(100042);
constexpr auto kProfNotRun = static_cast<Code>(100043);
constexpr auto kProfRepeatSubscribe = static_cast<Code>(148046);
constexpr auto kProfApiConflict = static_cast<Code>(148047);

}  // namespace foothold
