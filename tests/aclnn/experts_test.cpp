// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Mixtures of experts: choosing them, the way of tokens to them and back.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/quantized_values.h"
#include "aclnnop/aclnn_moe_finalize_routing_v2.h"
#include "aclnnop/aclnn_moe_finalize_routing_v4.h"
#include "aclnnop/aclnn_moe_gating_top_k.h"
#include "aclnnop/aclnn_moe_gating_top_k_softmax.h"
#include "aclnnop/aclnn_moe_init_routing_v3.h"
#include "aclnnop/aclnn_moe_token_permute.h"
#include "aclnnop/aclnn_moe_token_unpermute.h"

namespace nn {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

// 0, 1, 2 ... in the order of the numbers, of equals the first one first.
std::vector<std::size_t> OrderOf(const Values& numbers) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return numbers[a] < numbers[b]; });
  return order;
}

Values Slice(const Values& values, std::size_t begin, std::size_t count) {
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

Values Softmax(Values row) {
  double sum = 0;
  for (double& value : row)
    sum += value = std::exp(value);
  for (double& value : row)
    value /= sum;
  return row;
}

// The k largest of a row, the largest first.
std::vector<std::size_t> Largest(Values row, std::size_t k) {
  for (double& value : row)
    value = -value;
  std::vector<std::size_t> order = OrderOf(row);
  order.resize(k);
  return order;
}

TEST_F(Nn, SoftmaxGatingTakesTheMostProbableExperts) {
  for (const aclDataType type : kTypes)
    for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows}) {
      const Tensor x = In(type, {4, 8}, Spread(32), layout);
      const Tensor y = Out(type, {4, 3}), experts = Out(ACL_INT32, {4, 3}), rows = Out(ACL_INT32, {4, 3});
      Run(NN(MoeGatingTopKSoftmax), x, nullptr, 3, y, experts, rows);
      Values probabilities, chosen, places;
      for (std::size_t row = 0; row < 4; ++row) {
        const Values all = Softmax(Slice(x.Read(), row * 8, 8));
        for (const std::size_t expert : Largest(Slice(x.Read(), row * 8, 8), 3))
          probabilities.push_back(all[expert]), chosen.push_back(static_cast<double>(expert));
        for (std::size_t k = 0; k < 3; ++k)
          places.push_back(static_cast<double>(k * 4 + row));
      }
      ExpectClose(y.Read(), probabilities, Tolerance(type));
      ExpectClose(experts.Read(), chosen, 0);
      ExpectClose(rows.Read(), places, 0);
      ExpectRefused(161002, "'k'", NN(MoeGatingTopKSoftmax), x, nullptr, 9, y, experts, rows);
    }
}

// Two groups of four, of which one stays, by the sum of their best two; the bias only chooses.
TEST_F(Nn, GatingChoosesGroupsAndThenExperts) {
  for (const aclDataType type : kTypes) {
    const Tensor x = In(type, {5, 8}, Spread(40), Layout::kPaddedRows),
                 bias = In(type, {8}, Spread(8, -1, 1, 3));
    const Tensor y = Out(type, {5, 2}), experts = Out(ACL_INT32, {5, 2}), all = Out(ACL_FLOAT, {5, 8});
    Run(NN(MoeGatingTopK), x, bias, 2, 1, 2, 1, 0, 1, true, 2.5, 1e-20, y, experts, all);
    Values weights, chosen, scores;
    for (std::size_t row = 0; row < 5; ++row) {
      Values biased = Slice(x.Read(), row * 8, 8);
      for (std::size_t i = 0; i < 8; ++i) {
        scores.push_back(1 / (1 + std::exp(-biased[i])));
        biased[i] = scores.back() + bias.Read()[i];
      }
      double best[2];
      for (std::size_t group = 0; group < 2; ++group) {
        const Values part = Slice(biased, group * 4, 4);
        const auto two = Largest(part, 2);
        best[group] = part[two[0]] + part[two[1]];
      }
      const std::size_t group = best[1] > best[0] ? 1 : 0;
      double sum = 0;
      for (const std::size_t place : Largest(Slice(biased, group * 4, 4), 2)) {
        chosen.push_back(static_cast<double>(group * 4 + place));
        weights.push_back(scores[row * 8 + group * 4 + place]);
        sum += weights.back();
      }
      for (std::size_t i = row * 2; i < row * 2 + 2; ++i)
        weights[i] *= 2.5 / sum;
    }
    ExpectClose(experts.Read(), chosen, 0);
    ExpectClose(y.Read(), weights, Tolerance(type));
    ExpectClose(all.Read(), scores, 1e-5);
    ExpectRefused(161002, "group_count", NN(MoeGatingTopK), x, bias, 2, 1, 3, 1, 0, 1, true, 2.5, 1e-20, y,
                  experts, all);
  }
}

const Values kExperts = {3, 0, 1, 3, 2, 0, 0, 1, 3, 2};  // two for each of five tokens, of four

TEST_F(Nn, InitRoutingSortsCopiesOfTokensByExperts) {
  for (const aclDataType type : kTypes)
    for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows}) {
      const Tensor x = In(type, {5, 6}, Spread(30), layout), experts = In(ACL_INT32, {5, 2}, kExperts);
      const Tensor rows = Out(type, {10, 6}), places = Out(ACL_INT32, {10}), counts = Out(ACL_INT64, {4});
      Run(NN(MoeInitRoutingV3), x, experts, nullptr, nullptr, 10, 0, 4, 0, 1, true, -1, Ints{0, 4}, 0, rows,
          places, counts, nullptr);
      const auto order = OrderOf(kExperts);
      Values expected, went(10);
      for (std::size_t row = 0; row < 10; ++row) {
        const Values token = Slice(x.Read(), order[row] / 2 * 6, 6);
        expected.insert(expected.end(), token.begin(), token.end());
        went[order[row]] = static_cast<double>(row);
      }
      ExpectClose(rows.Read(), expected, 0);
      ExpectClose(places.Read(), went, 0);
      ExpectClose(counts.Read(), {3, 2, 2, 3}, 0);
    }
}

TEST_F(Nn, InitRoutingQuantisesRowsAndTellsWhereGroupsEnd) {
  const Tensor x = In(ACL_BF16, {5, 16}, Spread(80)), experts = In(ACL_INT32, {5, 2}, kExperts);
  const Tensor rows = Out(ACL_INT8, {10, 16}), places = Out(ACL_INT32, {10}), ends = Out(ACL_INT64, {4}),
               scales = Out(ACL_FLOAT, {10});
  Run(NN(MoeInitRoutingV3), x, experts, nullptr, nullptr, -1, -1, 4, 0, 0, true, 1, nullptr, 1, rows, places,
      ends, scales);
  const auto order = OrderOf(kExperts);
  Values sorted, from;
  for (const std::size_t place : order) {
    const Values token = Slice(x.Read(), place / 2 * 16, 16);
    sorted.insert(sorted.end(), token.begin(), token.end());
    from.push_back(static_cast<double>(place));
  }
  const QuantizedRows expected = QuantizeRows(sorted, 16);
  ExpectInt8(rows.Read(), expected.values);
  ExpectClose(scales.Read(), expected.scales, 1e-6);
  ExpectClose(places.Read(), from, 0);
  ExpectClose(ends.Read(), {3, 5, 7, 10}, 0);
  ExpectRefused(561003, "dropPadMode", NN(MoeInitRoutingV3), x, experts, nullptr, nullptr, -1, 2, 4, 1, 0,
                true, -1, nullptr, 0, rows, places, ends, nullptr);
  ExpectRefused(161002, "active_expert_range", NN(MoeInitRoutingV3), x, experts, nullptr, nullptr, -1, -1, 4,
                0, 0, true, 1, Ints{2, 9}, 0, rows, places, ends, scales);
}

TEST_F(Nn, FinalizeRoutingWeighsWhatExpertsMade) {
  for (const aclDataType type : kTypes)
    for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows}) {
      const Tensor rows = In(type, {10, 6}, Spread(60), layout),
                   scales = In(type, {5, 2}, Spread(10, 0, 1, 2), layout),
                   added = In(type, {5, 6}, Spread(30, -1, 1, 3)),
                   bias = In(type, {4, 6}, Spread(24, -1, 1, 4));
      const Tensor places = In(ACL_INT32, {10}, {9, 2, 7, 0, 5, 1, 3, 8, 4, 6}),
                   experts = In(ACL_INT32, {5, 2}, kExperts), out = Out(type, {5, 6});
      Run(NN(MoeFinalizeRoutingV2), rows, places, added, nullptr, bias, scales, experts, 0, out);
      Values expected = added.Read();
      for (std::size_t i = 0; i < expected.size(); ++i)
        for (std::size_t k = 0; k < 2; ++k) {
          const std::size_t token = i / 6;
          const auto row = static_cast<std::size_t>(places.Read()[k * 5 + token]);
          const auto expert = static_cast<std::size_t>(kExperts[token * 2 + k]);
          expected[i] +=
              scales.Read()[token * 2 + k] * (rows.Read()[row * 6 + i % 6] + bias.Read()[expert * 6 + i % 6]);
        }
      ExpectClose(out.Read(), expected, 2 * Tolerance(type));
      const Tensor same = Out(type, {5, 6});
      Run(NN(MoeFinalizeRoutingV4), rows, places, added, nullptr, bias, scales, experts, nullptr, nullptr,
          nullptr, nullptr, 0, nullptr, nullptr, nullptr, 2, same);
      EXPECT_EQ(same.Read(), out.Read());
      ExpectRefused(161002, "expert_idx", NN(MoeFinalizeRoutingV2), rows, places, added, nullptr, bias,
                    scales, nullptr, 0, out);
    }
}

TEST_F(Nn, TokensGoToTheirExpertsAndComeBack) {
  for (const aclDataType type : kTypes)
    for (const aclDataType index : {ACL_INT32, ACL_INT64}) {
      const Tensor tokens = In(type, {5, 6}, Spread(30), Layout::kPaddedRows),
                   experts = In(index, {5, 2}, kExperts, Layout::kTransposed);
      const Tensor rows = Out(type, {10, 6}), places = Out(ACL_INT32, {10});
      Run(NN(MoeTokenPermute), tokens, experts, 10, false, rows, places);
      const auto order = OrderOf(kExperts);
      Values expected, went(10);
      for (std::size_t row = 0; row < 10; ++row) {
        const Values token = Slice(tokens.Read(), order[row] / 2 * 6, 6);
        expected.insert(expected.end(), token.begin(), token.end());
        went[order[row]] = static_cast<double>(row);
      }
      ExpectClose(rows.Read(), expected, 0);
      ExpectClose(places.Read(), went, 0);

      const Tensor weights = In(type, {5, 2}, Spread(10, 0, 1), Layout::kPaddedRows),
                   back = Out(type, {5, 6});
      Run(NN(MoeTokenUnpermute), rows.As(Role::kIn), places.As(Role::kIn), weights, false, nullptr, back);
      Values sums = tokens.Read();
      for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i] *= weights.Read()[i / 6 * 2] + weights.Read()[i / 6 * 2 + 1];
      ExpectClose(back.Read(), sums, 2 * Tolerance(type));
      ExpectRefused(561003, "paddedMode", NN(MoeTokenPermute), tokens, experts, 10, true, rows, places);
      ExpectRefused(561003, "num_out_tokens", NN(MoeTokenPermute), tokens, experts, 7, false, rows, places);
      ExpectRefused(161002, "probs", NN(MoeTokenUnpermute), rows.As(Role::kIn), places.As(Role::kIn), tokens,
                    false, nullptr, back);
    }
}

}  // namespace
}  // namespace nn
