// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Numbers that change from call to call: each call uses its own, and what they decide is decided each time.
#include <cmath>
#include <limits>
#include <set>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_addcdiv.h"
#include "aclnnop/aclnn_addcmul.h"
#include "aclnnop/aclnn_apply_adam_w_v2.h"
#include "aclnnop/aclnn_bernoulli.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_foreach_mul_scalar_list.h"
#include "aclnnop/aclnn_foreach_pow_scalar_list.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_lerp_scalar.h"
#include "aclnnop/aclnn_masked_fill_scalar.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_normal.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_uniform.h"

namespace nn {
namespace {

constexpr int kInvalid = 161002;

class LateNumbers : public Nn {
 protected:
  const Tensor a_ = In(ACL_FLOAT, {3}, {1, 2, 3}), b_ = In(ACL_FLOAT, {3}, {10, 20, 30}),
               out_ = Out(ACL_FLOAT, {3});
  const Tensor whole_ = In(ACL_INT32, {3}, {1, 2, 3}), whole_out_ = Out(ACL_INT32, {3}),
               wide_out_ = Out(ACL_INT64, {3}), halves_ = Out(ACL_FLOAT, {3});
};

TEST_F(LateNumbers, OfSumsAreUsed) {
  for (const float alpha : {1.0f, 2.0f, 0.5f, -3.0f, 1.0f, 0.0f, 0.25f}) {
    const double by = static_cast<double>(alpha);
    Run(NN(Add), a_, b_, Scalar(alpha), out_);
    EXPECT_EQ(out_.Read(), (Values{1 + 10 * by, 2 + 20 * by, 3 + 30 * by})) << alpha;
    Run(NN(Subs), a_, Scalar(alpha), Scalar(alpha), out_);
    EXPECT_EQ(out_.Read(), (Values{1 - by * by, 2 - by * by, 3 - by * by})) << alpha;
  }
}

TEST_F(LateNumbers, AreConvertedToTheTypeThatIsComputedIn) {
  const Tensor doubles = In(ACL_DOUBLE, {2}, {1, 2}), double_out = Out(ACL_DOUBLE, {2});
  const Tensor half = In(ACL_FLOAT16, {2}, {1, 2}), half_out = Out(ACL_FLOAT16, {2});
  const Tensor complex = In(ACL_COMPLEX64, {1}, {1, 2}), complex_out = Out(ACL_COMPLEX64, {1});
  for (const double factor : {0.1, 0.3, 1.5}) {
    Run(NN(Muls), doubles, Scalar(factor), double_out);
    EXPECT_EQ(double_out.Read(), (Values{factor, 2 * factor}));
    Run(NN(Muls), half, Scalar(factor), half_out);
    ExpectClose(half_out.Read(), {factor, 2 * factor}, Tolerance(ACL_FLOAT16));
    Run(NN(Muls), complex, Scalar(ACL_COMPLEX64, 0, factor), complex_out);
    ExpectClose(complex_out.Read(), {-2 * factor, factor}, 1e-6);
  }
  for (const double big : {9007199254740993.0, -4611686018427387904.0}) {
    const Tensor zeros = In(ACL_INT64, {1}, {0}), sums = Out(ACL_INT64, {1});
    Run(NN(Adds), zeros, Scalar(ACL_INT64, big), Scalar(1), sums);
    EXPECT_EQ(sums.Read(), (Values{big}));
  }
}

TEST_F(LateNumbers, OfOtherTypesHaveFormsOfTheirOwn) {
  for (int round = 0; round < 3; ++round) {
    Run(NN(Muls), whole_, Scalar(round + 2), whole_out_);
    EXPECT_EQ(whole_out_.Read(), (Values{2.0 + round, 4.0 + 2 * round, 6.0 + 3 * round}));
    Run(NN(Muls), whole_, Scalar(0.5f + static_cast<float>(round)), halves_);
    EXPECT_EQ(halves_.Read(), (Values{0.5 + round, 1 + 2.0 * round, 1.5 + 3.0 * round}));
    Run(NN(Muls), whole_, Scalar(true), whole_out_);
    EXPECT_EQ(whole_out_.Read(), (Values{1, 2, 3}));
  }
}

// What a number is decides in which type is computed, for each call anew.
TEST_F(LateNumbers, ThatIntegersHaveNoRoomForWiden) {
  const double wide = 4294967298;
  for (int round = 0; round < 2; ++round) {
    Run(NN(Adds), whole_, Scalar(1), Scalar(1), wide_out_);
    EXPECT_EQ(wide_out_.Read(), (Values{2, 3, 4}));
    Run(NN(Adds), whole_, Scalar(ACL_INT64, wide), Scalar(1), wide_out_);
    EXPECT_EQ(wide_out_.Read(), (Values{wide + 1, wide + 2, wide + 3}));
  }
}

TEST_F(LateNumbers, WithFractionsMakeSumsOfIntegersFloat) {
  const Tensor other = In(ACL_INT32, {3}, {1, 1, 1});
  for (int round = 0; round < 2; ++round) {
    Run(NN(Add), whole_, other, Scalar(2.0f), halves_);
    EXPECT_EQ(halves_.Read(), (Values{3, 4, 5}));
    Run(NN(Add), whole_, other, Scalar(0.5f), halves_);
    EXPECT_EQ(halves_.Read(), (Values{1.5, 2.5, 3.5}));
  }
}

TEST_F(LateNumbers, BoundAndFill) {
  const Tensor mask = In(ACL_BOOL, {3}, {1, 0, 1});
  for (const float bound : {0.5f, 1.5f, 2.5f}) {
    const double low = static_cast<double>(bound);
    Run(NN(Clamp), a_, Scalar(bound), Scalar(bound + 0.25f), out_);
    EXPECT_EQ(out_.Read(),
              (Values{low < 1 ? 0.75 : low, low < 1 ? 0.75 : low + (low < 2 ? 0.25 : 0), low + 0.25}));
    const Tensor filled = Ref(ACL_FLOAT, {3}, {1, 2, 3});
    Run(NN(InplaceMaskedFillScalar), filled, mask, Scalar(bound));
    EXPECT_EQ(filled.Read(), (Values{low, 2, low}));
    Run(NN(InplaceFillScalar), filled, Scalar(bound));
    EXPECT_EQ(filled.Read(), (Values{low, low, low}));
  }
  Run(NN(Clamp), a_, nullptr, Scalar(2.0f), out_);
  EXPECT_EQ(out_.Read(), (Values{1, 2, 2}));
  Run(NN(Clamp), a_, Scalar(2.0f), nullptr, out_);
  EXPECT_EQ(out_.Read(), (Values{2, 2, 3}));
}

TEST_F(LateNumbers, OfStepsOfTrainingAreUsed) {
  for (const float value : {-0.5f, 1.0f, -0.125f}) {
    const double by = static_cast<double>(value);
    Run(NN(Addcmul), a_, b_, a_, Scalar(value), out_);
    ExpectClose(out_.Read(), {1 + by * 10, 2 + by * 40, 3 + by * 90}, 1e-6);
    Run(NN(Addcdiv), a_, b_, a_, Scalar(value), out_);
    ExpectClose(out_.Read(), {1 + by * 10, 2 + by * 10, 3 + by * 10}, 1e-6);
    Run(NN(Lerps), a_, b_, Scalar(value), out_);
    ExpectClose(out_.Read(), {1 + by * 9, 2 + by * 18, 3 + by * 27}, 1e-6);
  }
}

// One parameter, without decay: the first step moves it by the step size, whatever the gradient is.
TEST_F(LateNumbers, OfAdamFollowASchedule) {
  for (const float lr : {0.5f, 0.25f, 0.125f})
    for (const float beta : {0.5f, 0.875f}) {
      const Tensor var = Ref(ACL_FLOAT, {1}, {1}), m = Ref(ACL_FLOAT, {1}, {0}), v = Ref(ACL_FLOAT, {1}, {0});
      Run(NN(ApplyAdamWV2), var, m, v, nullptr, In(ACL_FLOAT, {1}, {4}), In(ACL_FLOAT, {1}, {0}), lr, beta,
          0.75f, 0.0f, 0.0f, false, false);
      ExpectClose(var.Read(), {1.0 - static_cast<double>(lr)}, 1e-5);
      ExpectClose(m.Read(), {4.0 * (1 - static_cast<double>(beta))}, 1e-5);
      ExpectClose(v.Read(), {4.0}, 1e-5);
    }
}

TEST_F(LateNumbers, OfListsBelongToTheirMembers) {
  const Tensor first = Out(ACL_FLOAT, {3}), second = Out(ACL_FLOAT, {3});
  for (const double by : {2.0, 0.5, 3.0}) {
    Run(NN(ForeachMulScalarList), List{&a_, &b_}, Scalars{Scalar(ACL_FLOAT, by), Scalar(ACL_FLOAT, -by)},
        List{&first, &second});
    EXPECT_EQ(first.Read(), (Values{by, 2 * by, 3 * by}));
    EXPECT_EQ(second.Read(), (Values{-10 * by, -20 * by, -30 * by}));
    Run(NN(ForeachPowScalarList), List{&a_, &b_}, Scalars{Scalar(ACL_FLOAT, by), Scalar(ACL_FLOAT, 1)},
        List{&first, &second});
    ExpectClose(first.Read(), {1, std::pow(2, by), std::pow(3, by)}, 1e-6);
    EXPECT_EQ(second.Read(), (Values{10, 20, 30}));
    Run(NN(PowTensorScalar), a_, Scalar(ACL_FLOAT, by), out_);
    ExpectClose(out_.Read(), {1, std::pow(2, by), std::pow(3, by)}, 1e-6);
  }
}

TEST_F(LateNumbers, DecideWhatIsDrawn) {
  constexpr std::int64_t kSeed = 7, kOffset = 0;
  for (const double low : {0.0, 10.0, -5.0}) {
    const Tensor drawn = Ref(ACL_FLOAT, {64}, Values(64, 99.0));
    Run(NN(InplaceUniform), drawn, low, low + 2, kSeed, kOffset);
    for (const double value : drawn.Read()) {
      EXPECT_GE(value, low);
      EXPECT_LE(value, low + 2);
    }
    Run(NN(InplaceNormal), drawn, static_cast<float>(low), 0.0f, kSeed, kOffset);
    EXPECT_EQ(drawn.Read(), Values(64, low));
  }
  for (const double share : {0.0, 1.0}) {
    const Tensor drawn = Ref(ACL_FLOAT, {64}, Values(64, 99.0)), mask = Out(ACL_UINT8, {128});
    Run(NN(InplaceBernoulli), drawn, Scalar(share), kSeed, kOffset);
    EXPECT_EQ(drawn.Read(), Values(64, share));
    Run(NN(DropoutGenMask), Ints{128}, share, kSeed, kOffset, mask);
    Values bits = mask.Read();
    bits.resize(16);
    EXPECT_EQ(bits, Values(16, share == 0 ? 255.0 : 0.0));
  }
}

TEST_F(LateNumbers, OfSeedsDrawOtherNumbers) {
  std::set<Values> seen;
  for (const std::int64_t seed : {1, 2, 3, 2, 1}) {
    const Tensor drawn = Ref(ACL_FLOAT, {8}, Values(8, 0.0));
    Run(NN(InplaceUniform), drawn, 0.0, 1.0, seed, std::int64_t{0});
    seen.insert(drawn.Read());
  }
  EXPECT_EQ(seen.size(), 3u);
}

TEST_F(LateNumbers, AreCheckedEachTime) {
  const Tensor drawn = Ref(ACL_FLOAT, {8}, Values(8, 0.0));
  const std::int64_t seed = 1, offset = 0;
  for (int round = 0; round < 2; ++round) {
    Run(NN(InplaceUniform), drawn, 0.0, 1.0, seed, offset);
    ExpectRefused(kInvalid, "the larger one", NN(InplaceUniform), drawn, 1.0, 0.5, seed, offset);
    Run(NN(InplaceNormal), drawn, 0.0f, 1.0f, seed, offset);
    ExpectRefused(kInvalid, "cannot be negative", NN(InplaceNormal), drawn, 0.0f, -1.0f, seed, offset);
    Run(NN(InplaceBernoulli), drawn, Scalar(0.5), seed, offset);
    ExpectRefused(kInvalid, "0 to 1", NN(InplaceBernoulli), drawn, Scalar(1.5), seed, offset);
    ExpectRefused(kInvalid, "0 to 1", NN(InplaceBernoulli), drawn, Scalar(std::nan("")), seed, offset);
  }
}

// The executor keeps the number it was made with.
TEST_F(LateNumbers, StayWithTheirExecutor) {
  Objects objects;
  std::uint64_t size = 0;
  aclOpExecutor *twice = nullptr, *thrice = nullptr;
  ASSERT_OK(
      aclnnMulsGetWorkspaceSize(objects.Of(a_), objects.Of(Scalar(2.0f)), objects.Of(out_), &size, &twice));
  ASSERT_OK(aclSetAclOpExecutorRepeatable(twice));
  ASSERT_OK(
      aclnnMulsGetWorkspaceSize(objects.Of(a_), objects.Of(Scalar(3.0f)), objects.Of(out_), &size, &thrice));
  objects.Destroy();
  for (int round = 0; round < 2; ++round) {
    ASSERT_OK(aclnnMuls(nullptr, 0, twice, stream()));
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    EXPECT_EQ(out_.Read(), (Values{2, 4, 6}));
    if (round == 0) {
      ASSERT_OK(aclnnMuls(nullptr, 0, thrice, stream()));
    }
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    EXPECT_EQ(out_.Read(), round == 0 ? (Values{3, 6, 9}) : (Values{2, 4, 6}));
  }
  EXPECT_OK(aclDestroyAclOpExecutor(twice));
}

// Many runs are queued before the first one ends, each with its own number.
TEST_F(LateNumbers, OfQueuedRunsDoNotMix) {
  const Tensor sum = Ref(ACL_FLOAT, {1}, {0});
  double expected = 0;
  for (int i = 0; i < 500; ++i) {
    Objects objects;
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_OK(aclnnInplaceAddsGetWorkspaceSize(objects.Of(sum), objects.Of(Scalar(ACL_FLOAT, i)),
                                               objects.Of(Scalar(1.0f)), &size, &executor));
    ASSERT_OK(aclnnInplaceAdds(nullptr, size, executor, stream()));
    expected += i;
  }
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(sum.Read(), (Values{expected}));
}

// Keys behind the length are not read.
TEST_F(LateNumbers, OfLengthsGrowWithACache) {
  constexpr std::size_t kRoom = 9, kDepth = 16;
  const Tensor query = In(ACL_FLOAT16, {1, 1, 1, 16}, Values(kDepth, 0.0));
  Values rows(kRoom * kDepth);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<double>(i / kDepth);
  const Tensor cache = In(ACL_FLOAT16, {1, 9, 1, 16}, rows), out = Out(ACL_FLOAT16, {1, 1, 1, 16});
  const auto none = nullptr;
  for (const std::int64_t length : {1, 2, 3, 4, 5, 6, 7, 8, 9, 2}) {
    Run(NN(FusedInferAttentionScoreV2), query, List{&cache}, List{&cache}, none, none, none, Ints{length},
        none, none, none, none, none, none, none, none, none, none, none, none, none, none, none, none, none,
        std::int64_t{1}, 1.0, std::int64_t{65535}, std::int64_t{65535}, "BSND", std::int64_t{1},
        std::int64_t{0}, std::int64_t{0}, std::int64_t{0}, std::int64_t{0}, false, std::int64_t{0},
        std::int64_t{0}, out, none);
    ExpectClose(out.Read(), Values(kDepth, static_cast<double>(length - 1) / 2), 1e-3);
  }
}

}  // namespace
}  // namespace nn
