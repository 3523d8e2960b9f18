// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Views of one memory that lie between each other without a common element: none may change another.
#include <cmath>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_apply_rotary_pos_emb.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_rotary_position_embedding.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_sort.h"
#include "aclnnop/aclnn_split_with_size.h"

namespace nn {
namespace {

// Rows of two halves, each of `count` elements.
Tensor Half(const Tensor& rows, Role role, bool second) {
  const std::int64_t count = rows.dims()[1] / 2;
  return rows.View(role, {rows.dims()[0], count}, {2 * count, 1}, second ? count : 0);
}

TEST_F(Nn, HalvesOfRowsAreReadAndWritten) {
  for (const std::int64_t height : {2, 300}) {
    const auto count = static_cast<std::size_t>(height * 8);
    const Tensor rows = Ref(ACL_FLOAT, {height, 8}, Spread(count));
    const Tensor left = Half(rows, Role::kIn, false), right = Half(rows, Role::kOut, true);
    Values expected = left.Read();
    for (double& value : expected)
      value = std::cos(value);
    Run(NN(Cos), left, right);
    ExpectClose(right.Read(), expected, 1e-6);
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] += left.Read()[i];
    Run(NN(InplaceAdd), right.As(Role::kRef), left, Scalar(1.0f));
    ExpectClose(right.Read(), expected, 1e-6);
    Run(NN(InplaceCopy), Half(rows, Role::kOut, false), right.As(Role::kIn));
    ExpectClose(left.Read(), expected, 1e-6);
  }
}

TEST_F(Nn, TwoResultsAreHalvesOfRows) {
  for (const std::int64_t height : {2, 500}) {
    const Tensor x = In(ACL_FLOAT, {height, 8}, Spread(static_cast<std::size_t>(height * 8)));
    const Tensor out = Out(ACL_FLOAT, {height, 4}), gelu = Out(ACL_FLOAT, {height, 4});
    Run(NN(GeGluV3), x, std::int64_t{1}, std::int64_t{1}, true, out, gelu);
    const Tensor rows = Ref(ACL_FLOAT, {height, 8}, Values(static_cast<std::size_t>(height * 8), 0));
    const Tensor left = Half(rows, Role::kOut, false), right = Half(rows, Role::kOut, true);
    Run(NN(GeGluV3), x, std::int64_t{1}, std::int64_t{1}, true, left, right);
    EXPECT_EQ(left.Read(), out.Read());
    EXPECT_EQ(right.Read(), gelu.Read());
    Run(NN(GeGluV3), x, std::int64_t{1}, std::int64_t{1}, true, right, left);
    EXPECT_EQ(right.Read(), out.Read());
    EXPECT_EQ(left.Read(), gelu.Read());
  }
}

TEST_F(Nn, ThreeResultsLieBetweenEachOther) {
  const Tensor a = In(ACL_FLOAT, {3, 4}, Spread(12)), b = In(ACL_FLOAT, {3, 4}, Spread(12, -1, 1, 3));
  const Tensor gamma = In(ACL_FLOAT, {4}, Spread(4, 0.5, 1.5));
  const Tensor y = Out(ACL_FLOAT, {3, 4}), rstd = Out(ACL_FLOAT, {3, 1}), sum = Out(ACL_FLOAT, {3, 4});
  Run(NN(AddRmsNorm), a, b, gamma, 1e-6, y, rstd, sum);
  const Tensor rows = Ref(ACL_FLOAT, {3, 9}, Values(27, 0));
  const Tensor y2 = rows.View(Role::kOut, {3, 4}, {9, 1}, 0), sum2 = rows.View(Role::kOut, {3, 4}, {9, 1}, 4),
               rstd2 = rows.View(Role::kOut, {3, 1}, {9, 1}, 8);
  Run(NN(AddRmsNorm), a, b, gamma, 1e-6, y2, rstd2, sum2);
  EXPECT_EQ(y2.Read(), y.Read());
  EXPECT_EQ(rstd2.Read(), rstd.Read());
  EXPECT_EQ(sum2.Read(), sum.Read());
}

TEST_F(Nn, PiecesAreWrittenBetweenEachOther) {
  const Tensor x = In(ACL_FLOAT, {3, 6}, Spread(18)), rows = Ref(ACL_FLOAT, {3, 6}, Values(18, 0));
  const Tensor left = rows.View(Role::kOut, {3, 2}, {6, 1}, 4),
               right = rows.View(Role::kOut, {3, 4}, {6, 1}, 0);
  Run(NN(SplitWithSize), x, Ints{2, 4}, std::int64_t{1}, List{&left, &right});
  Values expected;
  for (std::size_t i = 0; i < 18; ++i)
    expected.push_back(x.Read()[i / 6 * 6 + (i % 6 + 2) % 6]);
  EXPECT_EQ(rows.Read(), expected);
}

TEST_F(Nn, SortedValuesLieBetweenTheirIndices) {
  const Tensor x = In(ACL_INT64, {2, 3}, {3, 1, 2, 9, 8, 7}), rows = Ref(ACL_INT64, {2, 6}, Values(12, 0));
  Run(NN(Sort), x, true, std::int64_t{1}, false, Half(rows, Role::kOut, true), Half(rows, Role::kOut, false));
  EXPECT_EQ(rows.Read(), (Values{1, 2, 0, 1, 2, 3, 2, 1, 0, 7, 8, 9}));
}

// Queries and keys are cut from one projection and turned where they stand.
TEST_F(Nn, QueriesAndKeysOfOneProjectionAreTurnedInPlace) {
  for (const std::int64_t tokens : {3, 200}) {
    const auto count = static_cast<std::size_t>(tokens * 3 * 32);
    const Tensor rows = Ref(ACL_FLOAT16, {1, tokens, 3, 32}, Spread(count));
    const Tensor query = rows.View(Role::kRef, {1, tokens, 2, 32}, {tokens * 96, 96, 32, 1}, 0);
    const Tensor key = rows.View(Role::kRef, {1, tokens, 1, 32}, {tokens * 96, 96, 32, 1}, 64);
    const auto angles = static_cast<std::size_t>(tokens * 32);
    const Tensor cosine = In(ACL_FLOAT16, {1, tokens, 1, 32}, Spread(angles, -1, 1, 2)),
                 sine = In(ACL_FLOAT16, {1, tokens, 1, 32}, Spread(angles, -1, 1, 3));
    const Tensor q = Ref(ACL_FLOAT16, query.dims(), query.Read()),
                 k = Ref(ACL_FLOAT16, key.dims(), key.Read());
    Run(NN(ApplyRotaryPosEmb), q, k, cosine, sine, std::int64_t{1});
    Run(NN(ApplyRotaryPosEmb), query, key, cosine, sine, std::int64_t{1});
    EXPECT_EQ(query.Read(), q.Read());
    EXPECT_EQ(key.Read(), k.Read());
  }
}

TEST_F(Nn, RotaryEmbeddingsTurnPermutedViewsInPlace) {
  for (const Dims& strides : {Dims{192, 32, 96, 1}, Dims{192, 64, 32, 1}}) {
    const Tensor memory = Ref(ACL_FLOAT, {192}, Spread(192));
    const Tensor x = memory.View(Role::kRef, {1, 3, 2, 32}, strides, 0);
    const Tensor cosine = In(ACL_FLOAT, {1, 3, 1, 32}, Spread(96, -1, 1, 2)),
                 sine = In(ACL_FLOAT, {1, 3, 1, 32}, Spread(96, -1, 1, 3));
    const Tensor out = Out(ACL_FLOAT, {1, 3, 2, 32});
    Run(NN(RotaryPositionEmbedding), x.As(Role::kIn), cosine, sine, std::int64_t{0}, out);
    Run(NN(RotaryPositionEmbedding), x, cosine, sine, std::int64_t{0}, x);
    EXPECT_EQ(x.Read(), out.Read());
  }
}

// A permuted view of the memory that is written as a packed tensor.
TEST_F(Nn, PermutedViewsAreWrittenOverThemselves) {
  const Tensor memory = Ref(ACL_FLOAT, {6, 8}, Spread(48));
  const Tensor turned = memory.View(Role::kRef, {8, 6}, {1, 8}, 0),
               packed = memory.View(Role::kRef, {8, 6}, {6, 1}, 0);
  Values expected = turned.Read();
  for (double& value : expected)
    value *= 2;
  Run(NN(Muls), turned, Scalar(2.0f), packed);
  EXPECT_EQ(packed.Read(), expected);
}

TEST_F(Nn, SoftmaxOfAPermutedViewInPlace) {
  const Tensor memory = Ref(ACL_FLOAT, {4, 5}, Spread(20)), x = memory.View(Role::kRef, {5, 4}, {1, 5}, 0);
  const Tensor out = Out(ACL_FLOAT, {5, 4});
  Run(NN(Softmax), x.As(Role::kIn), std::int64_t{1}, out);
  Run(NN(Softmax), x, std::int64_t{1}, x);
  EXPECT_EQ(x.Read(), out.Read());
}

}  // namespace
}  // namespace nn
