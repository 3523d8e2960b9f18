// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Chance: what follows from the same seed and offset is the same, and its average is what it has to be.
#include <algorithm>
#include <cmath>
#include <set>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_bernoulli.h"
#include "aclnnop/aclnn_dropout_do_mask.h"
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include "aclnnop/aclnn_multinomial.h"
#include "aclnnop/aclnn_normal.h"
#include "aclnnop/aclnn_normal_out.h"
#include "aclnnop/aclnn_random.h"
#include "aclnnop/aclnn_randperm.h"
#include "aclnnop/aclnn_uniform.h"

namespace nn {
namespace {

constexpr std::int64_t kMany = 20000;

double MeanOf(const Values& values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

double DeviationOf(const Values& values) {
  const double mean = MeanOf(values);
  double sum = 0;
  for (const double value : values)
    sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

TEST_F(Nn, UniformNumbersLieBetweenTheirBounds) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    const Tensor a = Out(type, {kMany}, Layout::kEveryOther), b = Out(type, {kMany}), c = Out(type, {kMany});
    Run(NN(InplaceUniform), a, -1.0, 3.0, 7, 0);
    Run(NN(InplaceUniform), b, -1.0, 3.0, 7, 0);
    Run(NN(InplaceUniform), c, -1.0, 3.0, 7, 16);
    const Values values = a.Read();
    EXPECT_EQ(values, b.Read()) << type;
    EXPECT_NE(values, c.Read()) << type;
    EXPECT_GE(*std::min_element(values.begin(), values.end()), -1.0);
    EXPECT_LE(*std::max_element(values.begin(), values.end()), 3.0);
    EXPECT_NEAR(MeanOf(values), 1.0, 0.05);
    EXPECT_NEAR(DeviationOf(values), 4 / std::sqrt(12.0), 0.05);
  }
  ExpectRefused(161002, "'from' is 3", NN(InplaceUniform), Out(ACL_FLOAT, {2}), 3.0, 1.0, 0, 0);
}

// Programs move the offset by less than they draw.
TEST_F(Nn, SequencesOfCloseOffsetsDoNotOverlap) {
  const auto drawn = [](std::uint64_t offset) {
    const Tensor out = Out(ACL_FLOAT, {kMany});
    Run(NN(InplaceUniform), out, 0.0, 1.0, 9, offset);
    return out.Read();
  };
  const Values first = drawn(20), second = drawn(30);
  for (std::size_t shift = 0; shift < 64; ++shift) {
    std::size_t equal = 0;
    for (std::size_t i = 0; i + shift < first.size(); ++i)
      if (first[i + shift] == second[i]) ++equal;
    EXPECT_LT(equal, first.size() / 100) << shift;
  }
}

TEST_F(Nn, ChancesOfElementsDecide) {
  Values chances(kMany);
  for (std::size_t i = 0; i < chances.size(); ++i)
    chances[i] = i % 2 == 0 ? 0.25 : 0.75;
  const Tensor out = Out(ACL_INT32, {kMany});
  Run(NN(InplaceBernoulliTensor), out, In(ACL_FLOAT, {kMany}, chances), 3, 4);
  const Values hits = out.Read();
  double even = 0, odd = 0;
  for (std::size_t i = 0; i < hits.size(); ++i)
    (i % 2 == 0 ? even : odd) += hits[i] / (kMany / 2.0);
  EXPECT_NEAR(even, 0.25, 0.05);
  EXPECT_NEAR(odd, 0.75, 0.05);
}

// One prepared form serves all seeds, in any order, and a repeated executor keeps its own.
TEST_F(Nn, SeedsComeWithTheCall) {
  const auto drawn = [](std::uint64_t seed, std::uint64_t offset) {
    const Tensor out = Out(ACL_FLOAT, {kMany});
    Run(NN(InplaceUniform), out, 0.0, 1.0, seed, offset);
    return out.Read();
  };
  const Values first = drawn(1, 0), second = drawn(2, 0), third = drawn(1, 4);
  EXPECT_NE(first, second);
  EXPECT_NE(first, third);
  EXPECT_EQ(first, drawn(1, 0));
  EXPECT_EQ(third, drawn(1, 4));
  const Tensor kept = Out(ACL_FLOAT, {kMany});
  Objects objects;
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_OK(aclnnInplaceUniformGetWorkspaceSize(objects.Of(kept), 0, 1, 2, 0, &workspace, &executor));
  ASSERT_OK(aclSetAclOpExecutorRepeatable(executor));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(drawn(1, 0), first);
    ASSERT_OK(aclnnInplaceUniform(nullptr, workspace, executor, stream()));
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    EXPECT_EQ(kept.Read(), second);
  }
  EXPECT_OK(aclDestroyAclOpExecutor(executor));
}

TEST_F(Nn, NormalNumbersHaveTheirMeanAndDeviation) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    const Tensor a = Out(type, {kMany}), b = Out(type, {kMany});
    Run(NN(InplaceNormal), a, 1.0f, 2.0f, 3, 5);
    Run(NN(NormalFloatFloat), 1.0f, 2.0f, 3, 5, b);
    EXPECT_EQ(a.Read(), b.Read());
    EXPECT_NEAR(MeanOf(a.Read()), 1.0, 0.1) << type;
    EXPECT_NEAR(DeviationOf(a.Read()), 2.0, 0.1) << type;
  }
  ExpectRefused(161002, "'std' is -1", NN(InplaceNormal), Out(ACL_FLOAT, {2}), 0.0f, -1.0f, 0, 0);
}

TEST_F(Nn, NormalNumbersTakeTensors) {
  Values means(kMany), deviations(kMany);
  for (std::size_t i = 0; i < kMany; ++i) {
    means[i] = i < kMany / 2 ? -4 : 4;
    deviations[i] = i < kMany / 2 ? 0 : 1;
  }
  const Tensor mean = In(ACL_FLOAT, {kMany}, means), deviation = In(ACL_FLOAT16, {kMany}, deviations),
               out = Out(ACL_FLOAT, {kMany});
  const auto halves = [&] {
    const Values all = out.Read();
    return std::pair{Values(all.begin(), all.begin() + kMany / 2),
                     Values(all.begin() + kMany / 2, all.end())};
  };
  Run(NN(NormalTensorTensor), mean, deviation, 1, 2, out);
  EXPECT_EQ(halves().first, Values(kMany / 2, -4.0));
  EXPECT_NEAR(MeanOf(halves().second), 4.0, 0.1);
  Run(NN(NormalTensorFloat), mean, 0.5f, 1, 2, out);
  EXPECT_NEAR(MeanOf(halves().first), -4.0, 0.05);
  EXPECT_NEAR(DeviationOf(halves().second), 0.5, 0.05);
  Run(NN(NormalFloatTensor), 2.0f, deviation, 1, 2, out);
  EXPECT_EQ(halves().first, Values(kMany / 2, 2.0));
}

TEST_F(Nn, DropoutMasksAreBitsThatAreApplied) {
  constexpr std::int64_t kBytes = 2560;  // 20000 bits, in a multiple of 128
  const Tensor mask = Out(ACL_UINT8, {kBytes}), again = Out(ACL_UINT8, {kBytes});
  Run(NN(DropoutGenMask), Ints{100, 200}, 0.25, 11, 0, mask);
  Run(NN(DropoutGenMask), Ints{100, 200}, 0.25, 11, 0, again);
  const Values bytes = mask.Read();
  EXPECT_EQ(bytes, again.Read());
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    const Tensor x = In(type, {100, 200}, Spread(kMany, 1, 2), Layout::kPaddedRows),
                 y = Out(type, {100, 200});
    Run(NN(DropoutDoMask), x, mask.As(Role::kIn), 0.25, y);
    Values expected = x.Read();
    double kept = 0;
    for (std::size_t i = 0; i < kMany; ++i) {
      const bool stays = (static_cast<unsigned>(bytes[i / 8]) >> i % 8 & 1) != 0;
      kept += stays;
      expected[i] = stays ? expected[i] / 0.75 : 0;
    }
    ExpectClose(y.Read(), expected, Tolerance(type));
    EXPECT_NEAR(kept / kMany, 0.75, 0.02);
  }
  ExpectRefused(161002, "'prob' is 2", NN(DropoutGenMask), Ints{8}, 2.0, 1, 0, Out(ACL_UINT8, {128}));
}

TEST_F(Nn, MultinomialDrawsInProportion) {
  const Tensor chances = In(ACL_FLOAT, {2, 4}, {1, 0, 3, 0, 0, 0, 0, 5}), out = Out(ACL_INT64, {2, kMany}),
               again = Out(ACL_INT64, {2, kMany});
  Run(NN(Multinomial), chances, kMany, true, 5, 0, out);
  Run(NN(Multinomial), chances, kMany, true, 5, 0, again);
  const Values drawn = out.Read();
  EXPECT_EQ(drawn, again.Read());
  double counts[4] = {};
  for (std::size_t i = 0; i < kMany; ++i)
    ++counts[static_cast<std::size_t>(drawn[i])];
  EXPECT_NEAR(counts[0] / kMany, 0.25, 0.02);
  EXPECT_EQ(counts[1] + counts[3], 0);
  for (std::size_t i = kMany; i < 2 * kMany; ++i)
    ASSERT_EQ(drawn[i], 3);
}

TEST_F(Nn, MultinomialWithoutReplacementDrawsEachOnce) {
  double first = 0;
  for (int seed = 0; seed < 200; ++seed) {
    const Tensor chances = In(ACL_FLOAT16, {4}, {1, 0, 3, 4}), out = Out(ACL_INT64, {3});
    Run(NN(Multinomial), chances, 3, false, seed, 0, out);
    const Values drawn = out.Read();
    EXPECT_EQ(std::set<double>(drawn.begin(), drawn.end()), (std::set<double>{0, 2, 3}));
    first += drawn[0] == 3;
  }
  EXPECT_NEAR(first / 200, 0.5, 0.12);
  ExpectRefused(161002, "'numsamples' is 5", NN(Multinomial), In(ACL_FLOAT, {4}, Values(4, 1.0)), 5, false, 0,
                0, Out(ACL_INT64, {5}));
}

TEST_F(Nn, RandomIntegersReachBothEnds) {
  for (const aclDataType type : {ACL_INT64, ACL_INT32, ACL_FLOAT}) {
    const Tensor out = Out(type, {kMany});
    Run(NN(InplaceRandom), out, -2, 3, 9, 1);
    const Values values = out.Read();
    EXPECT_EQ(std::set<double>(values.begin(), values.end()), (std::set<double>{-2, -1, 0, 1, 2})) << type;
  }
  ExpectRefused(161002, "'from' is 3", NN(InplaceRandom), Out(ACL_INT64, {2}), 3, 3, 0, 0);
}

TEST_F(Nn, BernoulliIsOneAsOftenAsAsked) {
  for (const aclDataType type : {ACL_FLOAT, ACL_BOOL, ACL_INT8}) {
    const Tensor out = Out(type, {kMany});
    Run(NN(InplaceBernoulli), out, Scalar(0.25f), 9, 1);
    EXPECT_NEAR(MeanOf(out.Read()), 0.25, 0.02) << type;
  }
}

TEST_F(Nn, RandpermHasEveryNumberOnce) {
  const Tensor out = Out(ACL_INT64, {100}), again = Out(ACL_INT64, {100});
  Run(NN(Randperm), 100, 3, 0, out);
  Run(NN(Randperm), 100, 3, 0, again);
  Values values = out.Read();
  EXPECT_EQ(values, again.Read());
  EXPECT_FALSE(std::is_sorted(values.begin(), values.end()));
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_EQ(values[i], static_cast<double>(i));
}

}  // namespace
}  // namespace nn
