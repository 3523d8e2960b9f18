// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The negative logarithm of what was expected, of classes that count by a weight.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

constexpr double kIgnored = 1;

// [n, classes, places...]: loss and weight of each place.
std::vector<Block> Losses(const Given& in) {
  const std::int64_t n = in[0].dims[0], classes = in[0].dims[1];
  const auto inner =
      static_cast<std::int64_t>(n == 0 ? 0 : nn::CountOf(in[1].dims)) / std::max<std::int64_t>(n, 1);
  Block losses{in[1].dims, {}}, weights{in[1].dims, {}};
  for (std::int64_t i = 0; i < n * inner; ++i) {
    const double target = in[1].values[static_cast<std::size_t>(i)];
    const auto at = static_cast<std::size_t>(
        (i / inner * classes + static_cast<std::int64_t>(target)) * inner + i % inner);
    weights.values.push_back(target == kIgnored ? 0 : in[2].values[static_cast<std::size_t>(target)]);
    losses.values.push_back(target == kIgnored ? 0 : -weights.values.back() * in[0].values[at]);
  }
  return {losses, weights};
}

double Total(const Block& block) {
  double total = 0;
  for (const double value : block.values)
    total += value;
  return total;
}

std::vector<Block> Reduced(const Given& in) {
  const std::vector<Block> all = Losses(in);
  const double weight = Total(all[1]), sum = Total(all[0]);
  return {{{}, {in.Number("reduction") == 1 ? sum / weight : sum}}, {{}, {weight}}};
}

constexpr const char* kSums = "what is no number spreads over sums";

const Table losses({
    Functions("NLLLoss")
        .Types(FloatTypes())
        .TypeOf(1, ACL_INT64)
        .Whole(1, 0, 2)
        .Range(2, 0.5, 2)
        .Without(Part::kSpecial, kSums)
        .Calls(NN(NLLLoss), {X(0), X(1), X(2), V("reduction"), kIgnored, Y(0), Y(1)})
        .Form({{7, 3}, {7}, {3}}, {{"reduction", 1}})
        .Form({{7, 3}, {7}, {3}}, {{"reduction", 2}})
        .Form({{0, 3}, {0}, {3}}, {{"reduction", 2}})
        .Within(8)
        .Are(Reduced),
    Functions("NLLLoss2d")
        .Types(FloatTypes())
        .TypeOf(1, ACL_INT64)
        .Whole(1, 0, 2)
        .Range(2, 0.5, 2)
        .Without(Part::kSpecial, kSums)
        .Calls(NN(NLLLoss2d), {X(0), X(1), X(2), V("reduction"), kIgnored, Y(0), Y(1)})
        .Form({{2, 3, 2, 3}, {2, 2, 3}, {3}}, {{"reduction", 1}})
        .Form({{2, 3, 2, 3}, {2, 2, 3}, {3}}, {{"reduction", 2}})
        .Form({{0, 3, 2, 3}, {0, 2, 3}, {3}}, {{"reduction", 2}})
        .Within(8)
        .Are(Reduced),
});

}  // namespace
}  // namespace samples
