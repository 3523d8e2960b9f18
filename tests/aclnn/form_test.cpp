// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Forms of arguments that programs use: tensors without dimensions, tensors of nothing, null where nothing is
// meant, truths and complex numbers.
#include <cmath>
#include <limits>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_amax.h"
#include "aclnnop/aclnn_amin.h"
#include "aclnnop/aclnn_aminmax.h"
#include "aclnnop/aclnn_apply_top_k_top_p.h"
#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_batch_norm.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_flip.h"
#include "aclnnop/aclnn_gather.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_index.h"
#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill.h"
#include "aclnnop/aclnn_index_fill_tensor.h"
#include "aclnnop/aclnn_index_put_impl.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_isclose.h"
#include "aclnnop/aclnn_isfinite.h"
#include "aclnnop/aclnn_linalg_vector_norm.h"
#include "aclnnop/aclnn_linspace.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_max.h"
#include "aclnnop/aclnn_min.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_nan_to_num.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_reflection_pad2d.h"
#include "aclnnop/aclnn_replication_pad1d.h"
#include "aclnnop/aclnn_rotary_position_embedding.h"
#include "aclnnop/aclnn_rotary_position_embedding_v2.h"
#include "aclnnop/aclnn_scatter.h"
#include "aclnnop/aclnn_scatter_add.h"
#include "aclnnop/aclnn_searchsorted.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_sort.h"
#include "aclnnop/aclnn_topk.h"

namespace nn {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

TEST_F(Nn, WhatIsIndexedStaysAsItIs) {
  const Tensor self = In(ACL_FLOAT, {3, 2}, {1, 2, 3, 4, 5, 6}), out = Out(ACL_FLOAT, {3, 2}),
               index = In(ACL_INT64, {1}, {1}), row = In(ACL_FLOAT, {1, 2}, {10, 20});
  Run(NN(IndexFill), self, 0, index, Scalar(9.0f), out);
  EXPECT_EQ(out.Read(), (Values{1, 2, 9, 9, 5, 6}));
  Run(NN(IndexFillTensor), self, 1, Ints{0}, Scalar(9.0f), out);
  EXPECT_EQ(out.Read(), (Values{9, 2, 9, 4, 9, 6}));
  Run(NN(IndexAdd), self, 0, index, row, Scalar(1.0f), out);
  EXPECT_EQ(out.Read(), (Values{1, 2, 13, 24, 5, 6}));
  Run(NN(Scatter), self, 0, In(ACL_INT64, {1, 2}, {1, 0}), row, 0, out);
  EXPECT_EQ(out.Read(), (Values{1, 20, 10, 4, 5, 6}));
}

TEST_F(Nn, TensorsWithoutDimensionsAreIndexedAsOneElement) {
  for (const std::int64_t dim : {0, -1}) {
    const Tensor self = In(ACL_FLOAT, {}, {3}), index = In(ACL_INT64, {}, {0}), src = In(ACL_FLOAT, {}, {5}),
                 out = Out(ACL_FLOAT, {});
    const auto gives = [&](double expected) { EXPECT_EQ(out.Read(), (Values{expected})) << dim; };
    Run(NN(Gather), self, dim, index, out), gives(3);
    Run(NN(GatherV2), self, dim, index, out), gives(3);
    Run(NN(IndexSelect), self, dim, In(ACL_INT32, {1}, {0}), out), gives(3);
    Run(NN(Scatter), self, dim, index, src, 0, out), gives(5);
    Run(NN(ScatterValue), self, dim, index, Scalar(7.0f), 1, out), gives(10);
    Run(NN(ScatterAdd), self, dim, index, src, out), gives(8);
    Run(NN(IndexAdd), self, dim, index, src, Scalar(2.0f), out), gives(13);
    Run(NN(IndexFill), self, dim, index, Scalar(7.0f), out), gives(7);
    Run(NN(IndexFillTensor), self, dim, Ints{0}, Scalar(4.0f), out), gives(4);
    const Tensor changed = Ref(ACL_FLOAT, {}, {3});
    Run(NN(InplaceScatter), changed, dim, index, src, 0);
    EXPECT_EQ(changed.Read(), (Values{5}));
    Run(NN(InplaceIndexCopy), changed, dim, index, self);
    EXPECT_EQ(changed.Read(), (Values{3}));
  }
}

TEST_F(Nn, TensorsWithoutDimensionsAreOrderedAndReducedAsOneElement) {
  for (const std::int64_t dim : {0, -1}) {
    const Tensor self = In(ACL_FLOAT, {}, {-3}), out = Out(ACL_FLOAT, {}), place = Out(ACL_INT64, {});
    const auto gives = [&](double expected) { EXPECT_EQ(out.Read(), (Values{expected})) << dim; };
    Run(NN(Topk), self, 1, dim, true, true, out, place), gives(-3);
    Run(NN(Sort), self, true, dim, false, out, place), gives(-3);
    EXPECT_EQ(place.Read(), (Values{0}));
    Run(NN(LinalgVectorNorm), self, Scalar(2.0f), Ints{dim}, false, ACL_FLOAT, out), gives(3);
    Run(NN(Flip), self, Ints{dim}, out), gives(-3);
    Run(NN(Cumsum), self, dim, ACL_FLOAT, out), gives(-3);
    Run(NN(Softmax), self, dim, out), gives(1);
  }
}

// As torch_npu writes x[:, index]: a tensor of nothing, of the type of x.
TEST_F(Nn, IndicesOfNothingStandForWholeDimensions) {
  const Tensor self = In(ACL_FLOAT, {3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}),
               whole = In(ACL_FLOAT, {0}, {}), index = In(ACL_INT64, {2}, {2, 0}),
               out = Out(ACL_FLOAT, {3, 2});
  Run(NN(Index), self, List{&whole, &index}, out);
  EXPECT_EQ(out.Read(), (Values{2, 0, 6, 4, 10, 8}));
  const Tensor rows = Out(ACL_FLOAT, {2, 4});
  Run(NN(Index), self, List{&index, &whole}, rows);
  EXPECT_EQ(rows.Read(), (Values{8, 9, 10, 11, 0, 1, 2, 3}));
  const Tensor none = Out(ACL_FLOAT, {0, 4});
  Run(NN(Index), self, List{&whole}, none);
  const Tensor changed = Ref(ACL_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6}), one = In(ACL_INT64, {1}, {1});
  Run(NN(IndexPutImpl), changed, List{&whole, &one}, In(ACL_FLOAT, {}, {9}), false, false);
  EXPECT_EQ(changed.Read(), (Values{1, 9, 3, 4, 9, 6}));
  Run(NN(IndexPutImpl), changed, List{&whole}, In(ACL_FLOAT, {}, {7}), false, false);
  EXPECT_EQ(changed.Read(), (Values{1, 9, 3, 4, 9, 6}));
}

TEST_F(Nn, IndicesOfNothingHaveAnyTypeAndBytesAreMasks) {
  const Tensor self = In(ACL_FLOAT, {3, 2}, {1, 2, 3, 4, 5, 6});
  Run(NN(Gather), self, 0, In(ACL_UINT8, {0}, {}), Out(ACL_FLOAT, {0}));
  const Tensor mask = In(ACL_UINT8, {3}, {1, 0, 1}), rows = Out(ACL_FLOAT, {2, 2});
  Run(NN(Index), self, List{&mask}, rows);
  EXPECT_EQ(rows.Read(), (Values{1, 2, 5, 6}));
}

TEST_F(Nn, BatchNormNeedsNoAverages) {
  const Tensor x = In(ACL_FLOAT, {2, 1, 2}, {1, 2, 3, 6}), y = Out(ACL_FLOAT, {2, 1, 2}),
               mean = Out(ACL_FLOAT, {1}), deviation = Out(ACL_FLOAT, {1});
  Run(NN(BatchNorm), x, nullptr, nullptr, nullptr, nullptr, true, 0.1, 0.0, y, mean, deviation);
  const double inverse = 1 / std::sqrt(3.5);
  ExpectClose(y.Read(), {-2 * inverse, -inverse, 0, 3 * inverse}, 1e-5);
  EXPECT_EQ(mean.Read(), (Values{3}));
  const Tensor kept = Ref(ACL_FLOAT, {1}, {1});
  Run(NN(BatchNorm), x, nullptr, nullptr, kept, nullptr, true, 0.5, 0.0, y, mean, deviation);
  EXPECT_EQ(kept.Read(), (Values{2}));
}

TEST_F(Nn, TruthsHaveExtremes) {
  const Tensor x = In(ACL_BOOL, {2, 3}, {1, 0, 1, 0, 0, 1}), rows = Out(ACL_BOOL, {3}),
               all = Out(ACL_BOOL, {}), other = Out(ACL_BOOL, {3});
  Run(NN(Amax), x, Ints{0}, false, rows);
  EXPECT_EQ(rows.Read(), (Values{1, 0, 1}));
  Run(NN(Amin), x, Ints{0}, false, rows);
  EXPECT_EQ(rows.Read(), (Values{0, 0, 1}));
  Run(NN(Max), x, all);
  EXPECT_EQ(all.Read(), (Values{1}));
  Run(NN(Min), x, all);
  EXPECT_EQ(all.Read(), (Values{0}));
  Run(NN(Aminmax), x, Ints{0}, false, rows, other);
  EXPECT_EQ(rows.Read(), (Values{0, 0, 1}));
  EXPECT_EQ(other.Read(), (Values{1, 0, 1}));
}

TEST_F(Nn, TruthsAreTestedAndSummed) {
  const Tensor x = In(ACL_BOOL, {3}, {1, 0, 0}), y = In(ACL_BOOL, {3}, {1, 1, 0}), out = Out(ACL_BOOL, {3});
  Run(NN(IsClose), x, y, 1e-5, 1e-8, false, out);
  EXPECT_EQ(out.Read(), (Values{1, 0, 1}));
  Run(NN(Sign), x, out);
  EXPECT_EQ(out.Read(), (Values{1, 0, 0}));
  Run(NN(IsFinite), x, out);
  EXPECT_EQ(out.Read(), (Values{1, 1, 1}));
  Run(NN(NanToNum), x, 0.0f, 1.0f, -1.0f, out);
  EXPECT_EQ(out.Read(), (Values{1, 0, 0}));
  const Tensor index = In(ACL_INT64, {2}, {1, 2}), more = In(ACL_BOOL, {2}, {1, 0});
  Run(NN(ScatterAdd), x, 0, index, more, out);
  EXPECT_EQ(out.Read(), (Values{1, 1, 0}));
  Run(NN(IndexAdd), x, 0, index, more, Scalar(1), out);
  EXPECT_EQ(out.Read(), (Values{1, 1, 0}));
  const Tensor changed = Ref(ACL_BOOL, {3}, {1, 0, 0});
  Run(NN(IndexPutImpl), changed, List{&index}, more, true, false);
  EXPECT_EQ(changed.Read(), (Values{1, 1, 0}));
}

TEST_F(Nn, NumbersOfNothingAreGivenToo) {
  const Tensor x = In(ACL_FLOAT, {4}, {kNan, kInf, -kInf, 1}), out = Out(ACL_FLOAT, {4});
  Run(NN(NanToNum), x, 0.0f, 8.0f, -8.0f, out);
  EXPECT_EQ(out.Read(), (Values{0, 8, -8, 1}));
  Run(NN(Sign), x, out);
  EXPECT_EQ(out.Read(), (Values{0, 1, -1, 1}));
}

TEST_F(Nn, BoundsMayBeNullAndTheUpperOneCounts) {
  const Tensor x = In(ACL_FLOAT, {3}, {-3, 0, 3}), low = In(ACL_FLOAT, {3}, {-1, 1, 1}),
               high = In(ACL_FLOAT, {3}, {0, 0, 0}), out = Out(ACL_FLOAT, {3});
  Run(NN(ClampTensor), x, low, nullptr, out);
  EXPECT_EQ(out.Read(), (Values{-1, 1, 3}));
  Run(NN(ClampTensor), x, nullptr, high, out);
  EXPECT_EQ(out.Read(), (Values{-3, 0, 0}));
  Run(NN(ClampTensor), x, low, high, out);
  EXPECT_EQ(out.Read(), (Values{-1, 0, 0}));
  ExpectRefused(161002, "clipValueMin", NN(ClampTensor), x, nullptr, nullptr, out);
}

TEST_F(Nn, RangesOfIntegersCutNumbersOffFirst) {
  const Tensor five = Out(ACL_INT64, {5}), four = Out(ACL_INT32, {4}), other = Out(ACL_INT32, {7});
  Run(NN(Arange), Scalar(0.5), Scalar(5.7), Scalar(1.3), five);
  EXPECT_EQ(five.Read(), (Values{0, 1, 2, 3, 4}));
  Run(NN(Arange), Scalar(1.9), Scalar(7.9), Scalar(1.9), four);
  EXPECT_EQ(four.Read(), (Values{1, 2, 3, 4}));
  ExpectRefused(161002, "there are 4", NN(Arange), Scalar(1.9), Scalar(7.9), Scalar(1.9), other);
  Run(NN(Linspace), Scalar(-2.5), Scalar(10.5), 7, other);
  EXPECT_EQ(other.Read(), (Values{-2, 0, 2, 4, 6, 8, 10}));
}

TEST_F(Nn, NumbersThatAreNoneCountInTheNormOfOrderZero) {
  const Tensor x = In(ACL_FLOAT, {4}, {kNan, 0, 1, 2}), out = Out(ACL_FLOAT, {});
  Run(NN(LinalgVectorNorm), x, Scalar(0.0f), Ints{0}, false, ACL_FLOAT, out);
  EXPECT_EQ(out.Read(), (Values{3}));
}

TEST_F(Nn, AveragesHaveDivisorsBelowZero) {
  const Tensor x = In(ACL_FLOAT, {1, 2, 2}, {1, 2, 3, 6}), out = Out(ACL_FLOAT, {1, 1, 1});
  Run(NN(AvgPool2d), x, Ints{2}, Ints{}, Ints{0}, false, true, std::int64_t{-3}, std::int8_t{0}, out);
  EXPECT_EQ(out.Read(), (Values{-4}));
}

TEST_F(Nn, PaddingBelowZeroCuts) {
  const Tensor x = In(ACL_FLOAT, {1, 4}, {1, 2, 3, 4}), line = Out(ACL_FLOAT, {1, 5});
  Run(NN(ReplicationPad1d), x, Ints{-1, 2}, line);
  EXPECT_EQ(line.Read(), (Values{2, 3, 4, 4, 4}));
  const Tensor image = In(ACL_FLOAT, {1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), out = Out(ACL_FLOAT, {1, 2, 5});
  Run(NN(ReflectionPad2d), image, Ints{-1, 2, 1, -1}, out);
  EXPECT_EQ(out.Read(), (Values{6, 7, 8, 7, 6, 2, 3, 4, 3, 2}));
  ExpectRefused(161002, "takes 5", NN(ReplicationPad1d), x, Ints{-5, 2}, line);
}

TEST_F(Nn, SearchSortedFollowsAnOrder) {
  const Tensor values = In(ACL_FLOAT, {3}, {3, 1, 2}), order = In(ACL_INT64, {3}, {1, 2, 0}),
               wanted = In(ACL_FLOAT, {2}, {1.5, 3}), out = Out(ACL_INT64, {2});
  Run(NN(SearchSorted), values, wanted, false, true, order, out);
  EXPECT_EQ(out.Read(), (Values{1, 3}));
}

TEST_F(Nn, TransposedConvolutionsReachBeyondTheirProducts) {
  const Tensor x = In(ACL_FLOAT, {1, 1, 2}, {1, 2}), weight = In(ACL_FLOAT, {1, 1, 2}, {3, 4}),
               bias = In(ACL_FLOAT, {1}, {10}), out = Out(ACL_FLOAT, {1, 1, 6});
  Run(NN(Convolution), x, weight, bias, Ints{1}, Ints{0}, Ints{3}, true, Ints{1}, 1, out, std::int8_t{0});
  EXPECT_EQ(out.Read(), (Values{13, 16, 10, 14, 18, 10}));
  const Tensor g = In(ACL_FLOAT, {1, 1, 6}, {1, 2, 3, 4, 5, 6}), dx = Out(ACL_FLOAT, {1, 1, 2}),
               dweight = Out(ACL_FLOAT, {1, 1, 2}), dbias = Out(ACL_FLOAT, {1});
  Run(NN(ConvolutionBackward), g, x, weight, Ints{1}, Ints{1}, Ints{0}, Ints{3}, true, Ints{1}, 1,
      Bools{true, true, true}, std::int8_t{0}, dx, dweight, dbias);
  EXPECT_EQ(dx.Read(), (Values{19, 26}));
  EXPECT_EQ(dweight.Read(), (Values{5, 14}));
  EXPECT_EQ(dbias.Read(), (Values{21}));
}

TEST_F(Nn, TopKAndTopPMayBeNull) {
  const Tensor logits = In(ACL_FLOAT, {1, 3}, {1, 3, 2}), out = Out(ACL_FLOAT, {1, 3});
  Run(NN(ApplyTopKTopP), logits, nullptr, In(ACL_INT32, {1}, {2}), out);
  EXPECT_EQ(out.Read(), (Values{-kInf, 3, 2}));
  Run(NN(ApplyTopKTopP), logits, In(ACL_FLOAT, {1}, {0.5}), nullptr, out);
  EXPECT_EQ(out.Read(), (Values{-kInf, 3, -kInf}));
}

TEST_F(Nn, RotaryPositionsNeedNoMatrix) {
  const Tensor x = In(ACL_FLOAT, {1, 1, 1, 4}, {1, 2, 3, 4}),
               cosine = In(ACL_FLOAT, {1, 1, 1, 4}, Values(4, 0.0)),
               sine = In(ACL_FLOAT, {1, 1, 1, 4}, Values(4, 1.0)), out = Out(ACL_FLOAT, {1, 1, 1, 4});
  Run(NN(RotaryPositionEmbeddingV2), x, cosine, sine, 0, nullptr, out);
  EXPECT_EQ(out.Read(), (Values{-3, -4, 1, 2}));
}

TEST_F(Nn, ComplexNumbersAreCopiedAndConverted) {
  const Tensor x = In(ACL_FLOAT, {2}, {1, 2}), z = Out(ACL_COMPLEX64, {2}), wide = Out(ACL_COMPLEX128, {2});
  Run(NN(Cast), x, ACL_COMPLEX64, z);
  EXPECT_EQ(z.Read(), (Values{1, 0, 2, 0}));
  Run(NN(Cast), In(ACL_COMPLEX64, {2}, {1, 2, 3, 4}), ACL_COMPLEX128, wide);
  EXPECT_EQ(wide.Read(), (Values{1, 2, 3, 4}));
  const Tensor to = Ref(ACL_COMPLEX64, {2}, {9, 9, 9, 9});
  Run(NN(InplaceCopy), to, In(ACL_INT32, {}, {7}));
  EXPECT_EQ(to.Read(), (Values{7, 0, 7, 0}));
}

TEST_F(Nn, ComplexNumbersAreCalculatedWith) {
  const Tensor a = In(ACL_COMPLEX64, {2}, {1, 2, 3, -4}), b = In(ACL_COMPLEX64, {2}, {0, 1, 2, 0}),
               z = Out(ACL_COMPLEX64, {2}), length = Out(ACL_FLOAT, {2}), sum = Out(ACL_COMPLEX64, {});
  Run(NN(Mul), a, b, z);
  EXPECT_EQ(z.Read(), (Values{-2, 1, 6, -8}));
  Run(NN(Add), a, b, Scalar(2.0f), z);
  EXPECT_EQ(z.Read(), (Values{1, 4, 7, -4}));
  Run(NN(Abs), a, length);
  ExpectClose(length.Read(), {std::sqrt(5.0), 5}, 1e-6);
  Run(NN(ReduceSum), a, Ints{0}, false, ACL_COMPLEX64, sum);
  EXPECT_EQ(sum.Read(), (Values{4, -2}));
  const Tensor row = a.View(Role::kIn, {1, 2}, {2, 1}, 0), column = b.View(Role::kIn, {2, 1}, {1, 1}, 0),
               product = Out(ACL_COMPLEX64, {1, 1});
  Run(NN(Matmul), row, column, product, std::int8_t{0});
  EXPECT_EQ(product.Read(), (Values{4, -7}));
}

}  // namespace
}  // namespace nn
