// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions and gradients with parameters: SoftplusV2, NanToNum, EluGradV2 and others.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double ToleranceOf(DataType type) {
  return type == DataType::kBfloat16 ? 1e-2 : type == DataType::kFloat16 ? 2e-3 : 1e-5;
}

template <typename Function>
std::vector<double> Each(const std::vector<double>& x, Function function) {
  std::vector<double> y;
  for (const double each : x)
    y.push_back(function(each));
  return y;
}

const std::vector<double> kArguments = {-30, -5, -3, -1.5, -0.25, 0, 0.25, 1, 2.5, 3, 7, 30};
const std::vector<DataType> kFloats = {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16};

TEST(SoftplusV2, IsALineAboveTheThreshold) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}) {
    OpRun run("SoftplusV2");
    run.Late("x", Tensor(type, {12}, kArguments)).Attr("beta", 2.0f).Attr("threshold", 4.0f).Out("y");
    ExpectNear(run.Run(),
               Each(kArguments, [](double x) { return 2 * x > 4 ? x : std::log1p(std::exp(2 * x)) / 2; }),
               ToleranceOf(type));
  }
  OpRun zero("SoftplusV2");
  EXPECT_THROW(zero.In("x", Floats({1}, {1})).Attr("beta", 0.0f).Out("y").Run(), Error);
}

TEST(SiluGrad, IsWhatArrivesTimesTheDerivative) {
  for (const DataType type : kFloats) {
    const std::vector<double> dy(12, 1.5);
    const auto dx = OpRun("SiluGrad")
                        .Late("dy", Tensor(type, {12}, dy))
                        .Late("x", Tensor(type, {12}, kArguments))
                        .Out("dx")
                        .Run();
    ExpectNear(dx,
               Each(kArguments,
                    [](double x) {
                      const double s = 1 / (1 + std::exp(-x));
                      return 1.5 * s * (1 + x * (1 - s));
                    }),
               ToleranceOf(type));
  }
}

TEST(HardSwishGrad, HasThreePieces) {
  for (const DataType type : kFloats) {
    const std::vector<double> g(12, 2);
    const auto y = OpRun("HardSwishGrad")
                       .Late("grad", Tensor(type, {12}, g))
                       .Late("x", Tensor(type, {12}, kArguments))
                       .Out("y")
                       .Run();
    ExpectNear(y, Each(kArguments, [](double x) { return x < -3  ? 0
                                                         : x > 3 ? 2
                                                                 : 2 * (x / 3 + 0.5); }),
               ToleranceOf(type));
  }
}

TEST(ThresholdGradV2D, PassesWhatIsAbove) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kInt32}) {
    const auto y = OpRun("ThresholdGradV2D")
                       .Late("gradients", Tensor(type, {4}, {1, 2, 3, 4}))
                       .Late("features", Tensor(type, {4}, {-1, 2, 3, 4}))
                       .Attr("threshold", 2.0f)
                       .Out("backprops")
                       .Run();
    ExpectNear(y, {0, 0, 3, 4});
  }
  OpRun missing("ThresholdGradV2D");
  missing.In("gradients", Floats({1}, {1})).In("features", Floats({1}, {1})).Out("backprops");
  EXPECT_THROW(missing.Run(), Error);
}

TEST(EluGradV2, TakesTheArgumentOrTheValue) {
  const double alpha = 1.5, scale = 2, input = 0.5;
  const auto elu = [&](double x) { return x > 0 ? scale * x : alpha * scale * std::expm1(x * input); };
  const auto slope = [&](double x) { return x > 0 ? scale : alpha * scale * input * std::exp(x * input); };
  for (const bool result : {false, true}) {
    const std::vector<double> expected = Each(kArguments, [&](double x) { return 3 * slope(x); });
    OpRun run("EluGradV2");
    run.Late("grads", Floats({12}, std::vector<double>(12, 3)));
    run.Late("activations", Floats({12}, result ? Each(kArguments, elu) : kArguments));
    run.Attr("alpha", 1.5f).Attr("scale", 2.0f).Attr("input_scale", 0.5f).Attr("is_result", result).Out("y");
    ExpectNear(run.Run(), expected, 1e-5);
  }
}

TEST(NanToNum, ReplacesWhatIsNoNumber) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}) {
    OpRun run("NanToNum");
    run.Late("x", Tensor(type, {5}, {1.5, NAN, kInf, -kInf, -2}));
    run.Attr("nan", 0.5f).Attr("posinf", 8.0f).Attr("neginf", -16.0f).Out("y");
    ExpectNear(run.Run(), {1.5, 0.5, 8, -16, -2});
  }
  OpRun missing("NanToNum");
  EXPECT_THROW(missing.In("x", Floats({1}, {1})).Attr("nan", 0.0f).Out("y").Run(), Error);
}

TEST(Erfinv, UndoesErf) {
  const std::vector<double> y = {-3.5, -2, -0.7, -0.1, -1e-5, 0, 1e-6, 0.3, 0.9, 1.7, 3};
  const TensorValue found =
      OpRun("Erfinv")
          .Late("input_x", Tensor(DataType::kDouble, {11}, Each(y, [](double v) { return std::erf(v); })))
          .Out("output_y")
          .Run();
  ExpectNear(found, y, 1e-10);
  for (const DataType type : kFloats)
    ExpectNear(OpRun("Erfinv").Late("input_x", Tensor(type, {4}, {-1, 1, 1.5, NAN})).Out("output_y").Run(),
               {-kInf, kInf, NAN, NAN});
  ExpectNear(OpRun("Erfinv").Late("input_x", Floats({2}, {0.5, -0.9990234375})).Out("output_y").Run(),
             {0.476936276204, -2.331467773622});
}

}  // namespace
}  // namespace foothold
