// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the library is on this machine: versions, devices, threads, operators.
#pragma once

#include <string>

namespace foothold {

// Lines of a label and a value. Starts the runtime. Throws an Error with what the library says.
std::string RuntimeText();

}  // namespace foothold
