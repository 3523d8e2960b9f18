// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How far two tensors are apart, for people and for exit codes. Values; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "ir/tensor_value.h"

namespace foothold::run {

struct Comparison {
  double largest_difference = 0;  // absolute
  double largest_relative = 0;    // to the magnitude of the expected element
  double cosine = 1;              // of the angle between both, as vectors
  std::int64_t beyond = 0;        // elements that are not within the tolerance
  std::int64_t first_beyond = -1;
  std::int64_t elements = 0;

  bool fits() const { return beyond == 0; }
  std::string Text() const;
};

// An element fits if it is within tolerance * (1 + |expected|); no number fits only where none is expected,
// infinities only themselves. bfloat16 may be expected as the bits of uint16. Throws kInvalidParam if types
// or shapes differ, or are no real numbers; `name` is for the message.
Comparison Compare(const TensorValue& found, const TensorValue& expected, double tolerance,
                   const std::string& name);

}  // namespace foothold::run
