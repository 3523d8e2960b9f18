// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How far the tensors of two dumps are apart, one by one. One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "foothold/dump_set.h"

namespace foothold::dump {

struct Difference {
  const DumpedTensor* tensor = nullptr;  // of the first dump
  std::string problem;                   // why it could not be compared; then the rest says nothing
  double cosine = 1;
  double largest_absolute = 0;
  double largest_relative = 0;  // to the magnitude of the second
  std::uint64_t largest_ulp = 0;
  std::uint64_t beyond = 0;  // elements that are not within the tolerance

  bool diverges() const { return !problem.empty() || beyond > 0; }
};

struct DifferenceReport {
  std::vector<Difference> differences;  // tensors both have, in the order of the first
  std::vector<std::string> only_first, only_second;
  // The first that diverges.
  const Difference* first_diverging() const;
};

// An element is within the tolerance if it is no farther than tolerance * (1 + |second|). What is no number
// fits only itself.
DifferenceReport CompareDumps(const std::vector<DumpedTensor>& first, const std::vector<DumpedTensor>& second,
                              double tolerance);

}  // namespace foothold::dump
