// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "kernels/channel_blocks.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

// Elements of channel c are those with (i / inner) % channels == c.
struct Layout {
  std::size_t channels, inner;
  std::size_t Of(std::size_t i) const { return i / inner % channels; }
};

struct Statistics {
  std::vector<double> mean, variance;
};

Statistics StatisticsOf(const std::vector<double>& x, const Layout& layout) {
  Statistics s{std::vector<double>(layout.channels), std::vector<double>(layout.channels)};
  const double count = static_cast<double>(x.size() / layout.channels);
  for (std::size_t i = 0; i < x.size(); ++i)
    s.mean[layout.Of(i)] += x[i] / count;
  for (std::size_t i = 0; i < x.size(); ++i)
    s.variance[layout.Of(i)] += std::pow(x[i] - s.mean[layout.Of(i)], 2) / count;
  return s;
}

std::vector<double> Normalized(const std::vector<double>& x, const Layout& layout, const Statistics& s,
                               const std::vector<double>& scale, const std::vector<double>& offset,
                               double epsilon) {
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t c = layout.Of(i);
    y[i] = scale[c] * (x[i] - s.mean[c]) / std::sqrt(s.variance[c] + epsilon) + offset[c];
  }
  return y;
}

struct Case {
  Dims dims;
  Format format;
  std::string data_format;
  Layout layout;
  DataType type;
};

double ToleranceOf(DataType type) {
  return type == DataType::kFloat16 ? 2e-3 : type == DataType::kBfloat16 ? 2e-2 : 1e-5;
}

class BatchNormOp : public testing::TestWithParam<Case> {
 protected:
  std::vector<TensorValue> Normalize(const TensorValue& x, bool training, const TensorValue* mean,
                                     const TensorValue* variance, float factor = 1.0f) {
    OpRun run("BatchNorm");
    run.Late("x", x).Late("scale", scale_).Late("offset", offset_);
    mean != nullptr ? run.Late("mean", *mean) : run.NoInput("mean");
    variance != nullptr ? run.Late("variance", *variance) : run.NoInput("variance");
    if (!training) run.Attr("is_training", false);
    if (factor != 1.0f) run.Attr("exponential_avg_factor", factor);
    run.Attr("data_format", GetParam().data_format).Attr("epsilon", 1e-3f);
    for (const char* name :
         {"y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2", "reserve_space_3"})
      run.Out(name);
    return run.RunAll();
  }

  const std::int64_t channels_ = static_cast<std::int64_t>(GetParam().layout.channels);
  const TensorValue scale_ = Random(DataType::kFloat, {channels_}, 1);
  const TensorValue offset_ = Random(DataType::kFloat, {channels_}, 2);
};

TEST_P(BatchNormOp, UsesTheGivenStatisticsInInference) {
  const Case& c = GetParam();
  const auto x = Random(c.type, c.dims, 3, c.format);
  const auto mean = Random(DataType::kFloat, {channels_}, 4);
  auto positive = Numbers(Random(DataType::kFloat, {channels_}, 5));
  for (double& value : positive)
    value = value * value + 0.5;
  const auto variance = Floats({channels_}, positive);
  const auto out = Normalize(x, false, &mean, &variance);
  ExpectNear(out[0],
             Normalized(Numbers(x), c.layout, {Numbers(mean), Numbers(variance)}, Numbers(scale_),
                        Numbers(offset_), 1e-3),
             ToleranceOf(c.type));
  EXPECT_EQ(out[0].type(), x.type());
  ExpectNear(out[1], Numbers(mean));
  ExpectNear(out[2], Numbers(variance));
  ExpectNear(out[3], Numbers(mean));
  ExpectNear(out[4], Numbers(variance));
  EXPECT_EQ(out[5].dims(), (Dims{1}));
}

TEST_P(BatchNormOp, UsesTheBatchInTraining) {
  const Case& c = GetParam();
  const auto x = Random(c.type, c.dims, 3, c.format);
  const Statistics s = StatisticsOf(Numbers(x), c.layout);
  const double count = static_cast<double>(Numbers(x).size() / c.layout.channels);
  auto unbiased = s.variance;
  for (double& value : unbiased)
    value *= count / (count - 1);
  const auto out = Normalize(x, true, nullptr, nullptr);
  ExpectNear(out[0], Normalized(Numbers(x), c.layout, s, Numbers(scale_), Numbers(offset_), 1e-3),
             ToleranceOf(c.type));
  EXPECT_EQ(out[1].type().type, DataType::kFloat);
  ExpectNear(out[1], s.mean);
  ExpectNear(out[2], unbiased);
  ExpectNear(out[3], s.mean);
  ExpectNear(out[4], s.variance);
}

TEST_P(BatchNormOp, AveragesWithRunningStatistics) {
  const Case& c = GetParam();
  const auto x = Random(c.type, c.dims, 3, c.format);
  const Statistics s = StatisticsOf(Numbers(x), c.layout);
  const auto mean = Random(DataType::kFloat, {channels_}, 4),
             variance = Random(DataType::kFloat, {channels_}, 5);
  auto expected = s.mean;
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = 0.25 * s.mean[i] + 0.75 * Numbers(mean)[i];
  const auto out = Normalize(x, true, &mean, &variance, 0.25f);
  ExpectNear(out[1], expected);
  ExpectNear(out[3], s.mean);
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, BatchNormOp,
    testing::Values(Case{{2, 3, 4, 5}, Format::kNchw, "NCHW", {3, 20}, DataType::kFloat},
                    Case{{2, 3, 4, 5}, Format::kNhwc, "NHWC", {5, 1}, DataType::kFloat},
                    Case{{2, 3, 4, 5}, Format::kNchw, "NHWC", {3, 20}, DataType::kFloat},
                    Case{{2, 3, 4, 5}, Format::kNd, "NCHW", {3, 20}, DataType::kFloat},
                    Case{{2, 3, 4, 5}, Format::kNd, "NHWC", {5, 1}, DataType::kFloat},
                    Case{{6, 70}, Format::kNd, "NCHW", {70, 1}, DataType::kFloat},
                    Case{{3000, 67}, Format::kNd, "NHWC", {67, 1}, DataType::kFloat},
                    Case{{2, 2, 3000}, Format::kNd, "NCHW", {2, 3000}, DataType::kFloat},
                    Case{{2, 3, 4, 2, 3}, Format::kNcdhw, "NCHW", {3, 24}, DataType::kFloat},
                    Case{{2, 3, 4, 5}, Format::kNchw, "NCHW", {3, 20}, DataType::kFloat16},
                    Case{{2, 3, 4, 5}, Format::kNhwc, "NHWC", {5, 1}, DataType::kBfloat16}));

TEST(BatchNorm, KeepsSmallDifferencesOfLargeNumbers) {
  std::vector<double> x(4096);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = 4096 + static_cast<double>(i % 2);
  OpRun run("BatchNorm");
  run.In("x", Floats({1, 1, 64, 64}, x, Format::kNchw))
      .In("scale", Floats({1}, {1}))
      .In("offset", Floats({1}, {0}));
  run.Attr("epsilon", 0.0f).Out("y").Out("batch_mean").Out("batch_variance");
  const auto out = run.RunAll();
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = i % 2 == 0 ? -1 : 1;
  ExpectNear(out[0], x, 1e-4);
}

TEST(BatchNorm, RefusesWhatDoesNotFit) {
  const auto run = [](const Dims& scale, bool training) {
    OpRun norm("BatchNorm");
    norm.In("x", Random(DataType::kFloat, {1, 3, 2, 2}, 1, Format::kNchw));
    norm.In("scale", Random(DataType::kFloat, scale, 1)).In("offset", Random(DataType::kFloat, {3}, 1));
    return norm.Attr("is_training", training).Out("y").Run();
  };
  EXPECT_NO_THROW(run({3}, true));
  EXPECT_THROW(run({2}, true), Error);
  EXPECT_THROW(run({3}, false), Error);
}

TEST(BatchNormInference, ReadsStatisticsInThreeWays) {
  const auto x = Floats({1, 2, 1, 2}, {1, 2, 3, 4}, Format::kNchw);
  const auto scale = Floats({2}, {2, 3}), offset = Floats({2}, {10, 20});
  const std::vector<double> expected{2 * (1 - 0.5) / 2 + 10, 2 * (2 - 0.5) / 2 + 10, 3 * (3 - 1.0) / 3 + 20,
                                     3 * (4 - 1.0) / 3 + 20};
  const auto plain = OpRun("BNInfer")
                         .In("x", x)
                         .In("scale", scale)
                         .In("offset", offset)
                         .In("mean", Floats({2}, {0.5, 1}))
                         .In("variance", Floats({2}, {3, 8}))
                         .Attr("epsilon", 1.0f)
                         .Out("y")
                         .Run();
  ExpectNear(plain, expected);
  const auto accumulated = OpRun("BNInference")
                               .In("x", x)
                               .In("mean", Floats({2}, {5, 10}))
                               .In("variance", Floats({2}, {30, 80}))
                               .In("momentum", Floats({1}, {10}))
                               .In("scale", scale)
                               .In("offset", offset)
                               .Attr("epsilon", 1.0f)
                               .Out("y")
                               .Run();
  ExpectNear(accumulated, expected);
  const auto prepared = OpRun("BNInferenceD")
                            .In("x", x)
                            .In("mean", Floats({2}, {-0.5, -1}))
                            .In("variance", Floats({2}, {1.0 / 2, 1.0 / 3}))
                            .In("scale", scale)
                            .In("b", offset)
                            .Out("y")
                            .Run();
  ExpectNear(prepared, expected);
}

TEST(BatchNormInference, TakesNothingAccumulatedForZero) {
  const auto y = OpRun("BNInference")
                     .In("x", Floats({1, 1, 1, 2}, {1, 2}, Format::kNchw))
                     .In("mean", Floats({1}, {5}))
                     .In("variance", Floats({1}, {7}))
                     .In("momentum", Floats({1}, {0}))
                     .Attr("epsilon", 0.25f)
                     .Out("y")
                     .Run();
  ExpectNear(y, {2, 4});
}

// Blocks of channels are what the compiler makes of planes; those of a program may be others.
std::vector<TensorValue> NormalizeBlocks(std::int64_t lanes, std::int64_t channels, bool training) {
  OpRun run("BatchNormV3");
  run.Late("x", Random(DataType::kFloat, {2, 1, 3, 2, lanes}, 1, Format::kNc1hwc0));
  for (const char* name : {"weight", "bias", "running_mean", "running_var"})
    run.Late(name, Floats({channels}, std::vector<double>(static_cast<std::size_t>(channels), 1)));
  for (const char* name : {"y", "running_mean", "running_var", "save_mean", "save_rstd"})
    run.Out(name);
  return run.Attr("is_training", training).RunAll();
}

TEST(BatchNormV3Op, RefusesBlocksThatAreNotThoseOfTheCpu) {
  const auto lanes = static_cast<std::int64_t>(ChannelBlock());
  EXPECT_NO_THROW(NormalizeBlocks(lanes, lanes, true));
  EXPECT_THROW(NormalizeBlocks(2 * lanes, 2 * lanes, true), Error);
  EXPECT_THROW(NormalizeBlocks(lanes, lanes + 1, true), Error);
  EXPECT_THROW(NormalizeBlocks(lanes, lanes, false), Error);
}

}  // namespace
}  // namespace foothold
