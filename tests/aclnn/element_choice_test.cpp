// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Choices, masks, fills, and sums of products.
#include <cmath>
#include <limits>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_addcdiv.h"
#include "aclnnop/aclnn_addcmul.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_fill_tensor.h"
#include "aclnnop/aclnn_is_inf.h"
#include "aclnnop/aclnn_isfinite.h"
#include "aclnnop/aclnn_lerp_scalar.h"
#include "aclnnop/aclnn_lerp_tensor.h"
#include "aclnnop/aclnn_logical_not.h"
#include "aclnnop/aclnn_masked_fill_scalar.h"
#include "aclnnop/aclnn_masked_fill_tensor.h"
#include "aclnnop/aclnn_nan_to_num.h"
#include "aclnnop/aclnn_ones.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_s_where.h"
#include "aclnnop/aclnn_threshold.h"
#include "aclnnop/aclnn_zero.h"

namespace nn {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const Layout kLayouts[] = {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed, Layout::kOffset,
                           Layout::kEveryOther};

TEST_F(Nn, FillsWriteEveryElementAndNothingElse) {
  for (const Layout layout : kLayouts)
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT8, ACL_BOOL}) {
      const Tensor x = Ref(type, {3, 4}, Values(12, 1), layout);
      Run(NN(InplaceZero), x);
      EXPECT_EQ(x.Read(), Values(12, 0));
      Run(NN(InplaceOne), x);
      EXPECT_EQ(x.Read(), Values(12, 1));
      if (type == ACL_BOOL) continue;
      Run(NN(InplaceFillScalar), x, Scalar(-2.0f));
      EXPECT_EQ(x.Read(), Values(12, -2));
      Run(NN(InplaceFillTensor), x, In(ACL_FLOAT, {1}, {5}));
      EXPECT_EQ(x.Read(), Values(12, 5));
    }
}

TEST_F(Nn, FillsTakeInfinityComplexNumbersAndLargeTensors) {
  const Tensor pairs = Ref(ACL_COMPLEX64, {2}, {1, 2, 3, 4});
  Run(NN(InplaceOne), pairs);
  EXPECT_EQ(pairs.Read(), (Values{1, 0, 1, 0}));
  const Tensor x = Out(ACL_FLOAT16, {300, 1000});
  Run(NN(InplaceFillScalar), x, Scalar(static_cast<float>(-kInf)));
  EXPECT_EQ(x.Read(), Values(300000, -kInf));
  Run(NN(InplaceZero), Ref(ACL_FLOAT, {0}, {}));
  ExpectRefused(161002, "'value' is float[2]", NN(InplaceFillTensor), x, In(ACL_FLOAT, {2}, {1, 2}));
}

TEST_F(Nn, ThresholdReplacesWhatIsNotAbove) {
  for (const Layout layout : kLayouts) {
    const Tensor x = Ref(ACL_FLOAT, {2, 3}, {-1, 0.5, 0.6, 2, -kInf, 0.4}, layout);
    Run(NN(InplaceThreshold), x, Scalar(0.5f), Scalar(-7.0f));
    ExpectClose(x.Read(), {-7, -7, 0.6, 2, -7, -7}, 1e-6);
  }
  const Tensor x = In(ACL_FLOAT16, {3}, {-1, 1, 3}), out = Out(ACL_FLOAT16, {3});
  Run(NN(Threshold), x, Scalar(1.0f), Scalar(0.0f), out);
  EXPECT_EQ(out.Read(), (Values{0, 0, 3}));
}

TEST_F(Nn, WhereChoosesAndRepeats) {
  const Tensor condition = In(ACL_BOOL, {2, 1}, {1, 0}), self = In(ACL_FLOAT16, {3}, {1, 2, 3});
  const Tensor other = In(ACL_FLOAT, {}, {9}), out = Out(ACL_FLOAT, {2, 3}, Layout::kPaddedRows);
  Run(NN(SWhere), condition, self, other, out);
  EXPECT_EQ(out.Read(), (Values{1, 2, 3, 9, 9, 9}));
  for (const aclDataType type : {ACL_INT64, ACL_INT32, ACL_INT8, ACL_BOOL, ACL_BF16, ACL_DOUBLE}) {
    const Tensor a = In(type, {2}, {1, 0}), b = In(type, {2}, {0, 1}), chosen = Out(type, {2, 2});
    Run(NN(SWhere), condition, a, b, chosen);
    EXPECT_EQ(chosen.Read(), (Values{1, 0, 0, 1}));
  }
}

TEST_F(Nn, MasksAreFilled) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT64, ACL_INT32})
    for (const Layout layout : kLayouts) {
      const Tensor x = Ref(type, {2, 3}, {1, 2, 3, 4, 5, 6}, layout), mask = In(ACL_BOOL, {3}, {1, 0, 1});
      Run(NN(InplaceMaskedFillScalar), x, mask, Scalar(-8.0f));
      EXPECT_EQ(x.Read(), (Values{-8, 2, -8, -8, 5, -8}));
      Run(NN(InplaceMaskedFillTensor), x, mask, In(ACL_FLOAT, {}, {7}));
      EXPECT_EQ(x.Read(), (Values{7, 2, 7, 7, 5, 7}));
    }
  const Tensor x = Ref(ACL_FLOAT, {2}, {1, 2});
  Run(NN(InplaceMaskedFillScalar), x, In(ACL_BOOL, {2}, {0, 1}), Scalar(static_cast<float>(-kInf)));
  EXPECT_EQ(x.Read(), (Values{1, -kInf}));
  ExpectRefused(161002, "selfRef", NN(InplaceMaskedFillScalar), x, In(ACL_BOOL, {2, 1}, {0, 1}),
                Scalar(1.0f));
}

TEST_F(Nn, ProductsAndQuotientsAreAdded) {
  const Tensor self = In(ACL_FLOAT16, {2, 3}, {1, 2, 3, 4, 5, 6}), a = In(ACL_FLOAT16, {3}, {1, 2, 4});
  const Tensor b = In(ACL_FLOAT, {2, 1}, {2, 4}), out = Out(ACL_FLOAT, {2, 3}, Layout::kTransposed);
  Run(NN(Addcmul), self, a, b, Scalar(0.5f), out);
  EXPECT_EQ(out.Read(), (Values{2, 4, 7, 6, 9, 14}));
  Run(NN(Addcdiv), self, a, b, Scalar(2.0f), out);
  EXPECT_EQ(out.Read(), (Values{2, 4, 7, 4.5, 6, 8}));
  const Tensor changed = Ref(ACL_INT32, {2}, {1, 2}), two = In(ACL_INT32, {2}, {3, 4});
  Run(NN(InplaceAddcmul), changed, two, two, Scalar(2));
  EXPECT_EQ(changed.Read(), (Values{19, 34}));
}

TEST_F(Nn, LerpGoesFromOneTensorToTheOther) {
  const Tensor self = In(ACL_FLOAT, {3}, {0, 10, -4}), end = In(ACL_FLOAT, {3}, {8, 20, 4});
  const Tensor out = Out(ACL_FLOAT, {3}), changed = Ref(ACL_FLOAT16, {3}, {0, 10, -4});
  Run(NN(Lerp), self, end, In(ACL_FLOAT, {3}, {0, 0.5, 1}), out);
  EXPECT_EQ(out.Read(), (Values{0, 15, 4}));
  Run(NN(Lerps), self, end, Scalar(0.25f), out);
  EXPECT_EQ(out.Read(), (Values{2, 12.5, -2}));
  Run(NN(InplaceLerps), changed, In(ACL_FLOAT16, {3}, {8, 20, 4}), Scalar(0.25f));
  EXPECT_EQ(changed.Read(), (Values{2, 12.5, -2}));
}

TEST_F(Nn, NumbersThatAreNoneAreFoundAndReplaced) {
  const Tensor x = In(ACL_FLOAT, {2, 2}, {std::nan(""), kInf, -kInf, 3}, Layout::kPaddedRows);
  const Tensor out = Out(ACL_FLOAT, {2, 2}), truth = Out(ACL_BOOL, {2, 2}, Layout::kTransposed);
  Run(NN(NanToNum), x, 1.5, 7.0, -7.0, out);
  EXPECT_EQ(out.Read(), (Values{1.5, 7, -7, 3}));
  Run(NN(IsFinite), x, truth);
  EXPECT_EQ(truth.Read(), (Values{0, 0, 0, 1}));
  Run(NN(IsInf), x, truth);
  EXPECT_EQ(truth.Read(), (Values{0, 1, 1, 0}));
}

TEST_F(Nn, RoundingGoesToEvenAtTheGivenPlace) {
  const Tensor x = In(ACL_FLOAT, {4}, {0.5, 1.5, -2.5, 1.25}), out = Out(ACL_FLOAT, {4});
  Run(NN(Round), x, out);
  EXPECT_EQ(out.Read(), (Values{0, 2, -2, 1}));
  Run(NN(RoundDecimals), x, 1, out);
  ExpectClose(out.Read(), {0.5, 1.5, -2.5, 1.2}, 1e-6);
}

TEST_F(Nn, LogicalNotTakesNumbers) {
  const Tensor out = Out(ACL_BOOL, {3}), x = Ref(ACL_FLOAT, {3}, {0, 2, -1}, Layout::kEveryOther);
  Run(NN(LogicalNot), In(ACL_INT32, {3}, {0, 5, -1}), out);
  EXPECT_EQ(out.Read(), (Values{1, 0, 0}));
  Run(NN(InplaceLogicalNot), x);
  EXPECT_EQ(x.Read(), (Values{1, 0, 0}));
}

}  // namespace
}  // namespace nn
