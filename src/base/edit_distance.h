// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How far two short texts are apart, for "did you mean" answers. Any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace foothold {

// Single-character insertions, removals and replacements, and swaps of neighbours, that turn one text into
// the other. When there are more than `limit`, the answer is limit + 1.
std::size_t EditDistance(std::string_view a, std::string_view b, std::size_t limit);

}  // namespace foothold
