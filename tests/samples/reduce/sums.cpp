// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Sums: of lists, along dimensions, of products.
#include <numeric>

#include "samples/table.h"

namespace samples {
namespace {

Block Product(const Given& in) {
  const std::int64_t rows = in[0].dims[0], depth = in[0].dims[1], columns = in[1].dims[1];
  Block out{{rows, columns}, Values(static_cast<std::size_t>(rows * columns))};
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c)
      for (std::int64_t d = 0; d < depth; ++d)
        out.values[static_cast<std::size_t>(r * columns + c)] +=
            in[0].values[static_cast<std::size_t>(r * depth + d)] *
            in[1].values[static_cast<std::size_t>(d * columns + c)];
  return out;
}

const Table sums({
    Functions("Sum")
        .Types(FloatTypes())
        .Calls(NN(Sum), {Xs({0, 1, 2}), Y(0)})
        .Within(2)
        .Form({{2, 3, 4}, {2, 3, 4}, {2, 3, 4}})
        .Form({{0, 3}, {0, 3}, {0, 3}})
        .Form({{}, {}, {}})
        .Is([](const Given& in) {
          return ElementByElement(in, [](const double* x) { return x[0] + x[1] + x[2]; });
        }),
    Functions("MeanV2")
        .Types(FloatTypes())
        .Without(Part::kSpecial, "what is no number spreads over sums")
        .Calls(NN(MeanV2), {X(0), V("dim"), V("keep"), true, Y(0)})
        .Form({{2, 3, 4}}, {{"dim", {0, 2}}, {"keep", false}})
        .Form({{2, 3, 4}}, {{"dim", {-1}}, {"keep", true}})
        .Form({{0, 3}}, {{"dim", {1}}, {"keep", false}})
        .Within(2)
        .Is([](const Given& in) {
          return Reduced(in[0], in.List("dim"), in.Flag("keep"), [](const Values& line) {
            return std::accumulate(line.begin(), line.end(), 0.0) / static_cast<double>(line.size());
          });
        }),
    Functions("Einsum")
        .Types(FloatTypes())
        .Without(Part::kSpecial, "what is no number spreads over sums")
        .Calls(NN(Einsum), {Xs({0, 1}), "ij,jk->ik", Y(0)})
        .Form({{3, 4}, {4, 5}})
        .Form({{0, 4}, {4, 5}})
        .Within(8)
        .Is(Product),
});

}  // namespace
}  // namespace samples
