// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The frame itself, on two operators that everything else needs.
#include "aclnn/nn_case.h"

#include <gtest/gtest-spi.h>

#include <cmath>

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_add.h"

namespace nn {
namespace {

TEST_F(Nn, TensorsHoldWhatWasWrittenInEveryLayout) {
  const Values values = SpreadInts(24, -9, 9);
  for (const Layout layout :
       {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed, Layout::kOffset, Layout::kEveryOther})
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT8, ACL_INT64})
      EXPECT_EQ(In(type, {2, 3, 4}, values, layout).Read(), values) << type;
  EXPECT_EQ(In(ACL_FLOAT, {2, 2}, {1, 2, 1, 2}, Layout::kRepeated).Read(), (Values{1, 2, 1, 2}));
  EXPECT_EQ(In(ACL_COMPLEX64, {2}, {1, 2, 3, 4}).Read(), (Values{1, 2, 3, 4}));
}

TEST_F(Nn, CallsReadAndWriteEveryLayout) {
  const Values values = Spread(24);
  for (const Layout in : {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed, Layout::kOffset})
    for (const Layout out :
         {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed, Layout::kEveryOther}) {
      const Tensor x = In(ACL_FLOAT, {2, 3, 4}, values, in), y = Out(ACL_FLOAT, {2, 3, 4}, out);
      Run(NN(Abs), x, y);
      ExpectClose(y.Read(), Applied(x.Read(), std::abs), 0);
    }
}

TEST_F(Nn, ScalarsAndSmallerTensorsGoWithTensors) {
  const Tensor a = In(ACL_FLOAT16, {2, 3}, {1, 2, 3, 4, 5, 6}), b = In(ACL_FLOAT, {3}, {10, 20, 30});
  const Tensor out = Out(ACL_FLOAT, {2, 3});
  Run(NN(Add), a, b, Scalar(2.0f), out);
  ExpectClose(out.Read(), {21, 42, 63, 24, 45, 66}, 0);
}

TEST_F(Nn, RefusalsNameTheParameter) {
  const Tensor x = In(ACL_FLOAT, {2}, {1, 2}), out = Out(ACL_FLOAT, {3});
  ExpectRefused(161002, "out", NN(Abs), x, out);
  ExpectRefused(161001, "self", NN(Abs), nullptr, out);
}

TEST_F(Nn, AWriteBesideTheElementsFailsTheTest) {
  const Tensor out = Out(ACL_FLOAT, {2, 2}, Layout::kPaddedRows);
  const float hole = 1;
  auto* behind = static_cast<float*>(out.data()) + 7;
  ASSERT_OK(aclrtMemcpy(behind, sizeof(hole), &hole, sizeof(hole), ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_NONFATAL_FAILURE(out.Check(), "leave alone");
}

}  // namespace
}  // namespace nn
