// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The experts of a token: those with the largest scores.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "samples/table.h"

namespace samples {
namespace {

Values Softmax(const double* row, std::size_t length) {
  const double most = *std::max_element(row, row + length);
  Values out(length);
  for (std::size_t i = 0; i < length; ++i)
    out[i] = std::exp(row[i] - most);
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& value : out)
    value /= sum;
  return out;
}

std::vector<std::size_t> Largest(const Values& scores, std::size_t k) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  order.resize(k);
  return order;
}

std::vector<Block> Gated(const Given& in) {
  const auto k = static_cast<std::size_t>(in.Number("k")),
             experts = static_cast<std::size_t>(in[0].dims.back());
  const Dims chosen{in[0].dims[0], static_cast<std::int64_t>(k)};
  std::vector<Block> out{{chosen, {}}, {chosen, {}}, {in[0].dims, {}}};
  for (std::int64_t row = 0; row < in[0].dims[0]; ++row) {
    const Values scores = Softmax(in[0].values.data() + static_cast<std::size_t>(row) * experts, experts);
    for (const std::size_t expert : Largest(scores, k)) {
      out[0].values.push_back(scores[expert]);
      out[1].values.push_back(static_cast<double>(expert));
    }
    out[2].values.insert(out[2].values.end(), scores.begin(), scores.end());
  }
  return out;
}

const Table gating({
    Functions("MoeGatingTopKSoftmaxV2")
        .Types(FloatTypes())
        .Gives({kSame, ACL_INT32, ACL_FLOAT})
        .Without(Part::kSpecial, "what is no number has no place in an order")
        .Calls(NN(MoeGatingTopKSoftmaxV2), {X(0), nullptr, V("k"), 0, true, Y(0), Y(1), Y(2)})
        .Form({{3, 8}}, {{"k", 2}})
        .Form({{0, 8}}, {{"k", 2}})
        .Within(2)
        .Are(Gated),
});

}  // namespace
}  // namespace samples
