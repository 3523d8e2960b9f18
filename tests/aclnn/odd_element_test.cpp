// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Odd arguments of element-wise functions: types that meet, numbers out of range, tensors without dimensions.
#include <cmath>
#include <limits>
#include <tuple>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_addcmul.h"
#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_floor_divide.h"
#include "aclnnop/aclnn_ge_scalar.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_gt_tensor.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_lt_scalar.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_threshold.h"

namespace nn {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

TEST_F(Nn, TruthsAreAddedAndMultiplied) {
  const Tensor p = In(ACL_BOOL, {4}, {0, 0, 1, 1}), q = In(ACL_BOOL, {4}, {0, 1, 0, 1});
  const Tensor out = Out(ACL_BOOL, {4}), wide = Out(ACL_FLOAT, {4});
  Run(NN(Add), p, q, Scalar(true), out);
  EXPECT_EQ(out.Read(), (Values{0, 1, 1, 1}));
  Run(NN(Mul), p, q, out);
  EXPECT_EQ(out.Read(), (Values{0, 0, 0, 1}));
  Run(NN(Add), p, q, Scalar(1.0f), wide);
  EXPECT_EQ(wide.Read(), (Values{0, 1, 1, 1}));
  Run(NN(Mul), p, In(ACL_FLOAT16, {4}, {3, 4, 5, 6}), wide);
  EXPECT_EQ(wide.Read(), (Values{0, 0, 5, 6}));
  Run(NN(EqTensor), p, q, out);
  EXPECT_EQ(out.Read(), (Values{1, 0, 0, 1}));
  Run(NN(GtTensor), p, q, out);
  EXPECT_EQ(out.Read(), (Values{0, 0, 1, 0}));
}

TEST_F(Nn, TruthsHaveBounds) {
  const Tensor x = In(ACL_BOOL, {4}, {0, 0, 1, 1}), bound = In(ACL_BOOL, {4}, {0, 1, 0, 1}),
               out = Out(ACL_BOOL, {4});
  Run(NN(ClampMinTensor), x, bound, out);
  EXPECT_EQ(out.Read(), (Values{0, 1, 1, 1}));
  Run(NN(ClampMaxTensor), x, bound, out);
  EXPECT_EQ(out.Read(), (Values{0, 0, 0, 1}));
}

TEST_F(Nn, TruthsGoWithNumbers) {
  const Tensor p = In(ACL_BOOL, {2}, {0, 1}), out = Out(ACL_FLOAT, {2}), whole = Out(ACL_INT64, {2});
  Run(NN(Muls), p, Scalar(2.5f), out);
  EXPECT_EQ(out.Read(), (Values{0, 2.5}));
  Run(NN(Muls), p, Scalar(3), whole);
  EXPECT_EQ(whole.Read(), (Values{0, 3}));
  Run(NN(Adds), p, Scalar(3), Scalar(2), whole);
  EXPECT_EQ(whole.Read(), (Values{6, 7}));
  Run(NN(GtScalar), p, Scalar(0), out);
  EXPECT_EQ(out.Read(), (Values{0, 1}));
  Run(NN(GtScalar), p, Scalar(0.5f), out);
  EXPECT_EQ(out.Read(), (Values{0, 1}));
}

TEST_F(Nn, MultiplesOfIntegersWrap) {
  const Tensor a = In(ACL_INT32, {3}, {2147483647, -1, 5}), b = In(ACL_INT32, {3}, {1, 2, -3});
  const Tensor out = Out(ACL_INT32, {3}), wide = Out(ACL_INT64, {3});
  Run(NN(Add), a, b, Scalar(1), out);
  EXPECT_EQ(out.Read(), (Values{-2147483648.0, 1, 2}));
  Run(NN(Sub), a, b, Scalar(3), out);
  EXPECT_EQ(out.Read(), (Values{2147483644, -7, 14}));
  Run(NN(Add), a, In(ACL_INT64, {3}, {1, 2, -3}), Scalar(2), wide);
  EXPECT_EQ(wide.Read(), (Values{2147483649, 3, -1}));
}

TEST_F(Nn, FractionsOfIntegersAreNotCut) {
  const Tensor a = In(ACL_INT32, {2}, {1, 2}), b = In(ACL_INT32, {2}, {3, 5}), out = Out(ACL_FLOAT, {2});
  Run(NN(Add), a, b, Scalar(0.5f), out);
  EXPECT_EQ(out.Read(), (Values{2.5, 4.5}));
  Run(NN(Adds), a, Scalar(3), Scalar(0.5f), out);
  EXPECT_EQ(out.Read(), (Values{2.5, 3.5}));
  Run(NN(Addcmul), a, b, b, Scalar(0.5f), out);
  EXPECT_EQ(out.Read(), (Values{5.5, 14.5}));
  const Tensor whole = Ref(ACL_INT32, {2}, {16777217, 2});
  Run(NN(InplaceAdd), whole, b, Scalar(2.0f));
  EXPECT_EQ(whole.Read(), (Values{16777223, 12}));
}

TEST_F(Nn, BytesOfBothSignsMeetInWords) {
  const Tensor a = In(ACL_INT8, {2}, {-100, 100}), b = In(ACL_UINT8, {2}, {200, 200});
  const Tensor out = Out(ACL_INT16, {2}), same = Out(ACL_INT64, {2});
  Run(NN(Add), a, b, Scalar(1), out);
  EXPECT_EQ(out.Read(), (Values{100, 300}));
  Run(NN(Mul), b, In(ACL_INT16, {2}, {-3, 3}), same);
  EXPECT_EQ(same.Read(), (Values{-600, 600}));
}

TEST_F(Nn, HalvesWithFloatNumbersAreRoundedOnce) {
  const Tensor x = In(ACL_FLOAT16, {2}, {1, 2048}), out = Out(ACL_FLOAT16, {2}), wide = Out(ACL_FLOAT, {2});
  Run(NN(Muls), x, Scalar(1.0001f), wide);
  ExpectClose(wide.Read(), {1.0001, 2048.2048}, 1e-6);
  Run(NN(Adds), x, Scalar(0.4f), Scalar(3.0f), out);
  ExpectClose(out.Read(), {2.2, 2050}, 5e-4);
  Run(NN(GtScalar), x, Scalar(2047.9f), out);  // which float16 rounds to 2048
  EXPECT_EQ(out.Read(), (Values{0, 1}));
}

TEST_F(Nn, DivisionByNothingIsNoSignal) {
  const Tensor a = In(ACL_INT32, {3}, {1, 0, -2147483648.0}), b = In(ACL_INT32, {3}, {0, 0, -1});
  const Tensor whole = Out(ACL_INT32, {3}), out = Out(ACL_FLOAT, {3});
  Run(NN(FloorDivide), a, b, whole);
  Run(NN(Div), a, b, out);
  ExpectClose(out.Read(), {kInf, kNan, 2147483648.0}, 0);
  const Tensor into = Out(ACL_INT32, {4});
  Run(NN(Div), In(ACL_INT32, {4}, {7, -7, 9, 1}), In(ACL_INT32, {4}, {2, 2, 3, 3}), into);
  EXPECT_EQ(into.Read(), (Values{3, -3, 3, 0}));
}

TEST_F(Nn, ClampOfIntegersTakesEveryBound) {
  const Tensor x = In(ACL_INT32, {4}, {-2147483648.0, -1, 5, 2147483647}), out = Out(ACL_INT32, {4});
  Run(NN(Clamp), x, Scalar(-7), Scalar(ACL_INT64, 9e15), out);
  EXPECT_EQ(out.Read(), (Values{-7, -1, 5, 2147483647}));
  Run(NN(Clamp), x, nullptr, nullptr, out);
  EXPECT_EQ(out.Read(), x.Read());
  const Tensor bytes = In(ACL_UINT8, {3}, {0, 100, 255}), clamped = Out(ACL_UINT8, {3});
  Run(NN(Clamp), bytes, Scalar(-1), Scalar(200), clamped);
  EXPECT_EQ(clamped.Read(), (Values{0, 100, 200}));
  Run(NN(ClampMin), bytes, Scalar(-1), clamped);
  EXPECT_EQ(clamped.Read(), (Values{0, 100, 255}));
  const Tensor small = In(ACL_INT32, {3}, {-3, 1, 3}), cut = Out(ACL_INT32, {3}), fine = Out(ACL_FLOAT, {3});
  Run(NN(Clamp), small, Scalar(-1.5f), Scalar(2.5f), fine);
  EXPECT_EQ(fine.Read(), (Values{-1.5, 1, 2.5}));
  Run(NN(Clamp), small, Scalar(static_cast<float>(-kInf)), Scalar(2.0f), cut);
  EXPECT_EQ(cut.Read(), (Values{-3, 1, 2}));
}

TEST_F(Nn, ClampOfLargeIntegersIsExact) {
  const Tensor x = In(ACL_INT64, {2}, {9007199254740991.0, -9007199254740991.0}), out = Out(ACL_INT64, {2});
  Run(NN(Clamp), x, Scalar(ACL_INT64, -9007199254740990.0), nullptr, out);
  EXPECT_EQ(out.Read(), (Values{9007199254740991.0, -9007199254740990.0}));
}

TEST_F(Nn, InPlaceBoundsAndThresholdsKeepNan) {
  const Tensor x = Ref(ACL_FLOAT, {4}, {kNan, -1, 2, kInf});
  Run(NN(InplaceClampMax), x, Scalar(1.0f));
  ExpectClose(x.Read(), {kNan, -1, 1, 1}, 0);
  const Tensor y = Ref(ACL_BF16, {2, 2}, {0, -1, 2, 3}, Layout::kPaddedRows);
  Run(NN(InplaceThreshold), y, Scalar(2.0f), Scalar(9.0f));
  EXPECT_EQ(y.Read(), (Values{9, 9, 9, 3}));
}

TEST_F(Nn, PowersTakeHalvesIntegersAndNegatives) {
  const Tensor exponent = In(ACL_FLOAT16, {4}, {0, 1, 2, 15}, Layout::kEveryOther);
  const Tensor out = Out(ACL_FLOAT16, {4});
  Run(NN(PowScalarTensor), Scalar(0.7071f), exponent, out);
  ExpectClose(out.Read(), {1, 0.7071, 0.5, std::pow(0.7071, 15)}, 1e-3);
  const Tensor whole = In(ACL_INT32, {4}, {0, 1, 3, 10}), powers = Out(ACL_INT32, {4});
  Run(NN(PowScalarTensor), Scalar(3), whole, powers);
  EXPECT_EQ(powers.Read(), (Values{1, 3, 27, 59049}));
  const Tensor fine = Out(ACL_FLOAT, {4});
  Run(NN(PowScalarTensor), Scalar(0.5f), whole, fine);
  ExpectClose(fine.Read(), {1, 0.5, 0.125, std::pow(0.5, 10)}, 1e-6);
  const Tensor x = Ref(ACL_FLOAT, {3}, {-2, 0, 4});
  Run(NN(InplacePowTensorTensor), x, In(ACL_FLOAT, {3}, {3, 0, -0.5}));
  ExpectClose(x.Read(), {-8, 1, 0.5}, 1e-6);
}

TEST_F(Nn, TensorsWithoutDimensionsAreRepeated) {
  const Tensor a = In(ACL_FLOAT, {}, {3}), b = In(ACL_FLOAT, {}, {4}), out = Out(ACL_FLOAT, {});
  Run(NN(Add), a, b, Scalar(2.0f), out);
  EXPECT_EQ(out.Read(), (Values{11}));
  const Tensor rows = Out(ACL_FLOAT, {2, 2});
  Run(NN(Mul), a, In(ACL_FLOAT, {2, 2}, {1, 2, 3, 4}), rows);
  EXPECT_EQ(rows.Read(), (Values{3, 6, 9, 12}));
  const Tensor self = Ref(ACL_FLOAT, {}, {1});
  Run(NN(InplaceAdd), self, a, Scalar(1.0f));
  EXPECT_EQ(self.Read(), (Values{4}));
  Run(NN(InplaceFillScalar), self, Scalar(7.0f));
  EXPECT_EQ(self.Read(), (Values{7}));
  Run(NN(Relu), a, out);
  EXPECT_EQ(out.Read(), (Values{3}));
  Run(NN(InplaceCopy), rows, b);
  EXPECT_EQ(rows.Read(), (Values{4, 4, 4, 4}));
}

TEST_F(Nn, SignsOfIntegersAndBytes) {
  const Tensor x = In(ACL_INT32, {3}, {-5, 0, 7}), out = Out(ACL_INT32, {3}), fine = Out(ACL_FLOAT, {3});
  Run(NN(Relu), x, out);
  EXPECT_EQ(out.Read(), (Values{0, 0, 7}));
  Run(NN(Abs), x, fine);
  EXPECT_EQ(fine.Read(), (Values{5, 0, 7}));
  const Tensor y = In(ACL_FLOAT, {4}, {-0.0, kNan, -kInf, 1e-30}), signs = Out(ACL_FLOAT, {4});
  Run(NN(Sign), y, signs);
  EXPECT_EQ(signs.Read()[0], 0);
  EXPECT_EQ(signs.Read()[2], -1);
  EXPECT_EQ(signs.Read()[3], 1);
  Run(NN(Relu), y, signs);
  EXPECT_TRUE(std::isnan(signs.Read()[1]));
}

TEST_F(Nn, SoftplusIsTheNumberItselfAboveTheThreshold) {
  const Tensor x = In(ACL_FLOAT, {6}, {-200, -1, 0, 9.9, 10.1, 1000}), out = Out(ACL_FLOAT, {6});
  Run(NN(Softplus), x, Scalar(2.0f), Scalar(20.0f), out);
  ExpectClose(out.Read(), {0, std::log1p(std::exp(-2.0)) / 2, std::log(2.0) / 2, 9.9, 10.1, 1000}, 1e-6);
  Run(NN(Softplus), x, Scalar(1.0f), Scalar(-2.0f), out);
  ExpectClose(out.Read(), {0, -1, 0, 9.9, 10.1, 1000}, 1e-6);
  const Tensor half = In(ACL_FLOAT16, {3}, {-1, 15, 30}), into = Out(ACL_FLOAT16, {3});
  Run(NN(Softplus), half, Scalar(1.0f), Scalar(20.0f), into);
  ExpectClose(into.Read(), {std::log1p(std::exp(-1.0)), 15, 30}, 1e-3);
}

TEST_F(Nn, HardFunctionsHaveCornersAtThree) {
  const Tensor x = In(ACL_FLOAT, {7}, {-kInf, -3, -1.5, 0, 1.5, 3, kInf}), out = Out(ACL_FLOAT, {7});
  Run(NN(Hardsigmoid), x, out);
  ExpectClose(out.Read(), {0, 0, 0.25, 0.5, 0.75, 1, 1}, 1e-6);
  const Tensor y = In(ACL_FLOAT, {5}, {-4, -3, 1.5, 3, 100}), swish = Out(ACL_FLOAT, {5});
  Run(NN(Hardswish), y, swish);
  ExpectClose(swish.Read(), {0, 0, 1.125, 3, 100}, 1e-6);
  Run(NN(Hardsigmoid), In(ACL_INT32, {3}, {-6, 0, 6}), Out(ACL_FLOAT, {3}));
}

TEST_F(Nn, EluAndLeakyReluTakeTheirNumbers) {
  const Tensor x = In(ACL_FLOAT, {3}, {-1, 0, 2}), out = Out(ACL_FLOAT, {3});
  Run(NN(Elu), x, Scalar(2.0f), Scalar(3.0f), Scalar(0.5f), out);
  ExpectClose(out.Read(), {6 * std::expm1(-0.5), 0, 6}, 1e-6);
  Run(NN(LeakyRelu), x, Scalar(ACL_DOUBLE, 0.25), out);
  EXPECT_EQ(out.Read(), (Values{-0.25, 0, 2}));
  Run(NN(LeakyRelu), In(ACL_FLOAT16, {2, 2}, {-4, 4, -8, 8}, Layout::kTransposed), Scalar(0.1f),
      Out(ACL_FLOAT16, {2, 2}, Layout::kPaddedRows));
}

double Gelu(double x, bool tanh) {
  if (!tanh) return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

TEST_F(Nn, GeGluActivatesEitherHalfOfAnyDimension) {
  for (const std::int64_t approximate : {0, 1})
    for (const bool left : {true, false})
      for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed}) {
        const Tensor x = In(ACL_FLOAT, {2, 4, 3}, Spread(24), layout);
        const Tensor out = Out(ACL_FLOAT, {2, 2, 3}, layout), gelu = Out(ACL_FLOAT, {2, 2, 3}, layout);
        Run(NN(GeGluV3), x, std::int64_t{-2}, approximate, left, out, gelu);
        const Values given = x.Read();
        Values expected(12), activated(12);
        for (std::size_t i = 0; i < 12; ++i) {
          const std::size_t first = i / 6 * 12 + i % 6;
          const double a = given[first], b = given[first + 6];
          activated[i] = Gelu(left ? a : b, approximate == 1);
          expected[i] = activated[i] * (left ? b : a);
        }
        ExpectClose(out.Read(), expected, 4e-6);
        ExpectClose(gelu.Read(), activated, 4e-6);
      }
  const Tensor x = In(ACL_FLOAT, {2, 3}, Spread(6)), out = Out(ACL_FLOAT, {2, 1});
  ExpectRefused(161002, "self", NN(GeGluV3), x, std::int64_t{1}, std::int64_t{0}, true, out, out);
  ExpectRefused(161002, "approximate", NN(GeGluV3), x, std::int64_t{0}, std::int64_t{2}, true,
                Out(ACL_FLOAT, {1, 3}), Out(ACL_FLOAT, {1, 3}));
}

TEST_F(Nn, ArangeCountsFractions) {
  const Tensor ten = Out(ACL_FLOAT, {10}), three = Out(ACL_FLOAT, {3}), half = Out(ACL_FLOAT16, {1, 1, 1, 4});
  Run(NN(Arange), Scalar(0.0f), Scalar(1.0f), Scalar(0.1f), ten);
  ExpectClose(ten.Read(), {0, .1, .2, .3, .4, .5, .6, .7, .8, .9}, 1e-6);
  Run(NN(Arange), Scalar(1.0f), Scalar(2.05f), Scalar(0.5f), three);
  EXPECT_EQ(three.Read(), (Values{1, 1.5, 2}));
  Run(NN(Arange), Scalar(0), Scalar(2.0f), Scalar(0.5f), half);
  EXPECT_EQ(half.Read(), (Values{0, 0.5, 1, 1.5}));
  const Tensor whole = Out(ACL_INT32, {4});
  Run(NN(Arange), Scalar(0.5f), Scalar(4.5f), Scalar(1.0f), whole);
  EXPECT_EQ(whole.Read(), (Values{0, 1, 2, 3}));
  const Tensor down = Out(ACL_INT64, {3});
  Run(NN(Arange), Scalar(5), Scalar(0), Scalar(-2), down);
  EXPECT_EQ(down.Read(), (Values{5, 3, 1}));
}

TEST_F(Nn, CastStopsAtTheEndsOfIntegers) {
  const Tensor x = In(ACL_FLOAT, {6}, {kNan, kInf, -kInf, 1e20, -1e20, -1.9});
  for (const auto& [type, low, high] : std::vector<std::tuple<aclDataType, double, double>>{
           {ACL_INT32, -2147483648.0, 2147483647.0},
           {ACL_INT64, -9223372036854775808.0, 9223372036854775808.0},
           {ACL_INT16, -32768, 32767},
           {ACL_INT8, -128, 127},
           {ACL_UINT8, 0, 255}}) {
    const Tensor out = Out(type, {6});
    Run(NN(Cast), x, type, out);
    EXPECT_EQ(out.Read(), (Values{0, high, low, high, low, type == ACL_UINT8 ? 0.0 : -1.0})) << type;
    const Tensor from_half = Out(type, {3});
    Run(NN(Cast), In(ACL_FLOAT16, {3}, {kNan, kInf, -1.5}), type, from_half);
    EXPECT_EQ(from_half.Read(), (Values{0, high, type == ACL_UINT8 ? 0.0 : -1.0})) << type;
    const Tensor from_double = Out(type, {6});
    Run(NN(Cast), In(ACL_DOUBLE, {6}, {kNan, kInf, -kInf, 1e20, -1e20, -1.9}), type, from_double);
    EXPECT_EQ(from_double.Read(), out.Read()) << type;
  }
  const Tensor truths = Out(ACL_BOOL, {4});
  Run(NN(Cast), In(ACL_FLOAT16, {4}, {kNan, 0.25, -0.0, 0}), ACL_BOOL, truths);
  EXPECT_EQ(truths.Read(), (Values{1, 1, 0, 0}));
  Run(NN(Cast), In(ACL_INT64, {4}, {4294967296.0, 0, 256, -1}), ACL_BOOL, truths);
  EXPECT_EQ(truths.Read(), (Values{1, 0, 1, 1}));
  const Tensor narrow = Out(ACL_INT32, {3});
  Run(NN(Cast), In(ACL_INT64, {3}, {4294967297.0, -1, 2147483648.0}), ACL_INT32, narrow);
  EXPECT_EQ(narrow.Read(), (Values{1, -1, -2147483648.0}));
}

// Strides of single elements are garbage, also where they are repeated and where both sides are views.
TEST_F(Nn, CopiesRepeatSingleElementsWhateverTheirStrides) {
  const Tensor x = In(ACL_FLOAT, {6}, {1, 2, 3, 4, 5, 6});
  const Tensor row = x.View(Role::kIn, {1, 3}, {123456789, 2}, 0);
  const Tensor self = Out(ACL_FLOAT, {2, 3}, Layout::kPaddedRows);
  Run(NN(InplaceCopy), self, row);
  EXPECT_EQ(self.Read(), (Values{1, 3, 5, 1, 3, 5}));
  const Tensor added = Out(ACL_FLOAT, {2, 3}, Layout::kPaddedRows);
  Run(NN(Add), row, self.As(Role::kIn), Scalar(1.0f), added);
  EXPECT_EQ(added.Read(), (Values{2, 6, 10, 2, 6, 10}));
}

TEST_F(Nn, OutputsOfOneRowMayHaveGarbageForAStride) {
  const Tensor memory = Ref(ACL_FLOAT, {8}, Values(8, 0));
  const Tensor out = memory.View(Role::kOut, {1, 4}, {987654321, 2}, 0);
  Run(NN(Muls), In(ACL_FLOAT, {1, 4}, {1, 2, 3, 4}), Scalar(2.0f), out);
  EXPECT_EQ(memory.Read(), (Values{2, 0, 4, 0, 6, 0, 8, 0}));
}

TEST_F(Nn, ComparisonsOfIntegersWithFractions) {
  const Tensor x = In(ACL_INT32, {3}, {1, 2, 3}), out = Out(ACL_INT32, {3}), truths = Out(ACL_BOOL, {3});
  Run(NN(GeScalar), x, Scalar(1.5f), out);
  EXPECT_EQ(out.Read(), (Values{0, 1, 1}));
  Run(NN(LtScalar), x, Scalar(ACL_DOUBLE, 2.5), truths);
  EXPECT_EQ(truths.Read(), (Values{1, 1, 0}));
  Run(NN(GtScalar), In(ACL_FLOAT, {3}, {-0.0, kNan, 1e-40}), Scalar(0.0f), truths);
  EXPECT_EQ(truths.Read()[0], 0);
  EXPECT_EQ(truths.Read()[1], 0);
}

TEST_F(Nn, LargeIntegersAreComparedExactly) {
  const Tensor a = In(ACL_INT32, {2}, {16777217, 16777216}), b = In(ACL_INT32, {2}, {16777216, 16777216});
  const Tensor out = Out(ACL_INT32, {2});
  Run(NN(EqTensor), a, b, out);
  EXPECT_EQ(out.Read(), (Values{0, 1}));
  Run(NN(GtScalar), a, Scalar(16777216), out);
  EXPECT_EQ(out.Read(), (Values{1, 0}));
  const Tensor c = In(ACL_INT64, {2}, {9007199254740991.0, 3}),
               d = In(ACL_INT64, {2}, {9007199254740990.0, 3});
  Run(NN(EqTensor), c, d, out);
  EXPECT_EQ(out.Read(), (Values{0, 1}));
}

}  // namespace
}  // namespace nn
