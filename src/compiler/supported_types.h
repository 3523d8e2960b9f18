// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which operators run: for lists and reports. Any thread.
#pragma once

#include <string_view>

namespace foothold {

// It has a kernel, or the compiler knows by itself what to do with it.
bool IsSupported(std::string_view type);

}  // namespace foothold
