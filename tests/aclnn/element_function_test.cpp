// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of one tensor, element by element.
#include <cmath>
#include <limits>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_acos.h"
#include "aclnnop/aclnn_acosh.h"
#include "aclnnop/aclnn_asin.h"
#include "aclnnop/aclnn_asinh.h"
#include "aclnnop/aclnn_atan.h"
#include "aclnnop/aclnn_atanh.h"
#include "aclnnop/aclnn_ceil.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_cosh.h"
#include "aclnnop/aclnn_erf.h"
#include "aclnnop/aclnn_erfc.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_exp2.h"
#include "aclnnop/aclnn_expm1.h"
#include "aclnnop/aclnn_floor.h"
#include "aclnnop/aclnn_frac.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_log10.h"
#include "aclnnop/aclnn_log1p.h"
#include "aclnnop/aclnn_log2.h"
#include "aclnnop/aclnn_mish.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_reciprocal.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_rsqrt.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_sinh.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_tan.h"
#include "aclnnop/aclnn_tanh.h"
#include "aclnnop/aclnn_trunc.h"

namespace nn {
namespace {

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double Gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

struct FunctionCase {
  const char* name;
  void (*run)(const Tensor& x, const Tensor& y);
  void (*in_place)(const Tensor& x);  // null: there is none
  double (*expected)(double);
  double low = -3, high = 3;
};

#define RUN(name) #name, [](const Tensor& x, const Tensor& y) { Run(NN(name), x, y); }
#define BOTH(name) RUN(name), [](const Tensor& x) { Run(NN(Inplace##name), x); }
#define ONLY(name) RUN(name), nullptr

const FunctionCase kCases[] = {
    {ONLY(Abs), std::fabs},
    {BOTH(Neg), [](double x) { return -x; }},
    {ONLY(Sign), [](double x) { return x > 0   ? 1.0
                                       : x < 0 ? -1.0
                                               : 0.0; }},
    {BOTH(Floor), std::floor},
    {BOTH(Ceil), std::ceil},
    {ONLY(Trunc), std::trunc},
    {ONLY(Round), std::nearbyint},
    {BOTH(Frac), [](double x) { return x - std::trunc(x); }},
    {BOTH(Sqrt), std::sqrt, 0, 9},
    {BOTH(Rsqrt), [](double x) { return 1 / std::sqrt(x); }, 0.1, 9},
    {BOTH(Reciprocal), [](double x) { return 1 / x; }, 0.1, 9},
    {BOTH(Exp), std::exp},
    {BOTH(Exp2), std::exp2},
    {BOTH(Expm1), std::expm1},
    {BOTH(Log), std::log, 0.1, 9},
    {BOTH(Log2), std::log2, 0.1, 9},
    {BOTH(Log10), std::log10, 0.1, 9},
    {BOTH(Log1p), std::log1p, -0.5, 9},
    {BOTH(Erf), std::erf},
    {BOTH(Erfc), std::erfc},
    {BOTH(Sin), std::sin, -20, 20},
    {BOTH(Cos), std::cos, -20, 20},
    {BOTH(Tan), std::tan, -1.2, 1.2},
    {BOTH(Asin), std::asin, -0.9, 0.9},
    {BOTH(Acos), std::acos, -0.9, 0.9},
    {BOTH(Atan), std::atan},
    {BOTH(Sinh), std::sinh},
    {BOTH(Cosh), std::cosh},
    {BOTH(Tanh), std::tanh},
    {BOTH(Asinh), std::asinh},
    {BOTH(Acosh), std::acosh, 1.1, 5},
    {BOTH(Atanh), std::atanh, -0.8, 0.8},
    {BOTH(Relu), [](double x) { return x > 0 ? x : 0; }},
    {BOTH(Sigmoid), Sigmoid},
    {ONLY(Silu), [](double x) { return x * Sigmoid(x); }},
    {ONLY(Gelu), Gelu},
    {BOTH(Mish), [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
    {BOTH(Hardsigmoid), [](double x) { return std::min(std::max(x / 6 + 0.5, 0.0), 1.0); }, -5, 5},
    {BOTH(Hardswish), [](double x) { return x * std::min(std::max(x + 3, 0.0), 6.0) / 6; }, -5, 5},
};
#undef RUN
#undef BOTH
#undef ONLY

Values Numbers(const FunctionCase& test) {
  return Spread(24, test.low, test.high);
}

struct Form {
  aclDataType in, out;
  Layout in_layout = Layout::kContiguous, out_layout = Layout::kContiguous;
};

TEST_F(Nn, FunctionsOfOneTensorTakeViewsAndTypes) {
  const Form forms[] = {{ACL_FLOAT, ACL_FLOAT},
                        {ACL_FLOAT, ACL_FLOAT, Layout::kPaddedRows, Layout::kPaddedRows},
                        {ACL_FLOAT, ACL_FLOAT, Layout::kTransposed, Layout::kOffset},
                        {ACL_FLOAT, ACL_FLOAT16, Layout::kOffset, Layout::kTransposed},
                        {ACL_FLOAT16, ACL_FLOAT16, Layout::kPaddedRows},
                        {ACL_FLOAT16, ACL_FLOAT, Layout::kEveryOther, Layout::kEveryOther},
                        {ACL_BF16, ACL_BF16}};
  for (const FunctionCase& test : kCases)
    for (const Form& form : forms) {
      SCOPED_TRACE(test.name);
      const Tensor x = In(form.in, {2, 3, 4}, Numbers(test), form.in_layout);
      const Tensor y = Out(form.out, {2, 3, 4}, form.out_layout);
      test.run(x, y);
      ExpectClose(y.Read(), Applied(x.Read(), test.expected), Tolerance(form.out));
    }
}

TEST_F(Nn, FunctionsOfOneTensorReadRepeatedRows) {
  const Values row = Spread(4, 0.2, 0.8);
  for (const FunctionCase& test : kCases) {
    if (test.low >= 1) continue;
    SCOPED_TRACE(test.name);
    Values values = row;
    values.insert(values.end(), row.begin(), row.end());
    const Tensor x = In(ACL_FLOAT, {2, 4}, values, Layout::kRepeated), y = Out(ACL_FLOAT, {2, 4});
    test.run(x, y);
    ExpectClose(y.Read(), Applied(x.Read(), test.expected), Tolerance(ACL_FLOAT));
  }
}

TEST_F(Nn, FunctionsOfOneTensorWorkInPlace) {
  for (const FunctionCase& test : kCases)
    for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed}) {
      SCOPED_TRACE(test.name);
      const Tensor x = Ref(ACL_FLOAT, {4, 6}, Numbers(test), layout);
      const Values expected = Applied(x.Read(), test.expected);
      test.run(x, x);
      ExpectClose(x.Read(), expected, Tolerance(ACL_FLOAT));
    }
}

TEST_F(Nn, InPlaceTwinsOfFunctionsDoTheSame) {
  for (const FunctionCase& test : kCases) {
    if (test.in_place == nullptr) continue;
    SCOPED_TRACE(test.name);
    const Tensor x = Ref(ACL_FLOAT16, {4, 6}, Numbers(test), Layout::kPaddedRows);
    const Values expected = Applied(x.Read(), test.expected);
    test.in_place(x);
    ExpectClose(x.Read(), expected, Tolerance(ACL_FLOAT16));
  }
}

TEST_F(Nn, FunctionsOfOneTensorLeaveEmptyOnesAlone) {
  for (const FunctionCase& test : kCases)
    test.run(In(ACL_FLOAT, {2, 0}, {}), Out(ACL_FLOAT, {2, 0}));
}

TEST_F(Nn, IntegersBecomeFloatInFunctionsWithoutWholeResults) {
  const Tensor x = In(ACL_INT32, {4}, {0, 1, 2, 4}), y = Out(ACL_FLOAT, {4});
  Run(NN(Exp), x, y);
  ExpectClose(y.Read(), Applied(x.Read(), std::exp), 1e-6);
  Run(NN(Sqrt), x, y);
  ExpectClose(y.Read(), Applied(x.Read(), std::sqrt), 1e-6);
}

TEST_F(Nn, SignsOfIntegersStayExact) {
  const double large = 9007199254740993.0 - 1;  // beyond what float has
  const Tensor x = In(ACL_INT64, {3}, {-large, 0, 7}), y = Out(ACL_INT64, {3});
  Run(NN(Abs), x, y);
  EXPECT_EQ(y.Read(), (Values{large, 0, 7}));
  Run(NN(Neg), x, y);
  EXPECT_EQ(y.Read(), (Values{large, 0, -7}));
  Run(NN(Sign), x, y);
  EXPECT_EQ(y.Read(), (Values{-1, 0, 1}));
}

TEST_F(Nn, FunctionsOfDoublesAreComputedInDouble) {
  const Tensor x = In(ACL_DOUBLE, {5}, Spread(5, 0.1, 0.9)), y = Out(ACL_DOUBLE, {5});
  Run(NN(Exp), x, y);
  ExpectClose(y.Read(), Applied(x.Read(), std::exp), 1e-14);
  Run(NN(Sin), x, y);
  ExpectClose(y.Read(), Applied(x.Read(), std::sin), 1e-14);
}

TEST_F(Nn, SinesOfLargeAnglesAreReducedExactly) {
  const Tensor x = In(ACL_FLOAT, {1000}, Spread(1000, -1e5, 1e5)), y = Out(ACL_FLOAT, {1000});
  Run(NN(Sin), x, y);
  EXPECT_LT(Nmse(y.Read(), Applied(x.Read(), std::sin)), 1e-12);
  Run(NN(Cos), x, y);
  EXPECT_LT(Nmse(y.Read(), Applied(x.Read(), std::cos)), 1e-12);
}

TEST_F(Nn, WhatHasNoResultIsNan) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const Tensor x = In(ACL_FLOAT, {4}, {-1, nan, inf, -inf}), y = Out(ACL_FLOAT, {4});
  Run(NN(Sqrt), x, y);
  ExpectClose(y.Read(), {nan, nan, inf, nan}, 0);
  Run(NN(Relu), x, y);
  ExpectClose(y.Read(), {0, nan, inf, 0}, 0);
  Run(NN(Exp), x, y);
  ExpectClose(y.Read(), {std::exp(-1), nan, inf, 0}, 1e-6);
}

TEST_F(Nn, ShapesOfFunctionsOfOneTensorAreEqual) {
  const Tensor x = In(ACL_FLOAT, {2, 3}, Spread(6));
  ExpectRefused(161002, "out", NN(Exp), x, Out(ACL_FLOAT, {3, 2}));
  ExpectRefused(161001, "out", NN(Exp), x, nullptr);
}

}  // namespace
}  // namespace nn
