// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the options of LoadGraph say. Values; any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "options/options.h"

namespace foothold {

// ge.exec.hostInputIndexes: the inputs that come from the host, in a run on a stream. Numbers with commas,
// semicolons, bars or blanks between them, in brackets or not; throws an E10001 for anything else.
std::vector<std::size_t> HostInputsOf(const OptionMap& options);

}  // namespace foothold
