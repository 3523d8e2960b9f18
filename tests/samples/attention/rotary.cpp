// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows that are turned by the angles of their places.
#include "samples/table.h"

namespace samples {
namespace {

// Halves of a row are the two parts of its numbers.
Block Turned(const Given& in) {
  Block out = in[0];
  const std::size_t length = static_cast<std::size_t>(out.dims.back()), half = length / 2;
  for (std::size_t e = 0; e < out.values.size(); ++e) {
    const std::size_t begin = e / length * length, i = e % length;
    const double other = i < half ? -in[0].values[begin + i + half] : in[0].values[begin + i - half];
    out.values[e] = in[0].values[e] * in[1].values[e] + other * in[2].values[e];
  }
  return out;
}

const Table rotary({
    Functions("RotaryPositionEmbeddingV2")
        .Types(FloatTypes())
        .Without(Part::kSpecial, "what is no number is multiplied by what is")
        .Calls(NN(RotaryPositionEmbeddingV2), {X(0), X(1), X(2), 0, nullptr, Y(0)})
        .Form({{2, 3, 2, 8}, {2, 3, 2, 8}, {2, 3, 2, 8}})
        .Form({{0, 3, 2, 8}, {0, 3, 2, 8}, {0, 3, 2, 8}})
        .Within(2)
        .Is(Turned),
});

}  // namespace
}  // namespace samples
