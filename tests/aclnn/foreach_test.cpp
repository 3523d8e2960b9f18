// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element-wise functions of lists.
#include <cmath>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_foreach_add_list_v2.h"
#include "aclnnop/aclnn_foreach_add_scalar.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_v2.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar.h"
#include "aclnnop/aclnn_foreach_copy.h"
#include "aclnnop/aclnn_foreach_exp.h"
#include "aclnnop/aclnn_foreach_lerp_scalar.h"
#include "aclnnop/aclnn_foreach_mul_list.h"
#include "aclnnop/aclnn_foreach_mul_scalar_list.h"
#include "aclnnop/aclnn_foreach_pow_scalar_and_tensor.h"
#include "aclnnop/aclnn_foreach_zero_inplace.h"

namespace nn {
namespace {

TEST_F(Nn, MembersOfListsHaveShapesAndViewsOfTheirOwn) {
  const Tensor a = In(ACL_FLOAT, {2, 3}, Spread(6), Layout::kPaddedRows), b = In(ACL_FLOAT16, {5}, Spread(5));
  const Tensor none = In(ACL_FLOAT, {0}, {}), x = Out(ACL_FLOAT, {2, 3}), z = Out(ACL_FLOAT, {0});
  const Tensor y = Out(ACL_FLOAT16, {5}, Layout::kEveryOther);
  Run(NN(ForeachExp), List{&a, &b, &none}, List{&x, &y, &z});
  ExpectClose(x.Read(), Applied(a.Read(), std::exp), Tolerance(ACL_FLOAT));
  ExpectClose(y.Read(), Applied(b.Read(), std::exp), Tolerance(ACL_FLOAT16));
  Run(NN(ForeachCopy), List{&a, &b}, List{&x, &y});
  EXPECT_EQ(x.Read(), a.Read());
  EXPECT_EQ(y.Read(), b.Read());
}

TEST_F(Nn, ListsMeetListsNumbersAndTensorsOfOneElement) {
  const Tensor a = In(ACL_FLOAT, {2}, {1, 2}), b = In(ACL_FLOAT, {1}, {3}), three = In(ACL_FLOAT, {1}, {3});
  const Tensor x = Out(ACL_FLOAT, {2}), y = Out(ACL_FLOAT, {1});
  Run(NN(ForeachMulList), List{&a, &b}, List{&a, &b}, List{&x, &y});
  EXPECT_EQ(x.Read(), (Values{1, 4}));
  EXPECT_EQ(y.Read(), (Values{9}));
  Run(NN(ForeachAddScalar), List{&a, &b}, three, List{&x, &y});
  EXPECT_EQ(x.Read(), (Values{4, 5}));
  EXPECT_EQ(y.Read(), (Values{6}));
  Run(NN(ForeachMulScalarList), List{&a, &b}, Scalars{Scalar(2.0f), Scalar(-1.0f)}, List{&x, &y});
  EXPECT_EQ(x.Read(), (Values{2, 4}));
  EXPECT_EQ(y.Read(), (Values{-3}));
  Run(NN(ForeachPowScalarAndTensor), Scalar(2.0f), List{&a, &b}, List{&x, &y});
  EXPECT_EQ(x.Read(), (Values{2, 4}));
  EXPECT_EQ(y.Read(), (Values{8}));
  Run(NN(ForeachAddListV2), List{&a, &b}, List{&a, &b}, Scalar(10.0f), List{&x, &y});
  EXPECT_EQ(x.Read(), (Values{11, 22}));
  EXPECT_EQ(y.Read(), (Values{33}));
}

TEST_F(Nn, ListsOfThreeAreCombined) {
  const Tensor a = In(ACL_FLOAT, {2}, {1, 2}), b = In(ACL_FLOAT, {2}, {4, 8}), c = In(ACL_FLOAT, {2}, {2, 4});
  const Tensor x = Out(ACL_FLOAT, {2}), half = In(ACL_FLOAT, {1}, {0.5});
  Run(NN(ForeachAddcmulScalar), List{&a}, List{&b}, List{&c}, half, List{&x});
  EXPECT_EQ(x.Read(), (Values{5, 18}));
  Run(NN(ForeachAddcdivScalarV2), List{&a}, List{&b}, List{&c}, Scalar(3.0f), List{&x});
  EXPECT_EQ(x.Read(), (Values{7, 8}));
  Run(NN(ForeachLerpScalar), List{&a}, List{&b}, Scalar(0.5f), List{&x});
  EXPECT_EQ(x.Read(), (Values{2.5, 5}));
}

TEST_F(Nn, ListsAreChangedInPlace) {
  const Tensor a = Ref(ACL_FLOAT, {2}, {1, 2}),
               b = Ref(ACL_FLOAT16, {2, 2}, {1, 2, 3, 4}, Layout::kPaddedRows);
  Run(NN(ForeachMulScalarList), List{&a, &b}, Scalars{Scalar(2.0f), Scalar(3.0f)}, List{&a, &b});
  EXPECT_EQ(a.Read(), (Values{2, 4}));
  EXPECT_EQ(b.Read(), (Values{3, 6, 9, 12}));
  Run(NN(ForeachZeroInplace), List{&a, &b});
  EXPECT_EQ(a.Read(), Values(2, 0));
  EXPECT_EQ(b.Read(), Values(4, 0));
}

TEST_F(Nn, ListsOfUnequalLengthAreRefused) {
  const Tensor a = In(ACL_FLOAT, {2}, {1, 2}), x = Out(ACL_FLOAT, {2}), y = Out(ACL_FLOAT, {2});
  ExpectRefused(161002, "list 'x2' has 1 members", NN(ForeachMulList), List{&a, &a}, List{&a}, List{&x, &y});
  ExpectRefused(161002, "'scalars' has 1 numbers", NN(ForeachMulScalarList), List{&a, &a},
                Scalars{Scalar(1.0f)}, List{&x, &y});
}

}  // namespace
}  // namespace nn
