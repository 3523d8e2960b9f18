// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The gradients of normalisations against differences of the loss sum(dy * y), in double.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Values = std::vector<double>;

// The slope of `loss` along each element of `at`.
Values Slopes(Values at, const std::function<double(const Values&)>& loss) {
  constexpr double kStep = 1e-4;
  Values slopes;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double kept = at[i];
    at[i] = kept + kStep;
    const double above = loss(at);
    at[i] = kept - kStep;
    slopes.push_back((above - loss(at)) / (2 * kStep));
    at[i] = kept;
  }
  return slopes;
}

// Sets of elements that are normalised together: set_of(i) is that of element i, parameter_of(i) its
// parameter.
struct Norm {
  std::size_t sets;
  std::function<std::size_t(std::size_t)> set_of, parameter_of;
  double epsilon;

  void Moments(const Values& x, Values& mean, Values& variance) const {
    mean.assign(sets, 0);
    variance.assign(sets, 0);
    const double count = static_cast<double>(x.size() / sets);
    for (std::size_t i = 0; i < x.size(); ++i)
      mean[set_of(i)] += x[i] / count;
    for (std::size_t i = 0; i < x.size(); ++i)
      variance[set_of(i)] += std::pow(x[i] - mean[set_of(i)], 2) / count;
  }

  double Loss(const Values& x, const Values& gamma, const Values& beta, const Values& dy, const Values& mean,
              const Values& variance) const {
    double loss = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double away = (x[i] - mean[set_of(i)]) / std::sqrt(variance[set_of(i)] + epsilon);
      loss += dy[i] * (away * gamma[parameter_of(i)] + beta[parameter_of(i)]);
    }
    return loss;
  }
};

struct Expected {
  Values x, gamma, beta, mean, variance;
};

Expected GradientsOf(const Norm& norm, const Values& x, const Values& gamma, const Values& dy, bool through) {
  Expected e;
  norm.Moments(x, e.mean, e.variance);
  const Values beta(gamma.size(), 0.5);
  e.x = Slopes(x, [&](const Values& at) {
    Values mean = e.mean, variance = e.variance;
    if (through) norm.Moments(at, mean, variance);
    return norm.Loss(at, gamma, beta, dy, mean, variance);
  });
  e.gamma = Slopes(gamma, [&](const Values& at) { return norm.Loss(x, at, beta, dy, e.mean, e.variance); });
  e.beta = Slopes(beta, [&](const Values& at) { return norm.Loss(x, gamma, at, dy, e.mean, e.variance); });
  return e;
}

struct BatchCase {
  Format format;
  bool training;
  DataType type;
};
class BatchNormGradOp : public testing::TestWithParam<BatchCase> {};

TEST_P(BatchNormGradOp, IsTheSlopeOfTheLoss) {
  const auto& [format, training, type] = GetParam();
  const bool last = format == Format::kNhwc;
  const std::size_t channels = last ? 5 : 3, inner = last ? 1 : 20;
  const auto x = Random(type, {2, 3, 4, 5}, 1, format), dy = Random(type, {2, 3, 4, 5}, 2, format);
  const auto scale = Random(DataType::kFloat, {static_cast<std::int64_t>(channels)}, 3);
  const auto channel = [=](std::size_t i) { return i / inner % channels; };
  const Expected e =
      GradientsOf({channels, channel, channel, 1e-3}, Numbers(x), Numbers(scale), Numbers(dy), training);
  OpRun run("BatchNormGrad");
  run.Late("y_backprop", dy).Late("x", x).Late("scale", scale);
  run.Late("reserve_space_1", Floats(scale.dims(), e.mean))
      .Late("reserve_space_2", Floats(scale.dims(), e.variance));
  run.Attr("epsilon", 1e-3f).Attr("is_training", training);
  for (const char* name :
       {"x_backprop", "scale_backprop", "offset_backprop", "reserve_space_4", "reserve_space_5"})
    run.Out(name);
  const auto out = run.RunAll();
  ExpectNear(out[0], e.x, type == DataType::kFloat ? 1e-5 : 4e-3);
  ExpectNear(out[1], e.gamma, 1e-5);
  ExpectNear(out[2], e.beta, 1e-5);
}
INSTANTIATE_TEST_SUITE_P(Ways, BatchNormGradOp,
                         testing::Values(BatchCase{Format::kNchw, true, DataType::kFloat},
                                         BatchCase{Format::kNhwc, true, DataType::kFloat},
                                         BatchCase{Format::kNchw, false, DataType::kFloat},
                                         BatchCase{Format::kNhwc, false, DataType::kFloat},
                                         BatchCase{Format::kNchw, true, DataType::kFloat16}));

class LayerNormGradOp : public testing::TestWithParam<DataType> {};

TEST_P(LayerNormGradOp, IsTheSlopeOfTheLoss) {
  const DataType type = GetParam();
  const double tolerance = type == DataType::kFloat ? 1e-5 : 1e-2;
  const auto x = Random(type, {3, 2, 4}, 1), dy = Random(type, {3, 2, 4}, 2), gamma = Random(type, {2, 4}, 3);
  const Expected e =
      GradientsOf({3, [](std::size_t i) { return i / 8; }, [](std::size_t i) { return i % 8; }, 1e-7},
                  Numbers(x), Numbers(gamma), Numbers(dy), true);
  Values deviations;
  for (const double variance : e.variance)
    deviations.push_back(1 / std::sqrt(variance + 1e-7));
  for (const std::string op : {"LayerNormGrad", "LayerNormGradV3"}) {
    OpRun run(op);
    run.Late("dy", dy).Late("x", x);
    run.Late("spread", Floats({3, 1, 1}, op == "LayerNormGrad" ? e.variance : deviations));
    run.Late("mean", Floats({3, 1, 1}, e.mean)).Late("gamma", gamma);
    const auto out = run.Out("pd_x").Out("pd_gamma").Out("pd_beta").RunAll();
    ExpectNear(out[0], e.x, tolerance);
    ExpectNear(out[1], e.gamma, tolerance);
    ExpectNear(out[2], e.beta, tolerance);
    EXPECT_EQ(out[1].dims(), (Dims{2, 4}));
  }
}
INSTANTIATE_TEST_SUITE_P(Types, LayerNormGradOp, testing::Values(DataType::kFloat, DataType::kFloat16));

struct BatchV3Case {
  bool training, weighted;
  DataType type;
};
class BatchNormGradV3Op : public testing::TestWithParam<BatchV3Case> {};

TEST_P(BatchNormGradV3Op, IsTheSlopeOfTheLoss) {
  const auto& [training, weighted, type] = GetParam();
  const double tolerance = type == DataType::kFloat ? 1e-5 : 2e-2;
  const auto x = Random(type, {2, 3, 4, 5}, 1), dy = Random(type, {2, 3, 4, 5}, 2);
  const auto weight = weighted ? Random(type, {3}, 3) : Tensor(type, {3}, {1, 1, 1});
  const auto channel = [](std::size_t i) { return i / 20 % 3; };
  const Expected e =
      GradientsOf({3, channel, channel, 1e-3}, Numbers(x), Numbers(weight), Numbers(dy), training);
  Values deviations;
  for (const double variance : e.variance)
    deviations.push_back(1 / std::sqrt(variance + 1e-3));
  OpRun run("BatchNormGradV3");
  run.Late("dy", dy).Late("x", x);
  weighted ? run.Late("weight", weight) : run.NoInput("weight");
  const Values other(3, 77);  // of no concern
  run.Late("running_mean", Floats({3}, training ? other : e.mean));
  run.Late("running_var", Floats({3}, training ? other : e.variance));
  run.Late("save_mean", Floats({3}, training ? e.mean : other));
  run.Late("save_rstd", Floats({3}, training ? deviations : other));
  run.Attr("is_training", training).Attr("epsilon", 1e-3f);
  const auto out = run.Out("dx").Out("dweight").Out("dbias").RunAll();
  ExpectNear(out[0], e.x, tolerance);
  ExpectNear(out[1], e.gamma, tolerance);
  ExpectNear(out[2], e.beta, tolerance);
}
INSTANTIATE_TEST_SUITE_P(Ways, BatchNormGradV3Op,
                         testing::Values(BatchV3Case{true, true, DataType::kFloat},
                                         BatchV3Case{false, true, DataType::kFloat},
                                         BatchV3Case{true, false, DataType::kFloat},
                                         BatchV3Case{true, true, DataType::kBfloat16}));

class GroupNormGradOp : public testing::TestWithParam<DataType> {};

TEST_P(GroupNormGradOp, IsTheSlopeOfTheLoss) {
  const DataType type = GetParam();
  const double tolerance = type == DataType::kFloat ? 1e-5 : 3e-2;
  const auto x = Random(type, {2, 6, 3, 2}, 1), dy = Random(type, {2, 6, 3, 2}, 2),
             gamma = Random(type, {6}, 3);
  const Expected e =
      GradientsOf({6, [](std::size_t i) { return i / 12; }, [](std::size_t i) { return i / 6 % 6; }, 1e-3},
                  Numbers(x), Numbers(gamma), Numbers(dy), true);
  Values deviations;
  for (const double variance : e.variance)
    deviations.push_back(1 / std::sqrt(variance + 1e-3));
  for (const bool wanted : {true, false}) {
    OpRun run("GroupNormGrad");
    run.Late("dy", dy).Late("mean", Floats({2, 3}, e.mean)).Late("rstd", Floats({2, 3}, deviations));
    run.Late("x", x)
        .Late("gamma", gamma)
        .Attr("num_groups", std::int64_t{3})
        .Attr("dgamma_is_require", wanted);
    const auto out = run.Out("dx").Out("dgamma").Out("dbeta").RunAll();
    ExpectNear(out[0], e.x, tolerance);
    ExpectNear(out[1], wanted ? e.gamma : Values(6, 0), tolerance);
    ExpectNear(out[2], e.beta, tolerance);
  }
}
INSTANTIATE_TEST_SUITE_P(Types, GroupNormGradOp,
                         testing::Values(DataType::kFloat, DataType::kFloat16, DataType::kBfloat16));

class RmsNormGradOp : public testing::TestWithParam<DataType> {};

TEST_P(RmsNormGradOp, IsTheSlopeOfTheLoss) {
  const DataType type = GetParam();
  const double tolerance = type == DataType::kFloat ? 1e-5 : 3e-2;
  const std::size_t rows = 3, length = 300;
  const auto x = Random(type, {3, 1, 300}, 1), dy = Random(type, {3, 1, 300}, 2),
             gamma = Random(type, {300}, 3);
  const Values dys = Numbers(dy);
  Values inverse(rows);
  const auto loss = [&](const Values& at, const Values& weights) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      double squares = 0;
      for (std::size_t i = 0; i < length; ++i)
        squares += at[row * length + i] * at[row * length + i] / static_cast<double>(length);
      inverse[row] = 1 / std::sqrt(squares + 1e-6);
      for (std::size_t i = 0; i < length; ++i)
        sum += dys[row * length + i] * at[row * length + i] * inverse[row] * weights[i];
    }
    return sum;
  };
  const Values xs = Numbers(x), gammas = Numbers(gamma);
  const Values by_x = Slopes(xs, [&](const Values& at) { return loss(at, gammas); });
  const Values by_gamma = Slopes(gammas, [&](const Values& at) { return loss(xs, at); });
  loss(xs, gammas);
  OpRun run("RmsNormGrad");
  run.Late("dy", dy).Late("x", x).Late("rstd", Floats({3, 1, 1}, inverse)).Late("gamma", gamma);
  const auto out = run.Out("dx").Out("dgamma").RunAll();
  ExpectNear(out[0], by_x, tolerance);
  ExpectNear(out[1], by_gamma, tolerance);
  EXPECT_EQ(out[1].type().type, DataType::kFloat);
}
INSTANTIATE_TEST_SUITE_P(Types, RmsNormGradOp,
                         testing::Values(DataType::kFloat, DataType::kFloat16, DataType::kBfloat16));

TEST(NormGradient, RefusesStatisticsOfOtherShapes) {
  const auto x = Random(DataType::kFloat, {2, 4}, 1);
  const auto rms = [&](const Dims& rstd, const Dims& gamma) {
    OpRun run("RmsNormGrad");
    run.In("dy", x).In("x", x).In("rstd", Random(DataType::kFloat, rstd, 1));
    return run.In("gamma", Random(DataType::kFloat, gamma, 1)).Out("dx").Out("dgamma").Run();
  };
  EXPECT_NO_THROW(rms({2}, {4}));
  EXPECT_THROW(rms({3}, {4}), Error);
  EXPECT_THROW(rms({2}, {2}), Error);
  const auto group = [&](const Dims& mean, std::int64_t groups) {
    OpRun run("GroupNormGrad");
    run.In("dy", x)
        .In("mean", Random(DataType::kFloat, mean, 1))
        .In("rstd", Random(DataType::kFloat, mean, 1));
    run.In("x", x).In("gamma", Random(DataType::kFloat, {4}, 1)).Attr("num_groups", groups);
    return run.Out("dx").Out("dgamma").Out("dbeta").Run();
  };
  EXPECT_NO_THROW(group({2, 2}, 2));
  EXPECT_THROW(group({2, 1}, 2), Error);
  EXPECT_THROW(group({2, 3}, 3), Error);
}

TEST(NormGradient, RefusesWhatIsNotOfOneNormalisation) {
  const auto x = Random(DataType::kFloat, {2, 3}, 1);
  const auto layer = [&](const Dims& mean, const Dims& gamma) {
    OpRun run("LayerNormGrad");
    run.In("dy", x).In("x", x).In("variance", Random(DataType::kFloat, mean, 1));
    run.In("mean", Random(DataType::kFloat, mean, 1)).In("gamma", Random(DataType::kFloat, gamma, 1));
    return run.Out("pd_x").Run();
  };
  EXPECT_NO_THROW(layer({2, 1}, {3}));
  EXPECT_THROW(layer({4}, {3}), Error);
  EXPECT_THROW(layer({2}, {4}), Error);
}

}  // namespace
}  // namespace foothold
