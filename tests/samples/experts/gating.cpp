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

Values Backwards(const Form& form) {
  Values values(nn::CountOf(form.dims[1]));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(values.size() - 1 - i);
  return values;
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
    // One expert for each token: rows in the order of experts, by their scales.
    Functions("MoeFinalizeRoutingV4")
        .Types(FloatTypes())
        .TypeOf(1, ACL_INT32)
        .Holds(1, Backwards)
        .Without(Part::kSpecial, "what is no number spreads over sums")
        .Calls(NN(MoeFinalizeRoutingV4), {X(0), X(1), nullptr, nullptr, nullptr, X(2), nullptr, nullptr,
                                          nullptr, nullptr, nullptr, 0, nullptr, nullptr, nullptr, 1, Y(0)})
        .Form({{5, 8}, {5}, {5, 1}})
        .Form({{0, 8}, {0}, {0, 1}})
        .Within(2)
        .Is([](const Given& in) {
          Block out = in[0];
          for (std::size_t e = 0; e < out.values.size(); ++e) {
            const std::size_t token = e / 8, row = static_cast<std::size_t>(in[1].values[token]);
            out.values[e] = in[0].values[row * 8 + e % 8] * in[2].values[token];
          }
          return out;
        }),
});

}  // namespace
}  // namespace samples
