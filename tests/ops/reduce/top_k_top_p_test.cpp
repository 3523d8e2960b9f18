// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include <numeric>
#include <optional>

#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;
using testing::HasSubstr;

TensorValue RunOf(const TensorValue& logits, const std::optional<TensorValue>& p,
                  const std::optional<TensorValue>& k) {
  OpRun run("ApplyTopKTopP");
  run.Late("logits", logits);
  p ? run.Late("p", *p) : run.NoInput("p");
  k ? run.Late("k", *k) : run.NoInput("k");
  return run.Out("out").Run();
}

// Of one row; k of 0 and p of 0 for none.
List Masked(List x, std::size_t k, double p) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  const double least = k == 0 ? -HUGE_VAL : x[order[x.size() - k]];
  for (double& value : x)
    if (value < least) value = -HUGE_VAL;
  double sum = 0, part = 0;
  for (const double value : x)
    sum += std::exp(value);
  for (std::size_t i = 0; p > 0 && i + 1 < x.size(); ++i) {
    part += std::exp(x[order[i]]) / sum;
    if (part <= 1 - p) x[order[i]] = -HUGE_VAL;
  }
  return x;
}

TEST(ApplyTopKTopP, KeepsTheLargestAndMostProbable) {
  const std::size_t k[] = {1, 7, 40, 13};
  const double p[] = {0.5, 0.875, 0.25, 1};
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16})
    for (const bool with_k : {false, true})
      for (const bool with_p : {false, true}) {
        const TensorValue logits = Random(type, {4, 40}, 1);
        const List x = Numbers(logits);
        List expected;
        for (std::size_t row = 0; row < 4; ++row) {
          const auto begin = x.begin() + static_cast<std::ptrdiff_t>(row * 40);
          const List masked = Masked(List(begin, begin + 40), with_k ? k[row] : 0, with_p ? p[row] : 0);
          expected.insert(expected.end(), masked.begin(), masked.end());
        }
        std::optional<TensorValue> chosen_p, chosen_k;
        if (with_p) chosen_p = Tensor(type, {4}, List(p, p + 4));
        if (with_k) chosen_k = Int32s({4}, List(k, k + 4));
        EXPECT_EQ(Numbers(RunOf(logits, chosen_p, chosen_k)), expected);
      }
}

TEST(ApplyTopKTopP, KeepsEqualsOfTheLastAndTheLargestAlways) {
  EXPECT_EQ(Numbers(RunOf(Floats({1, 4}, {2, 1, 2, 3}), {}, Int32s({1}, {2}))), (List{2, -HUGE_VAL, 2, 3}));
  EXPECT_EQ(Numbers(RunOf(Floats({1, 3}, {2, 2, 2}), Floats({1}, {1e-6}), {})),
            (List{-HUGE_VAL, -HUGE_VAL, 2}));
  EXPECT_EQ(RunOf(Floats({0, 3}, {}), Floats({0}, {}), {}).dims(), (Dims{0, 3}));
}

TEST(ApplyTopKTopP, RefusesAKThatIsNotThere) {
  const TensorValue x = Floats({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(MessageOf([&] { RunOf(x, {}, Int32s({2}, {1, 3})); }), HasSubstr("k of row 1 is 3"));
  EXPECT_THAT(MessageOf([&] { RunOf(x, {}, Int32s({2}, {0, 1})); }), HasSubstr("k of row 0 is 0"));
  EXPECT_THAT(MessageOf([&] { RunOf(x, Floats({1}, {1}), {}); }), HasSubstr("'p'"));
}

}  // namespace
}  // namespace foothold
