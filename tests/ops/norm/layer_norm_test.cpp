// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

struct Rows {
  std::vector<double> y, mean, variance, deviation;
};

// Rows of `length`, parameters repeating over the elements.
Rows Normalized(const std::vector<double>& x, std::size_t length, const std::vector<double>& gamma,
                const std::vector<double>& beta, double epsilon) {
  Rows rows{std::vector<double>(x.size()), {}, {}, {}};
  for (std::size_t begin = 0; begin < x.size(); begin += length) {
    double mean = 0, variance = 0;
    for (std::size_t i = begin; i < begin + length; ++i)
      mean += x[i] / static_cast<double>(length);
    for (std::size_t i = begin; i < begin + length; ++i)
      variance += (x[i] - mean) * (x[i] - mean) / static_cast<double>(length);
    rows.mean.push_back(mean);
    rows.variance.push_back(variance);
    rows.deviation.push_back(1 / std::sqrt(variance + epsilon));
    for (std::size_t i = begin; i < begin + length; ++i)
      rows.y[i] = (x[i] - mean) * rows.deviation.back() * gamma[i % gamma.size()] + beta[i % beta.size()];
  }
  return rows;
}

struct Case {
  Dims dims;
  std::int64_t norm_axis, parameter_axis;
  std::size_t length;
  DataType type;
};

double ToleranceOf(DataType type) {
  return type == DataType::kFloat16 ? 4e-3 : type == DataType::kBfloat16 ? 3e-2 : 1e-5;
}

class LayerNormOp : public testing::TestWithParam<Case> {};

TEST_P(LayerNormOp, EqualsItsDefinition) {
  const auto& [dims, norm_axis, parameter_axis, length, type] = GetParam();
  const auto rank = static_cast<std::int64_t>(dims.size());
  const Dims parameters(dims.begin() + (parameter_axis < 0 ? parameter_axis + rank : parameter_axis),
                        dims.end());
  Dims reduced = dims;
  for (std::int64_t i = norm_axis < 0 ? norm_axis + rank : norm_axis; i < rank; ++i)
    reduced[static_cast<std::size_t>(i)] = 1;
  const auto x = Random(type, dims, 1), gamma = Random(type, parameters, 2),
             beta = Random(type, parameters, 3);
  const Rows expected = Normalized(Numbers(x), length, Numbers(gamma), Numbers(beta), 1e-3);
  for (const std::string op : {"LayerNorm", "LayerNormV3"}) {
    OpRun run(op);
    run.Late("x", x).Late("gamma", gamma).Late("beta", beta).Attr("begin_norm_axis", norm_axis);
    run.Attr("begin_params_axis", parameter_axis).Attr("epsilon", 1e-3f).Out("y").Out("mean").Out("spread");
    const auto out = run.RunAll();
    EXPECT_EQ(out[1].dims(), reduced);
    ExpectNear(out[0], expected.y, ToleranceOf(type));
    ExpectNear(out[1], expected.mean, ToleranceOf(type));
    ExpectNear(out[2], op == "LayerNorm" ? expected.variance : expected.deviation, ToleranceOf(type));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, LayerNormOp,
                         testing::Values(Case{{2, 3, 40}, -1, -1, 40, DataType::kFloat},
                                         Case{{2, 3, 4}, 1, 1, 12, DataType::kFloat},
                                         Case{{2, 3, 4}, 0, 0, 24, DataType::kFloat},
                                         Case{{2, 3, 4}, 1, 2, 12, DataType::kFloat},
                                         Case{{2, 3, 4}, 2, 1, 4, DataType::kFloat},
                                         Case{{2, 2500}, 1, 1, 2500, DataType::kFloat},
                                         Case{{3, 33}, 1, 1, 33, DataType::kFloat16},
                                         Case{{3, 33}, 1, 1, 33, DataType::kBfloat16}));

TEST(LayerNorm, TakesItsShapeAsATensor) {
  const auto x = Random(DataType::kFloat, {2, 3, 4}, 1);
  const auto run = [&](const std::vector<double>& shape) {
    OpRun norm("LayerNormV4");
    norm.Late("x", x).In("normalized_shape", Int32s({static_cast<std::int64_t>(shape.size())}, shape));
    return norm.NoInput("gamma").NoInput("beta").Out("y").Out("mean").Out("rstd").RunAll();
  };
  const Rows expected = Normalized(Numbers(x), 12, {1}, {0}, 1e-5);
  const auto out = run({3, 4});
  ExpectNear(out[0], expected.y, 1e-5);
  EXPECT_EQ(out[2].dims(), (Dims{2, 1, 1}));
  ExpectNear(out[2], expected.deviation, 1e-5);
  EXPECT_THROW(run({2, 3}), Error);
  EXPECT_THROW(run({1, 2, 3, 4}), Error);
}

TEST(LayerNorm, RefusesWhatDoesNotFit) {
  const auto run = [](std::int64_t axis, const Dims& gamma) {
    OpRun norm("LayerNorm");
    norm.In("x", Random(DataType::kFloat, {2, 3}, 1)).In("gamma", Random(DataType::kFloat, gamma, 1));
    return norm.In("beta", Random(DataType::kFloat, {3}, 1)).Attr("begin_norm_axis", axis).Out("y").Run();
  };
  EXPECT_NO_THROW(run(1, {3}));
  EXPECT_THROW(run(2, {3}), Error);
  EXPECT_THROW(run(-3, {3}), Error);
  EXPECT_THROW(run(1, {2}), Error);
}

struct InstanceCase {
  Dims dims;
  Format format;
  std::string data_format;  // empty: not set
  bool last;
  DataType type;
};
class InstanceNormOp : public testing::TestWithParam<InstanceCase> {};

TEST_P(InstanceNormOp, EqualsItsDefinition) {
  const auto& [dims, format, data_format, last, type] = GetParam();
  const std::int64_t channels = last ? dims.back() : dims[1];
  const auto x = Random(type, dims, 1, format);
  const auto gamma = Random(type, {channels}, 2), beta = Random(type, {channels}, 3);
  OpRun run("InstanceNorm");
  run.Late("x", x).Late("gamma", gamma).Late("beta", beta).Attr("epsilon", 1e-3f);
  if (!data_format.empty()) run.Attr("data_format", data_format);
  const auto out = run.Out("y").Out("mean").Out("variance").RunAll();
  const auto numbers = Numbers(x), factors = Numbers(gamma), shifts = Numbers(beta);
  const auto c = static_cast<std::size_t>(channels);
  const std::size_t pixels = numbers.size() / static_cast<std::size_t>(dims[0]) / c;
  std::vector<double> expected(numbers.size()), means, variances;
  for (std::size_t instance = 0; instance < static_cast<std::size_t>(dims[0]) * c; ++instance) {
    const std::size_t n = instance / c, ch = instance % c;
    const auto at = [&](std::size_t p) { return last ? (n * pixels + p) * c + ch : instance * pixels + p; };
    std::vector<double> values;
    for (std::size_t p = 0; p < pixels; ++p)
      values.push_back(numbers[at(p)]);
    const Rows row = Normalized(values, pixels, {factors[ch]}, {shifts[ch]}, 1e-3);
    for (std::size_t p = 0; p < pixels; ++p)
      expected[at(p)] = row.y[p];
    means.push_back(row.mean[0]);
    variances.push_back(row.variance[0]);
  }
  ExpectNear(out[0], expected, ToleranceOf(type));
  ExpectNear(out[1], means, ToleranceOf(type));
  ExpectNear(out[2], variances, ToleranceOf(type));
  Dims reduced(dims.size(), 1);
  reduced[0] = dims[0];
  reduced[last ? dims.size() - 1 : 1] = channels;
  EXPECT_EQ(out[1].dims(), reduced);
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, InstanceNormOp,
    testing::Values(InstanceCase{{2, 3, 4, 5}, Format::kNchw, "", false, DataType::kFloat},
                    InstanceCase{{2, 3, 4, 5}, Format::kNhwc, "", true, DataType::kFloat},
                    InstanceCase{{2, 3, 4, 5}, Format::kNd, "", false, DataType::kFloat},
                    InstanceCase{{2, 3, 4, 5}, Format::kNd, "NHWC", true, DataType::kFloat},
                    InstanceCase{{2, 3, 2, 4, 5}, Format::kNd, "", true, DataType::kFloat},
                    InstanceCase{{2, 3, 2, 4, 5}, Format::kNcdhw, "", false, DataType::kFloat},
                    InstanceCase{{2, 3, 9}, Format::kNd, "", false, DataType::kFloat},
                    InstanceCase{{2, 3, 4, 5}, Format::kNchw, "NCHW", false, DataType::kFloat16}));

TEST(InstanceNorm, RefusesParametersForOtherChannels) {
  OpRun run("InstanceNorm");
  run.In("x", Random(DataType::kFloat, {1, 2, 3, 3}, 1, Format::kNchw));
  run.In("gamma", Floats({3}, {1, 1, 1})).In("beta", Floats({3}, {1, 1, 1})).Out("y");
  EXPECT_THROW(run.Run(), Error);
}

TEST(Lrn, SumsOverChannelsOrPixels) {
  const auto run = [](const TensorValue& x, const std::string& region) {
    OpRun lrn("LRN");
    lrn.In("x", x).Attr("depth_radius", std::int64_t{1}).Attr("bias", 2.0f).Attr("alpha", 0.5f);
    return lrn.Attr("beta", 0.75f).Attr("norm_region", region).Out("y").Run();
  };
  const std::vector<double> x{1, 2, 3, 4};
  const double sums[] = {1 + 4, 1 + 4 + 9, 4 + 9 + 16, 9 + 16};
  std::vector<double> expected;
  for (std::size_t i = 0; i < 4; ++i)
    expected.push_back(x[i] / std::pow(2 + 0.5 * sums[i], 0.75));
  ExpectNear(run(Floats({1, 4, 1, 1}, x, Format::kNchw), "ACROSS_CHANNELS"), expected);
  ExpectNear(run(Floats({1, 1, 1, 4}, x, Format::kNhwc), "ACROSS_CHANNELS"), expected);
  ExpectNear(run(Floats({1, 1, 1, 4}, x, Format::kNchw), "WITHIN_CHANNEL"), expected);
  ExpectNear(run(Floats({1, 1, 4, 1}, x, Format::kNhwc), "WITHIN_CHANNEL"), expected);
  EXPECT_THROW(run(Floats({1, 1, 4, 1}, x), "EVERYWHERE"), Error);
  EXPECT_THROW(run(Floats({4}, x), "ACROSS_CHANNELS"), Error);
}

TEST(Lrn, SumsOverASquare) {
  OpRun lrn("LRN");
  lrn.In("x", Floats({1, 1, 3, 3}, {1, 1, 1, 1, 2, 1, 1, 1, 1}, Format::kNchw))
      .Attr("depth_radius", std::int64_t{1});
  lrn.Attr("beta", 1.0f).Attr("norm_region", std::string("WITHIN_CHANNEL")).Out("y");
  ExpectNear(lrn.Run(),
             {1.0 / 8, 1.0 / 10, 1.0 / 8, 1.0 / 10, 2.0 / 13, 1.0 / 10, 1.0 / 8, 1.0 / 10, 1.0 / 8});
}

}  // namespace
}  // namespace foothold
