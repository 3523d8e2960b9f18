// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How far two short texts are apart, for "did you mean" answers. Any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace foothold {

// Single-character insertions, removals and replacements, and swaps of neighbours, that turn one text into
// the other.
std::size_t EditDistance(std::string_view a, std::string_view b);

}  // namespace foothold
