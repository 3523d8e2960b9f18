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

// The nearest of `known`, the first of several; empty if all are further away than `limit`.
template <typename Names>
std::string_view NearestName(std::string_view name, const Names& known, std::size_t limit) {
  std::string_view nearest;
  std::size_t best = limit + 1;
  for (const std::string_view candidate : known) {
    if (best == 0) break;
    const std::size_t distance = EditDistance(name, candidate, best - 1);
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace foothold
