// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/edit_distance.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace foothold {
namespace {

std::size_t Least(const std::vector<std::size_t>& row) {
  return *std::min_element(row.begin(), row.end());
}

}  // namespace

std::size_t EditDistance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::vector<std::size_t> two_back(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_back[j - 2] + 1);
    }
    // A swap reaches back two rows, so both have to be beyond the limit.
    if (Least(row) > limit && Least(above) > limit) break;
    two_back.swap(above);
    above.swap(row);
  }
  return std::min(above[b.size()], limit + 1);
}

}  // namespace foothold
