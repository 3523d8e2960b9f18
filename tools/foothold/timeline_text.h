// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A timeline in characters.
#pragma once

#include <cstddef>
#include <string>

#include "trace/timeline.h"

namespace foothold::timeline {

// For a terminal of that many columns.
std::string DrawText(const Timeline& timeline, std::size_t columns);

}  // namespace foothold::timeline
