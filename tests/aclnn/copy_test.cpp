// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Copies between views, and conversions.
#include <cmath>
#include <limits>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_copy.h"

namespace nn {
namespace {

const Layout kLayouts[] = {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed, Layout::kOffset,
                           Layout::kEveryOther};
const aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                              ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};

TEST_F(Nn, CopiesGoFromEveryViewToEveryView) {
  const Values values = SpreadInts(24, 0, 9);
  for (const Layout from : kLayouts)
    for (const Layout to : kLayouts)
      for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT64, ACL_BOOL}) {
        const Tensor src = In(type, {2, 3, 4}, type == ACL_BOOL ? SpreadInts(24, 0, 1) : values, from);
        const Tensor self = Out(type, {2, 3, 4}, to);
        Run(NN(InplaceCopy), self, src);
        EXPECT_EQ(self.Read(), src.Read());
      }
}

TEST_F(Nn, CopiesConvert) {
  for (const aclDataType from : kTypes)
    for (const aclDataType to : kTypes) {
      const Tensor src = In(from, {3, 4}, SpreadInts(12, 0, 9), Layout::kTransposed);
      const Tensor self = Out(to, {3, 4}, Layout::kPaddedRows), cast = Out(to, {3, 4}, Layout::kTransposed);
      Run(NN(InplaceCopy), self, src);
      EXPECT_EQ(self.Read(), src.Read()) << from << " to " << to;
      Run(NN(Cast), src, to, cast);
      EXPECT_EQ(cast.Read(), src.Read()) << from << " to " << to;
    }
}

TEST_F(Nn, CopiesRepeatTheSource) {
  const Tensor self = Out(ACL_FLOAT, {2, 3}, Layout::kEveryOther);
  Run(NN(InplaceCopy), self, In(ACL_FLOAT16, {3}, {1, 2, 3}));
  EXPECT_EQ(self.Read(), (Values{1, 2, 3, 1, 2, 3}));
  Run(NN(InplaceCopy), self, In(ACL_FLOAT, {2, 1}, {4, 5}));
  EXPECT_EQ(self.Read(), (Values{4, 4, 4, 5, 5, 5}));
  const Tensor repeated = In(ACL_FLOAT, {2, 3}, {1, 2, 3, 1, 2, 3}, Layout::kRepeated);
  Run(NN(InplaceCopy), self, repeated);
  EXPECT_EQ(self.Read(), (Values{1, 2, 3, 1, 2, 3}));
  ExpectRefused(161002, "", NN(InplaceCopy), self, In(ACL_FLOAT, {2}, {1, 2}));
}

// Batches of diagonals, permuted views of four dimensions.
TEST_F(Nn, CopiesReachWhatStridesReach) {
  const Tensor matrices = Ref(ACL_FLOAT, {2, 3, 3}, Values(18, 0));
  const Tensor diagonals = matrices.View(Role::kOut, {2, 3}, {9, 4}, 0);
  Run(NN(InplaceCopy), diagonals, In(ACL_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(matrices.Read(), (Values{1, 0, 0, 0, 2, 0, 0, 0, 3, 4, 0, 0, 0, 5, 0, 0, 0, 6}));
  const Tensor packed = In(ACL_BF16, {2, 3, 4, 5}, SpreadInts(120, 0, 99));
  const Tensor permuted = packed.View(Role::kIn, {3, 2, 5, 4}, {20, 60, 1, 5}, 0);
  const Tensor out = Out(ACL_FLOAT, {3, 2, 5, 4});
  Run(NN(InplaceCopy), out, permuted);
  EXPECT_EQ(out.Read(), permuted.Read());
}

TEST_F(Nn, StridesOfDimensionsOfOneElementMeanNothing) {
  const Tensor x = In(ACL_FLOAT, {6}, SpreadInts(6, 0, 9)), out = Out(ACL_FLOAT, {1, 2, 1, 3});
  const Tensor view = x.View(Role::kIn, {1, 2, 1, 3}, {123456789, 3, 987654321, 1}, 0);
  Run(NN(InplaceCopy), out, view);
  EXPECT_EQ(out.Read(), x.Read());
}

TEST_F(Nn, CastCutsOffAndWraps) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const Tensor x = In(ACL_FLOAT, {5}, {2.7, -2.7, nan, 0, 1e9}), ints = Out(ACL_INT32, {5});
  Run(NN(Cast), x, ACL_INT32, ints);
  EXPECT_EQ(ints.Read(), (Values{2, -2, 0, 0, 1e9}));
  const Tensor truths = Out(ACL_BOOL, {5}), bytes = Out(ACL_INT8, {2}), halves = Out(ACL_FLOAT16, {2});
  Run(NN(Cast), x, ACL_BOOL, truths);
  EXPECT_EQ(truths.Read(), (Values{1, 1, 1, 0, 1}));
  Run(NN(Cast), In(ACL_INT32, {2}, {300, -129}), ACL_INT8, bytes);
  EXPECT_EQ(bytes.Read(), (Values{44, 127}));
  Run(NN(Cast), In(ACL_FLOAT, {2}, {70000, -1e6}), ACL_FLOAT16, halves);
  EXPECT_EQ(halves.Read(), (Values{inf, -inf}));
  ExpectRefused(161002, "'dtype' is float", NN(Cast), x, ACL_FLOAT, ints);
}

TEST_F(Nn, CopiesOfNothingDoNothing) {
  Run(NN(InplaceCopy), Out(ACL_FLOAT, {0, 3}), In(ACL_FLOAT, {0, 3}, {}));
  Run(NN(Cast), In(ACL_FLOAT, {3, 0}, {}), ACL_FLOAT16, Out(ACL_FLOAT16, {3, 0}));
}

}  // namespace
}  // namespace nn
