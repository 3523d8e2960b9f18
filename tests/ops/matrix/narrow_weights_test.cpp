// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators whose products are bound by reading constant weights keep those in 24 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "kernels/matmul.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

constexpr std::int64_t kDepth = 301, kColumns = 1000, kHidden = 401;

// As large as trained ones are, exact in 24 bits or not.
TensorValue Weights(const Dims& dims, bool exact) {
  TensorValue weights = Random(DataType::kFloat, dims, 2);
  for (std::int64_t i = 0; i < ElementCount(dims); ++i) {
    float& weight = weights.MutableAs<float>()[i];
    const auto bits = std::bit_cast<std::uint32_t>(weight / 16);
    weight = std::bit_cast<float>(exact ? bits & 0xffffff00u : bits);
  }
  return weights;
}

TensorValue MatMul(bool exact) {
  return OpRun("MatMulV2")
      .Late("x1", Random(DataType::kFloat, {1, kDepth}, 1))
      .In("x2", Weights({kDepth, kColumns}, exact))
      .Out("y")
      .Run();
}

TensorValue BatchMatMul(bool exact) {
  return OpRun("BatchMatMulV2")
      .Late("x1", Random(DataType::kFloat, {3, 1, kDepth}, 1))
      .In("x2", Weights({3, kColumns, kDepth}, exact))
      .Attr("adj_x2", true)
      .Out("y")
      .Run();
}

TensorValue FullyConnection(bool exact) {
  return OpRun("FullyConnection")
      .Late("x", Random(DataType::kFloat, {1, kDepth}, 1))
      .In("w", Weights({kColumns, kDepth}, exact))
      .Attr("num_output", kColumns)
      .Out("y")
      .Run();
}

TensorValue Recurrent(const char* type, std::int64_t gates, bool exact) {
  OpRun run(type);
  run.Late("x", Random(DataType::kFloat, {3, 1, 7}, 1)).In("w", Weights({2, gates * kHidden, 7}, exact));
  run.In("r", Weights({2, gates * kHidden, kHidden}, exact)).Attr("hidden_size", kHidden);
  return run.Attr("direction", std::string("bidirectional")).Out("y").Out("y_h").RunAll().at(0);
}

struct Case {
  const char* name;
  std::function<TensorValue(bool exact)> run;
};

class NarrowWeights : public testing::TestWithParam<Case> {};

std::vector<double> WithSwitch(const char* value, const Case& c, bool exact) {
  setenv("FOOTHOLD_NARROW_WEIGHTS", value, 1);
  const auto numbers = Numbers(c.run(exact));
  unsetenv("FOOTHOLD_NARROW_WEIGHTS");
  return numbers;
}

TEST_P(NarrowWeights, ChangeNothingButTheRoundingOfWeights) {
  EXPECT_EQ(Numbers(GetParam().run(true)), WithSwitch("0", GetParam(), true));
  const auto narrow = WithSwitch("1", GetParam(), false), plain = WithSwitch("0", GetParam(), false);
  EXPECT_NE(narrow, plain) << "weights are narrow";
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    largest = std::max(largest, std::abs(plain[i]));
    difference = std::max(difference, std::abs(plain[i] - narrow[i]));
  }
  EXPECT_LE(difference, 2e-5 * largest);
}

INSTANTIATE_TEST_SUITE_P(
    Operators, NarrowWeights,
    testing::Values(Case{"MatMul", MatMul}, Case{"BatchMatMul", BatchMatMul},
                    Case{"FullyConnection", FullyConnection},
                    Case{"CommonLSTM", [](bool exact) { return Recurrent("CommonLSTM", 4, exact); }},
                    Case{"CommonGRU", [](bool exact) { return Recurrent("CommonGRU", 3, exact); }}),
    [](const auto& info) { return info.param.name; });

TEST(NarrowWeightsSwitch, LeavesTheFloatsOfAProductAsTheyAre) {
  const TensorValue left = Random(DataType::kFloat, {1, kDepth}, 1);
  const TensorValue right = Weights({kDepth, kColumns}, false);
  const MatMulPlan plan({1, kColumns, kDepth}, {kDepth, 1}, {kColumns, 1}, {0}, {0}, 1, RightForm::kPacked);
  std::vector<float> packed(plan.PackedRightBytes() / sizeof(float)), out(kColumns);
  plan.PackRightMatrices(right.As<float>(), packed.data());
  plan.Run(left.As<float>(), packed.data(), out.data(), {}, nullptr);
  EXPECT_EQ(WithSwitch("0", {"MatMul", MatMul}, false), std::vector<double>(out.begin(), out.end()));
}

}  // namespace
}  // namespace foothold
