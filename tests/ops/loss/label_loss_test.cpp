// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

constexpr std::int64_t kOuter = 3, kClasses = 5, kInner = 4;

struct Case {
  std::string reduction;
  bool softmax, weighted, ignoring, wide;
  DataType type = DataType::kFloat;
  double tolerance = 1e-5;
};

struct Expected {
  std::vector<double> losses, logs;
  double weights = 0;
};

double LogSoftmax(const std::vector<double>& x, std::size_t at, std::size_t first) {
  double sum = 0;
  for (std::size_t k = 0; k < kClasses; ++k)
    sum += std::exp(x[first + k * kInner]);
  return x[at] - std::log(sum);
}

Expected ByDefinition(const Case& loss, const std::vector<double>& x, const std::vector<double>& labels,
                      const std::vector<double>& weights) {
  Expected expected;
  expected.logs = x;
  for (std::size_t i = 0; i < x.size() && loss.softmax; ++i)
    expected.logs[i] = LogSoftmax(x, i, i / (kClasses * kInner) * kClasses * kInner + i % kInner);
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto label = static_cast<std::size_t>(labels[i]);
    const bool counts = !loss.ignoring || label != 2;
    const double weight = counts ? (loss.weighted ? weights[label] : 1) : 0;
    expected.losses.push_back(-weight * expected.logs[(i / kInner * kClasses + label) * kInner + i % kInner]);
    sum += expected.losses.back();
    expected.weights += weight;
  }
  if (loss.reduction == "sum") expected.losses = {sum};
  if (loss.reduction == "mean") expected.losses = {sum / expected.weights};
  return expected;
}

void Check(const Case& loss) {
  const TensorValue x = Random(loss.type, {kOuter, kClasses, kInner}, 7);
  const TensorValue weights = Tensor(loss.type, {kClasses}, {0.5, 1, 2, 0.25, 4});
  const std::vector<double> labels{0, 1, 2, 3, 4, 3, 2, 1, 0, 4, 2, 2};
  OpRun op(loss.softmax ? "SoftmaxCrossEntropyLoss" : "NLLLoss");
  op.In("x", x).Late("target",
                     Tensor(loss.wide ? DataType::kInt64 : DataType::kInt32, {kOuter, kInner}, labels));
  if (loss.weighted) op.In("weight", weights);
  if (loss.ignoring) op.Attr("ignore_index", std::int64_t{2});
  const auto found = op.Attr("reduction", loss.reduction).Out("y").Out("second").RunAll();
  const Expected expected = ByDefinition(loss, Numbers(x), labels, Numbers(weights));
  EXPECT_EQ(found[0].dims(), loss.reduction == "none" ? (Dims{kOuter, kInner}) : Dims{});
  ExpectNear(found[0], expected.losses, loss.tolerance);
  if (loss.softmax)
    ExpectNear(found[1], expected.logs, loss.tolerance);
  else
    ExpectNear(found[1], {expected.weights}, loss.tolerance);
}

TEST(LabelLoss, FollowsItsDefinition) {
  for (const char* reduction : {"none", "mean", "sum"})
    for (const bool softmax : {false, true})
      for (const bool weighted : {false, true})
        for (const bool ignoring : {false, true}) {
          SCOPED_TRACE(reduction);
          Check({reduction, softmax, weighted, ignoring, weighted});
        }
}

TEST(LabelLoss, TakesOtherTypes) {
  for (const bool softmax : {false, true}) {
    Check({"mean", softmax, true, false, true, DataType::kDouble, 1e-12});
    Check({"mean", softmax, true, false, true, DataType::kFloat16, 2e-3});
    Check({"mean", softmax, true, false, true, DataType::kBfloat16, 2e-2});
  }
}

TEST(LabelLoss, RefusesLabelsThatAreNoClass) {
  const auto run = [](double label, const char* reduction) {
    return OpRun("NLLLoss")
        .In("x", Floats({1, 2}, {-1, -2}))
        .Late("target", Int32s({1}, {label}))
        .Attr("reduction", std::string(reduction))
        .Out("y")
        .Run();
  };
  ExpectNear(run(1, "sum"), {2});
  ExpectNear(run(-100, "sum"), {0});
  EXPECT_THROW(run(2, "sum"), Error);
  EXPECT_THROW(run(-1, "sum"), Error);
  EXPECT_THROW(run(1, "median"), Error);
}

}  // namespace
}  // namespace foothold
