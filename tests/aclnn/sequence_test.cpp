// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Ranges and unit matrices.
#include <cmath>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_eye.h"
#include "aclnnop/aclnn_linspace.h"
#include "aclnnop/aclnn_range.h"

namespace nn {
namespace {

TEST_F(Nn, ArangeCountsUpToTheEnd) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64, ACL_DOUBLE}) {
    const Tensor out = Out(type, {1, 1, 1, 4});
    Run(NN(Arange), Scalar(1.0f), Scalar(8.0f), Scalar(2.0f), out);
    EXPECT_EQ(out.Read(), (Values{1, 3, 5, 7})) << type;
    Run(NN(Arange), Scalar(1), Scalar(9), Scalar(2), out);
    EXPECT_EQ(out.Read(), (Values{1, 3, 5, 7})) << type;
  }
  const Tensor down = Out(ACL_FLOAT, {3}, Layout::kEveryOther), none = Out(ACL_FLOAT, {0});
  Run(NN(Arange), Scalar(1.0f), Scalar(-0.25f), Scalar(-0.5f), down);
  EXPECT_EQ(down.Read(), (Values{1, 0.5, 0}));
  Run(NN(Arange), Scalar(1.0f), Scalar(1.0f), Scalar(1.0f), none);
}

TEST_F(Nn, ArangeOfLargeIntegersIsExact) {
  const Tensor out = Out(ACL_INT64, {2});
  Run(NN(Arange), Scalar(ACL_INT64, 9007199254740992.0), Scalar(ACL_INT64, 9007199254740996.0), Scalar(2),
      out);
  EXPECT_EQ(out.Read(), (Values{9007199254740992.0, 9007199254740994.0}));
}

TEST_F(Nn, ArangeRefusesStepsThatLeadNowhere) {
  const Tensor out = Out(ACL_FLOAT, {4});
  ExpectRefused(161002, "'step' is 0", NN(Arange), Scalar(0.0f), Scalar(4.0f), Scalar(0.0f), out);
  ExpectRefused(161002, "leads away", NN(Arange), Scalar(0.0f), Scalar(4.0f), Scalar(-1.0f), out);
  ExpectRefused(161002, "'out'", NN(Arange), Scalar(0.0f), Scalar(5.0f), Scalar(1.0f), out);
}

TEST_F(Nn, RangeReachesTheEnd) {
  const Tensor out = Out(ACL_FLOAT, {5}), whole = Out(ACL_INT32, {3});
  Run(NN(Range), Scalar(0.0f), Scalar(2.0f), Scalar(0.5f), out);
  EXPECT_EQ(out.Read(), (Values{0, 0.5, 1, 1.5, 2}));
  Run(NN(Range), Scalar(1), Scalar(6), Scalar(2), whole);
  EXPECT_EQ(whole.Read(), (Values{1, 3, 5}));
}

TEST_F(Nn, LinspaceHasBothEnds) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}) {
    const Tensor out = Out(type, {5});
    Run(NN(Linspace), Scalar(1.0f), Scalar(3.0f), 5, out);
    EXPECT_EQ(out.Read(), (Values{1, 1.5, 2, 2.5, 3}));
  }
  const Tensor one = Out(ACL_FLOAT, {1}), none = Out(ACL_FLOAT, {0});
  Run(NN(Linspace), Scalar(1.0f), Scalar(3.0f), 1, one);
  EXPECT_EQ(one.Read(), (Values{1}));
  Run(NN(Linspace), Scalar(1.0f), Scalar(3.0f), 0, none);
  ExpectRefused(161002, "'steps' is -1", NN(Linspace), Scalar(1.0f), Scalar(3.0f), -1, one);
}

TEST_F(Nn, EyeHasOnesOnTheDiagonal) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_BOOL}) {
    const Tensor out = Out(type, {2, 3}, Layout::kPaddedRows);
    Run(NN(Eye), 2, 3, out);
    EXPECT_EQ(out.Read(), (Values{1, 0, 0, 0, 1, 0})) << type;
  }
  Run(NN(Eye), 2, 0, Out(ACL_FLOAT, {2, 0}));
  ExpectRefused(161002, "'out'", NN(Eye), 2, 2, Out(ACL_FLOAT, {2, 3}));
}

}  // namespace
}  // namespace nn
