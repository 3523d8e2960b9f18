// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Views of some size as inputs and outputs: results are those of contiguous tensors, to the last bit.
#include <gtest/gtest.h>

#include <functional>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_gather.h"
#include "aclnnop/aclnn_index.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_softmax.h"

namespace nn {
namespace {

constexpr std::int64_t kRows = 70, kColumns = 130;
const Dims kMatrix{kRows, kColumns};
const Layout kLayouts[] = {Layout::kPaddedRows, Layout::kTransposed, Layout::kOffset, Layout::kEveryOther};

class Views : public Nn, public testing::WithParamInterface<aclDataType> {
 protected:
  using Body = std::function<void(const Tensor& a, const Tensor& b, const Tensor& out)>;

  Tensor Matrix(unsigned seed, Layout layout) const {
    return In(GetParam(), kMatrix, SpreadInts(CountOf(kMatrix), -9, 9, seed), layout);
  }
  // In all layouts of both inputs and the output.
  void Compare(const Dims& out, aclDataType type, const Body& body) const {
    const Tensor expected = Out(type, out);
    body(Matrix(1, Layout::kContiguous), Matrix(2, Layout::kContiguous), expected);
    for (const Layout of_a : kLayouts)
      for (const Layout of_out :
           {Layout::kContiguous, Layout::kTransposed, Layout::kEveryOther, Layout::kPaddedRows}) {
        const Tensor found = Out(type, out, of_out);
        body(Matrix(1, of_a), Matrix(2, of_out), found);
        ASSERT_EQ(found.Read(), expected.Read())
            << "layouts " << static_cast<int>(of_a) << " and " << static_cast<int>(of_out);
      }
  }
  bool floats() const {
    return GetParam() == ACL_FLOAT || GetParam() == ACL_FLOAT16 || GetParam() == ACL_BF16;
  }
};

TEST_P(Views, AreAddedAndMultiplied) {
  Compare(kMatrix, GetParam(),
          [](const Tensor& a, const Tensor& b, const Tensor& out) { Run(NN(Add), a, b, Scalar(2), out); });
  Compare(kMatrix, GetParam(),
          [](const Tensor& a, const Tensor& b, const Tensor& out) { Run(NN(Mul), a, b, out); });
}

TEST_P(Views, AreConverted) {
  for (const aclDataType to : {ACL_DOUBLE, ACL_FLOAT16, ACL_INT32})
    Compare(kMatrix, to,
            [&](const Tensor& a, const Tensor&, const Tensor& out) { Run(NN(Cast), a, to, out); });
}

TEST_P(Views, AreSummed) {
  for (const std::int64_t axis : {0, 1})
    Compare({axis == 0 ? kColumns : kRows}, GetParam(),
            [&](const Tensor& a, const Tensor&, const Tensor& out) {
              Run(NN(ReduceSum), a, Ints{axis}, false, GetParam(), out);
            });
  Compare({1, 1}, GetParam(), [&](const Tensor& a, const Tensor&, const Tensor& out) {
    Run(NN(ReduceSum), a, Ints{0, 1}, true, GetParam(), out);
  });
}

TEST_P(Views, AreNormalised) {
  if (!floats()) return;
  for (const std::int64_t axis : {0, 1})
    Compare(kMatrix, GetParam(),
            [&](const Tensor& a, const Tensor&, const Tensor& out) { Run(NN(Softmax), a, axis, out); });
  Compare(kMatrix, GetParam(), [&](const Tensor& a, const Tensor& b, const Tensor& out) {
    const Tensor gamma = b.View(Role::kIn, {kColumns}, {b.strides()[1]}, b.offset());
    Run(NN(LayerNorm), a, Ints{kColumns}, gamma, gamma, 1e-5, out, nullptr, nullptr);
  });
}

TEST_P(Views, AreJoined) {
  for (const std::int64_t axis : {0, 1})
    Compare({axis == 0 ? 2 * kRows : kRows, axis == 0 ? kColumns : 2 * kColumns}, GetParam(),
            [&](const Tensor& a, const Tensor& b, const Tensor& out) {
              Run(NN(Cat), List{&a, &b}, axis, out);
            });
}

TEST_P(Views, AreIndexed) {
  const Tensor places = In(ACL_INT64, {5}, {3, 69, 0, 3, 12});
  Compare({5, kColumns}, GetParam(), [&](const Tensor& a, const Tensor&, const Tensor& out) {
    Run(NN(IndexSelect), a, std::int64_t{0}, places, out);
  });
  Compare({kRows, 5}, GetParam(), [&](const Tensor& a, const Tensor&, const Tensor& out) {
    Run(NN(IndexSelect), a, std::int64_t{1}, places, out);
  });
  Compare({5, kColumns}, GetParam(),
          [&](const Tensor& a, const Tensor&, const Tensor& out) { Run(NN(Index), a, List{&places}, out); });
  const Tensor elements = In(ACL_INT64, {2, kColumns}, SpreadInts(2 * kColumns, 0, kRows - 1));
  Compare({2, kColumns}, GetParam(), [&](const Tensor& a, const Tensor&, const Tensor& out) {
    Run(NN(Gather), a, std::int64_t{0}, elements, out);
  });
}

TEST_P(Views, AreChangedInPlace) {
  for (const Layout layout : kLayouts) {
    const Tensor expected = Ref(GetParam(), kMatrix, SpreadInts(CountOf(kMatrix), -9, 9, 1));
    const Tensor found = Ref(GetParam(), kMatrix, SpreadInts(CountOf(kMatrix), -9, 9, 1), layout);
    for (const Layout other : kLayouts) {
      Run(NN(InplaceAdd), expected, Matrix(2, other), Scalar(1));
      Run(NN(InplaceAdd), found, Matrix(2, other), Scalar(1));
      EXPECT_EQ(found.Read(), expected.Read());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Views,
                         testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT64, ACL_INT8));

}  // namespace
}  // namespace nn
