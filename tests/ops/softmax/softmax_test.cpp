// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

// For each element the number of the group of elements it shares its sum with.
std::vector<std::size_t> GroupNumbers(const Dims& dims, const Ints& axes) {
  std::vector<std::size_t> groups(static_cast<std::size_t>(ElementCount(dims)));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::size_t rest = i, stride = 1;
    for (std::size_t d = dims.size(); d-- > 0;) {
      const auto extent = static_cast<std::size_t>(dims[d]);
      const bool reduced = std::any_of(axes.begin(), axes.end(), [&](std::int64_t axis) {
        return axis == static_cast<std::int64_t>(d) ||
               axis + static_cast<std::int64_t>(dims.size()) == static_cast<std::int64_t>(d);
      });
      if (!reduced) groups[i] += rest % extent * stride;
      if (!reduced) stride *= extent;
      rest /= extent;
    }
  }
  return groups;
}

std::vector<double> Softmax(const std::vector<double>& x, const std::vector<std::size_t>& groups) {
  std::vector<double> sums(x.size(), 0.0), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    sums[groups[i]] += std::exp(x[i]);
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = std::exp(x[i]) / sums[groups[i]];
  return y;
}

struct Case {
  Dims dims;
  Ints axes;
  DataType type;
};

class SoftmaxOp : public testing::TestWithParam<Case> {};

double ToleranceOf(DataType type) {
  return type == DataType::kFloat16 ? 2e-3 : type == DataType::kBfloat16 ? 2e-2 : 1e-5;
}

TEST_P(SoftmaxOp, EqualsItsDefinition) {
  const auto& [dims, axes, type] = GetParam();
  const auto x = Random(type, dims, 1);
  auto expected = Softmax(Numbers(x), GroupNumbers(dims, axes));
  const auto y = OpRun("SoftmaxV2").Late("x", x).Attr("axes", axes).Out("y").Run();
  EXPECT_EQ(y.type(), x.type());
  ExpectNear(y, expected, ToleranceOf(type));
  for (double& value : expected)
    value = std::log(value);
  ExpectNear(OpRun("LogSoftmaxV2").Late("logits", x).Attr("axes", axes).Out("logsoftmax").Run(), expected,
             ToleranceOf(type));
}

TEST_P(SoftmaxOp, HasTheGradientOfItsDefinition) {
  const auto& [dims, axes, type] = GetParam();
  const auto groups = GroupNumbers(dims, axes);
  const auto x = Random(type, dims, 1), gradient = Random(type, dims, 2);
  const auto y = OpRun("SoftmaxV2").In("x", x).Attr("axes", axes).Out("y").Run();
  const auto log_y = OpRun("LogSoftmaxV2").In("x", x).Attr("axes", axes).Out("y").Run();
  const auto s = Numbers(y), dy = Numbers(gradient);
  std::vector<double> dot(s.size()), sum(s.size()), expected(s.size()), expected_log(s.size());
  for (std::size_t i = 0; i < s.size(); ++i) {
    dot[groups[i]] += s[i] * dy[i];
    sum[groups[i]] += dy[i];
  }
  for (std::size_t i = 0; i < s.size(); ++i) {
    expected[i] = s[i] * (dy[i] - dot[groups[i]]);
    expected_log[i] = dy[i] - std::exp(Numbers(log_y)[i]) * sum[groups[i]];
  }
  ExpectNear(OpRun("SoftmaxGrad")
                 .In("softmax", y)
                 .In("grad_softmax", gradient)
                 .Attr("axes", axes)
                 .Out("grad_x")
                 .Run(),
             expected, ToleranceOf(type));
  ExpectNear(OpRun("LogSoftmaxGrad").In("grad", gradient).In("x", log_y).Attr("axis", axes).Out("y").Run(),
             expected_log, 2 * ToleranceOf(type));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SoftmaxOp,
    testing::Values(Case{{3, 5}, {-1}, DataType::kFloat}, Case{{2, 100}, {1}, DataType::kFloat},
                    Case{{4, 7, 19}, {1}, DataType::kFloat}, Case{{4, 7, 19}, {0}, DataType::kFloat},
                    Case{{2, 3, 4, 5}, {1, 2}, DataType::kFloat},
                    Case{{2, 3, 4, 5}, {1, 3}, DataType::kFloat},
                    Case{{2, 3, 1, 5}, {1, -1}, DataType::kFloat}, Case{{2, 3}, {0, 1}, DataType::kFloat},
                    Case{{1}, {0}, DataType::kFloat}, Case{{}, {-1}, DataType::kFloat},
                    Case{{0, 3}, {1}, DataType::kFloat}, Case{{3, 0}, {1}, DataType::kFloat},
                    Case{{3, 33}, {-1}, DataType::kFloat16}, Case{{3, 33}, {0}, DataType::kBfloat16},
                    Case{{3, 5, 2}, {1}, DataType::kDouble}));

TEST(Softmax, StaysFiniteForLargeNumbersAndKeepsNaN) {
  const auto run = [](const std::vector<double>& x) {
    return OpRun("SoftmaxV2").In("x", Floats({static_cast<std::int64_t>(x.size())}, x)).Out("y").Run();
  };
  ExpectNear(run({1000, 1000}), {0.5, 0.5});
  ExpectNear(run({-1000, -1000, -HUGE_VAL}), {0.5, 0.5, 0});
  ExpectNear(run({1, NAN, 2}), {NAN, NAN, NAN});
  ExpectNear(run({1, 2, 3, 4, 5, 6, 7, 8, 9, NAN, 2, 3, 4, 5, 6, 7}), std::vector<double>(16, NAN));
}

TEST(Softmax, TurnsHalfToFloatWhenTold) {
  const auto x = Tensor(DataType::kFloat16, {2}, {0, 1});
  const auto y = OpRun("SoftmaxV2").In("x", x).Attr("half_to_float", true).Out("y").Run();
  EXPECT_EQ(y.type().type, DataType::kFloat);
  ExpectNear(y, {1 / (1 + std::exp(1.0)), 1 / (1 + std::exp(-1.0))}, 1e-6);
}

TEST(Softmax, RefusesAxesAndTypesItDoesNotHave) {
  const auto x = Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_THROW(OpRun("SoftmaxV2").In("x", x).Attr("axes", Ints{2}).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("SoftmaxV2").In("x", x).Attr("axes", Ints{-3}).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("SoftmaxV2").In("x", Int32s({2}, {1, 2})).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("SoftmaxGrad").In("softmax", x).In("grad_softmax", Floats({1}, {1})).Out("y").Run(),
               Error);
}

class CrossEntropyOp : public testing::TestWithParam<DataType> {};

TEST_P(CrossEntropyOp, GivesLossAndGradient) {
  const DataType type = GetParam();
  const auto features = Random(type, {5, 11}, 1);
  const auto x = Numbers(features);
  const std::vector<double> classes{0, 10, 3, 3, 7};
  std::vector<double> loss(5), backprop = Softmax(x, GroupNumbers({5, 11}, {1})), labels(55);
  for (std::size_t row = 0; row < 5; ++row) {
    const std::size_t hot = row * 11 + static_cast<std::size_t>(classes[row]);
    loss[row] = -std::log(backprop[hot]);
    backprop[hot] -= 1;
    labels[hot] = 1;
  }
  const auto check = [&](const std::string& op, const TensorValue& given) {
    const auto out =
        OpRun(op).Late("features", features).Late("labels", given).Out("loss").Out("backprop").RunAll();
    EXPECT_EQ(out[0].dims(), (Dims{5}));
    ExpectNear(out[0], loss, ToleranceOf(type));
    ExpectNear(out[1], backprop, ToleranceOf(type));
  };
  check("SoftmaxCrossEntropyWithLogits", Tensor(type, {5, 11}, labels));
  check("SparseSoftmaxCrossEntropyWithLogits", Int32s({5}, classes));
  check("SparseSoftmaxCrossEntropyWithLogits", Tensor(DataType::kInt64, {5}, classes));
}
INSTANTIATE_TEST_SUITE_P(Types, CrossEntropyOp,
                         testing::Values(DataType::kFloat, DataType::kFloat16, DataType::kDouble));

TEST(CrossEntropy, WeighsLabelsThatAreNotOneHot) {
  const auto out = OpRun("SoftmaxCrossEntropyWithLogits")
                       .In("features", Floats({1, 2}, {0, 0}))
                       .In("labels", Floats({1, 2}, {0.25, 0.5}))
                       .Out("loss")
                       .Out("backprop")
                       .RunAll();
  ExpectNear(out[0], {0.75 * std::log(2.0)});
  ExpectNear(out[1], {0.25, 0});
}

TEST(CrossEntropy, MakesRowsOfUnknownClassesNaN) {
  const auto out = OpRun("SparseSoftmaxCrossEntropyWithLogits")
                       .In("features", Floats({3, 2}, {0, 0, 0, 0, 0, 0}))
                       .In("labels", Int32s({3}, {2, -1, 1}))
                       .Out("loss")
                       .Out("backprop")
                       .RunAll();
  ExpectNear(out[0], {NAN, NAN, std::log(2.0)});
  ExpectNear(out[1], {NAN, NAN, NAN, NAN, 0.5, -0.5});
}

TEST(CrossEntropy, RefusesLabelsThatDoNotFit) {
  const auto features = Floats({2, 2}, {0, 0, 0, 0});
  const auto run = [&](const std::string& op, const TensorValue& labels) {
    OpRun(op).In("features", features).In("labels", labels).Out("loss").Out("backprop").RunAll();
  };
  EXPECT_THROW(run("SoftmaxCrossEntropyWithLogits", Floats({2}, {0, 0})), Error);
  EXPECT_THROW(run("SparseSoftmaxCrossEntropyWithLogits", Int32s({3}, {0, 0, 0})), Error);
  EXPECT_THROW(run("SparseSoftmaxCrossEntropyWithLogits", Floats({2}, {0, 0})), Error);
}

}  // namespace
}  // namespace foothold
