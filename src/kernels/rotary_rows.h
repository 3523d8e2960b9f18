// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows turned by angles: x * cosine + turned(x) * sine, on float, float16 or bfloat16. Turned in halves a row
// is (-second half, first half), in pairs every (a, b) becomes (-b, a). Any thread.
#pragma once

#include <cstddef>

#include "kernels/element_convert.h"

namespace foothold {

// Pairs may become halves on the way.
enum class Turn { kHalves, kPairs, kPairsToHalves };

// Rows of `length` elements, an even number; distances in elements from each row to the next. The result may
// be x, unless pairs become halves.
struct RotaryRows {
  ElementType type = ElementType::kFloat;
  Turn turn = Turn::kHalves;
  std::size_t count = 0, length = 0;
  const std::byte* x = nullptr;
  const std::byte* cosine = nullptr;
  const std::byte* sine = nullptr;
  std::byte* out = nullptr;
  std::size_t x_stride = 0, angle_stride = 0, out_stride = 0;
};
void TurnRows(const RotaryRows& rows);

}  // namespace foothold
