// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "ops/op.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

constexpr std::int64_t kMany = 40000;

struct Moments {
  double mean = 0, variance = 0, least = 0, most = 0;
};

Moments MomentsOf(const std::vector<double>& x) {
  Moments m;
  m.least = *std::min_element(x.begin(), x.end()), m.most = *std::max_element(x.begin(), x.end());
  for (const double value : x)
    m.mean += value / static_cast<double>(x.size());
  for (const double value : x)
    m.variance += (value - m.mean) * (value - m.mean) / static_cast<double>(x.size());
  return m;
}

std::vector<double> Draw(const char* type, DataType data, std::int64_t seed, std::int64_t seed2 = 0) {
  const TensorValue y = OpRun(type)
                            .In("shape", Int32s({2}, {2, kMany / 2}))
                            .Attr("dtype", data)
                            .Attr("seed", seed)
                            .Attr("seed2", seed2)
                            .Out("y")
                            .Run();
  EXPECT_EQ(y.type().type, data);
  EXPECT_EQ(y.dims(), (Dims{2, kMany / 2}));
  return Numbers(y);
}

const DataType kFloating[] = {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble};

TEST(RandomUniform, IsEvenInTheUnitInterval) {
  for (const DataType type : kFloating) {
    const Moments m = MomentsOf(Draw("RandomUniform", type, 7));
    EXPECT_NEAR(m.mean, 0.5, 0.01);
    EXPECT_NEAR(m.variance, 1.0 / 12, 0.005);
    EXPECT_GE(m.least, 0);
    EXPECT_LT(m.most, 1.0 + 1e-12);
    EXPECT_LT(m.least, 0.01);
    EXPECT_GT(m.most, 0.99);
  }
}

TEST(RandomStandardNormal, HasTheRightMoments) {
  for (const DataType type : kFloating) {
    const Moments m = MomentsOf(Draw("RandomStandardNormal", type, 7));
    EXPECT_NEAR(m.mean, 0, 0.03);
    EXPECT_NEAR(m.variance, 1, 0.03);
    EXPECT_GT(m.most, 3);
    EXPECT_LT(m.least, -3);
  }
}

TEST(RandomUniform, FollowsItsSeeds) {
  const auto draw = [](std::int64_t a, std::int64_t b) {
    return Draw("RandomUniform", DataType::kFloat, a, b);
  };
  EXPECT_EQ(draw(1, 2), draw(1, 2));
  EXPECT_NE(draw(1, 2), draw(2, 1));
  EXPECT_NE(draw(1, 0), draw(1, 1));
  EXPECT_NE(draw(0, 0), draw(0, 0));  // from the system
}

TEST(RandomUniform, GoesOnFromRunToRun) {
  OpRun op("RandomUniform");
  op.In("shape", Int32s({1}, {4})).Attr("dtype", DataType::kFloat).Attr("seed", std::int64_t{3}).Out("y");
  const TensorValue shape = Int32s({1}, {4});
  OpContext context(op.node(), {&shape});
  const OpDef& def = *FindOp("RandomUniform");
  EXPECT_TRUE(def.stateful());
  def.infer()(context);
  const auto kernel = def.lower()(context);
  alignas(64) float first[4], second[4];
  const std::byte* inputs[] = {nullptr};
  for (float* to : {first, second}) {
    std::byte* outputs[] = {reinterpret_cast<std::byte*>(to)};
    kernel->Run({inputs, outputs, nullptr});
  }
  EXPECT_FALSE(std::equal(first, first + 4, second));
}

TEST(RandomUniformInt, StaysInItsRange) {
  const auto draw = [](DataType type, double low, double high) {
    return Numbers(OpRun("RandomUniformInt")
                       .In("shape", Int32s({1}, {kMany}))
                       .Late("min", Tensor(type, {}, {low}))
                       .Late("max", Tensor(type, {}, {high}))
                       .Attr("seed", std::int64_t{5})
                       .Out("y")
                       .Run());
  };
  for (const DataType type : {DataType::kInt32, DataType::kInt64}) {
    const std::vector<double> y = draw(type, -3, 4);
    for (int value = -3; value < 4; ++value)
      EXPECT_NEAR(static_cast<double>(std::count(y.begin(), y.end(), value)), kMany / 7.0, 400) << value;
    EXPECT_THROW(draw(type, 4, 4), Error);
  }
}

TEST(Multinomial, DrawsByProbability) {
  const TensorValue y =
      OpRun("Multinomial")
          .In("logits", Floats({2, 3}, {std::log(1.0), std::log(2.0), std::log(5.0), 0, -INFINITY, 0}))
          .In("num_samples", Int32s({}, {kMany}))
          .Attr("seed", std::int64_t{9})
          .Attr("dtype", DataType::kInt32)
          .Out("y")
          .Run();
  EXPECT_EQ(y.dims(), (Dims{2, kMany}));
  const std::vector<double> all = Numbers(y);
  const double expected[2][3] = {{0.125, 0.25, 0.625}, {0.5, 0, 0.5}};
  for (int row = 0; row < 2; ++row)
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(
          static_cast<double>(std::count(all.begin() + row * kMany, all.begin() + (row + 1) * kMany, k)) /
              kMany,
          expected[row][k], 0.01);
}

TEST(StatelessBernoulli, FollowsFromItsInputs) {
  const auto draw = [](double seed, double offset, double probability) {
    return Numbers(OpRun("StatelessBernoulli")
                       .In("shape", Int32s({1}, {kMany}))
                       .Late("prob", Floats({}, {probability}))
                       .Late("seed", Tensor(DataType::kInt64, {1}, {seed}))
                       .Late("offset", Tensor(DataType::kInt64, {1}, {offset}))
                       .Attr("dtype", DataType::kInt8)
                       .Out("y")
                       .Run());
  };
  const std::vector<double> y = draw(3, 0, 0.3);
  EXPECT_NEAR(MomentsOf(y).mean, 0.3, 0.01);
  EXPECT_EQ(y, draw(3, 0, 0.3));
  EXPECT_NE(y, draw(4, 0, 0.3));
  EXPECT_NE(y, draw(3, 50000, 0.3));
  EXPECT_EQ(MomentsOf(draw(1, 0, 0)).most, 0);
  EXPECT_EQ(MomentsOf(draw(1, 0, 1)).least, 1);
}

TEST(StatelessBernoulliV2, HasAProbabilityForEachElement) {
  std::vector<double> p(kMany, 0.0);
  std::fill(p.begin() + kMany / 2, p.end(), 1.0);
  const TensorValue y = OpRun("StatelessBernoulliV2")
                            .In("x", Tensor(DataType::kFloat16, {kMany}, p))
                            .In("seed", Tensor(DataType::kInt64, {}, {1}))
                            .In("offset", Tensor(DataType::kInt64, {}, {0}))
                            .Out("y")
                            .Run();
  EXPECT_EQ(y.type().type, DataType::kFloat16);
  EXPECT_EQ(Numbers(y), p);
}

// Of a kernel that was made before its seed was known.
OpRun& Seeded(OpRun& run, std::int64_t seed, std::int64_t offset) {
  return run.Late("seed", TensorValue::Of<std::int64_t>(DataType::kInt64, {}, {&seed, 1}))
      .Late("offset", TensorValue::Of<std::int64_t>(DataType::kInt64, {}, {&offset, 1}));
}

std::vector<double> Filled(const char* op, DataType type, std::int64_t seed, std::int64_t offset) {
  OpRun run(op);
  Seeded(run, seed, offset).Attr("shape", Ints{2, kMany / 2}).Attr("dtype", type);
  const bool even = std::string_view(op) == "AclnnRandomUniform";
  run.Late("first", Floats({}, {even ? -2.0 : 3.0})).Late("second", Floats({}, {even ? 4.0 : 2.0}));
  return Numbers(run.Out("y").Run());
}

TEST(AclnnRandom, FollowsFromSeedAndOffset) {
  for (const DataType type : kFloating) {
    const std::vector<double> even = Filled("AclnnRandomUniform", type, 5, 100);
    const Moments m = MomentsOf(even), n = MomentsOf(Filled("AclnnRandomNormal", type, 5, 100));
    EXPECT_NEAR(m.mean, 1, 0.05);
    EXPECT_NEAR(m.variance, 3, 0.1);
    EXPECT_GE(m.least, -2);
    EXPECT_LE(m.most, 4);
    EXPECT_NEAR(n.mean, 3, 0.05);
    EXPECT_NEAR(n.variance, 4, 0.2);
    EXPECT_EQ(even, Filled("AclnnRandomUniform", type, 5, 100));
    EXPECT_NE(even, Filled("AclnnRandomUniform", type, 6, 100));
    EXPECT_NE(even, Filled("AclnnRandomUniform", type, 5, 101));
  }
  EXPECT_THROW(Filled("AclnnRandomUniform", DataType::kInt8, 0, 0), Error);
}

std::vector<double> Mask(std::int64_t count, float p, std::int64_t seed) {
  OpRun run("AclnnDropoutMask");
  Seeded(run, seed, 8).Late("p", Floats({}, {static_cast<double>(p)})).Attr("count", count);
  return Numbers(run.Out("y").Run());
}

TEST(AclnnDropoutMask, KeepsBitsInBytesThatAreAMultiple) {
  const std::vector<double> mask = Mask(kMany, 0.25f, 3);
  ASSERT_EQ(mask.size(), 5120u);
  double kept = 0;
  for (const double byte : mask)
    kept += __builtin_popcount(static_cast<unsigned>(byte));
  EXPECT_NEAR(kept / kMany, 0.75, 0.02);
  EXPECT_EQ(mask, Mask(kMany, 0.25f, 3));
  EXPECT_NE(mask, Mask(kMany, 0.25f, 4));
  std::vector<double> few(128, 0);
  few[0] = 255, few[1] = 7;
  EXPECT_EQ(Mask(11, 0, 1), few);
  EXPECT_EQ(Mask(11, 1, 1), std::vector<double>(128, 0));
  EXPECT_EQ(Mask(0, 0, 1).size(), 0u);
  EXPECT_THROW(Mask(-1, 0, 1), Error);
  EXPECT_THROW(Mask(1, 2, 1), Error);
  EXPECT_THROW(OpRun("AclnnDropoutMask").NoInput("seed").NoInput("offset").NoInput("p").Out("y").Run(),
               Error);
}

}  // namespace
}  // namespace foothold
