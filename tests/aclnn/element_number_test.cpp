// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of a tensor and a number.
#include <cmath>
#include <limits>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_add_v3.h"
#include "aclnnop/aclnn_bitwise_and_scalar.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_eq_scalar.h"
#include "aclnnop/aclnn_floor_divide.h"
#include "aclnnop/aclnn_fmod_scalar.h"
#include "aclnnop/aclnn_ge_scalar.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_le_scalar.h"
#include "aclnnop/aclnn_lt_scalar.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_ne_scalar.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_remainder.h"
#include "aclnnop/aclnn_rsub.h"
#include "aclnnop/aclnn_sub.h"

namespace nn {
namespace {

struct NumberCase {
  const char* name;
  void (*run)(const Tensor& a, const Scalar& b, const Tensor& out);
  void (*in_place)(const Tensor& a, const Scalar& b);  // null: there is none
  double (*expected)(double, double);
};

#define RUN(name) #name, [](const Tensor& a, const Scalar& b, const Tensor& out) { Run(NN(name), a, b, out); }
#define BOTH(name) RUN(name), [](const Tensor& a, const Scalar& b) { Run(NN(Inplace##name), a, b); }
#define ONLY(name) RUN(name), nullptr
#define SCALED(name) \
#name, [](const Tensor& a, const Scalar& b, const Tensor& out) {                               \
    Run(NN(name), a, b, Scalar(3.0f), out);                                                      \
  }, [](const Tensor& a, const Scalar& b) { Run(NN(Inplace##name), a, b, Scalar(3.0f)); }

const NumberCase kCases[] = {
    {SCALED(Adds), [](double a, double b) { return a + 3 * b; }},
    {SCALED(Subs), [](double a, double b) { return a - 3 * b; }},
    {BOTH(Muls), [](double a, double b) { return a * b; }},
    {BOTH(Divs), [](double a, double b) { return a / b; }},
    {BOTH(FloorDivides), [](double a, double b) { return std::floor(a / b); }},
    {BOTH(RemainderTensorScalar), [](double a, double b) { return a - std::floor(a / b) * b; }},
    {BOTH(FmodScalar), [](double a, double b) { return std::fmod(a, b); }},
    {BOTH(PowTensorScalar), [](double a, double b) { return std::pow(a, b); }},
    {ONLY(ClampMin), [](double a, double b) { return std::max(a, b); }},
    {BOTH(ClampMax), [](double a, double b) { return std::min(a, b); }},
    {BOTH(EqScalar), [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    {BOTH(NeScalar), [](double a, double b) { return a != b ? 1.0 : 0.0; }},
    {BOTH(GtScalar), [](double a, double b) { return a > b ? 1.0 : 0.0; }},
    {BOTH(GeScalar), [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    {BOTH(LtScalar), [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {BOTH(LeScalar), [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
};
#undef RUN
#undef BOTH
#undef ONLY
#undef SCALED

Values Expected(const NumberCase& test, const Tensor& a, double number) {
  Values expected = a.Read();
  for (double& value : expected)
    value = test.expected(value, number);
  return expected;
}

TEST_F(Nn, NumbersAdaptToTheTensor) {
  for (const NumberCase& test : kCases)
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE})
      for (const Scalar& number : {Scalar(2.5f), Scalar(2.5), Scalar(2)}) {
        SCOPED_TRACE(test.name);
        const Tensor a = In(type, {3, 4}, SpreadInts(12, 1, 5)), out = Out(type, {3, 4});
        test.run(a, number, out);
        ExpectClose(out.Read(), Expected(test, a, number.value), std::max(Tolerance(type), 1e-12));
      }
}

TEST_F(Nn, NumbersGoWithViews) {
  const Layout layouts[] = {Layout::kPaddedRows, Layout::kTransposed, Layout::kOffset, Layout::kEveryOther};
  for (const NumberCase& test : kCases)
    for (const Layout layout : layouts) {
      SCOPED_TRACE(test.name);
      const Tensor a = In(ACL_FLOAT, {2, 3, 4}, Spread(24, 1, 3), layout);
      const Tensor out = Out(ACL_FLOAT, {2, 3, 4}, layout);
      test.run(a, Scalar(1.5f), out);
      ExpectClose(out.Read(), Expected(test, a, 1.5), 4e-6);
      if (test.in_place == nullptr) continue;
      const Tensor changed = Ref(ACL_FLOAT, {2, 3, 4}, Spread(24, 1, 3), layout);
      test.in_place(changed, Scalar(1.5f));
      ExpectClose(changed.Read(), Expected(test, a, 1.5), 4e-6);
    }
}

TEST_F(Nn, WholeNumbersWithIntegersStayExact) {
  for (const NumberCase& test : kCases) {
    if (test.name == std::string("Divs")) continue;
    SCOPED_TRACE(test.name);
    const Tensor a = In(ACL_INT32, {8}, SpreadInts(8, -5, 5)), out = Out(ACL_INT32, {8});
    test.run(a, Scalar(3), out);
    ExpectClose(out.Read(), Expected(test, a, 3), 0);
  }
}

TEST_F(Nn, FractionsMakeFloatsOfIntegers) {
  const Tensor a = In(ACL_INT32, {3}, {1, 2, 3}), out = Out(ACL_FLOAT, {3}),
               whole = Ref(ACL_INT32, {3}, {1, 2, 3});
  Run(NN(Muls), a, Scalar(0.5f), out);
  EXPECT_EQ(out.Read(), (Values{0.5, 1, 1.5}));
  Run(NN(GtScalar), a, Scalar(1.5f), out);
  EXPECT_EQ(out.Read(), (Values{0, 1, 1}));
  Run(NN(InplaceMuls), whole, Scalar(2.5f));
  EXPECT_EQ(whole.Read(), (Values{2, 5, 7}));
}

TEST_F(Nn, NumbersOutOfRangeOfTheTypeAreNotCutInComparisons) {
  const Tensor a = In(ACL_INT8, {2}, {44, -1}), out = Out(ACL_BOOL, {2});
  Run(NN(EqScalar), a, Scalar(300), out);  // 300 has the low bits of 44
  EXPECT_EQ(out.Read(), (Values{0, 0}));
  Run(NN(LtScalar), a, Scalar(300), out);
  EXPECT_EQ(out.Read(), (Values{1, 1}));
  const Tensor wrapped = Out(ACL_INT8, {2});
  Run(NN(Adds), a, Scalar(300), Scalar(1), wrapped);
  EXPECT_EQ(wrapped.Read(), (Values{88, 43}));
}

TEST_F(Nn, NumbersStandOnTheLeft) {
  const Tensor exponent = In(ACL_FLOAT16, {4}, {1, 2, 3, 4}), powers = Out(ACL_FLOAT16, {4});
  Run(NN(PowScalarTensor), Scalar(0.5f), exponent, powers);
  EXPECT_EQ(powers.Read(), (Values{0.5, 0.25, 0.125, 0.0625}));
  const Tensor x = In(ACL_FLOAT, {2}, {3, 4}), out = Out(ACL_FLOAT, {2});
  Run(NN(RemainderScalarTensor), Scalar(-7), x, out);
  EXPECT_EQ(out.Read(), (Values{2, 1}));
  Run(NN(AddV3), Scalar(1.0f), x, Scalar(2.0f), out);
  EXPECT_EQ(out.Read(), (Values{7, 9}));
  Run(NN(Rsubs), x, Scalar(10.0f), Scalar(2.0f), out);
  EXPECT_EQ(out.Read(), (Values{4, 2}));
  Run(NN(Rsub), x, In(ACL_FLOAT, {1}, {10}), Scalar(2.0f), out);
  EXPECT_EQ(out.Read(), (Values{4, 2}));
}

TEST_F(Nn, ClampKeepsWithinTheBoundsThatAreGiven) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const Tensor x = In(ACL_FLOAT, {5}, {-3, 0.5, 3, nan, inf}), out = Out(ACL_FLOAT, {5});
  Run(NN(Clamp), x, Scalar(-1.0f), Scalar(1.0f), out);
  ExpectClose(out.Read(), {-1, 0.5, 1, nan, 1}, 0);
  Run(NN(Clamp), x, nullptr, Scalar(1.0f), out);
  ExpectClose(out.Read(), {-3, 0.5, 1, nan, 1}, 0);
  Run(NN(Clamp), x, Scalar(-1.0f), nullptr, out);
  ExpectClose(out.Read(), {-1, 0.5, 3, nan, inf}, 0);
  Run(NN(Clamp), x, Scalar(2.0f), Scalar(1.0f), out);  // the upper bound counts
  ExpectClose(out.Read(), {1, 1, 1, nan, 1}, 0);
}

TEST_F(Nn, ClampTakesTypesAndViews) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_DOUBLE})
    for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed}) {
      const Tensor x = In(type, {3, 4}, SpreadInts(12, -9, 9), layout), out = Out(type, {3, 4}, layout);
      Values expected = x.Read();
      for (double& value : expected)
        value = std::min(std::max(value, -3.0), 4.0);
      Run(NN(Clamp), x, Scalar(-3), Scalar(4), out);
      ExpectClose(out.Read(), expected, 0);
    }
}

TEST_F(Nn, BoundsAreTensors) {
  const Tensor x = In(ACL_FLOAT, {2, 3}, {-3, 0, 3, 5, -5, 1}), out = Out(ACL_FLOAT, {2, 3});
  Run(NN(ClampTensor), x, In(ACL_FLOAT, {3}, {-1, -2, 4}), In(ACL_FLOAT, {2, 1}, {2, 3}), out);
  EXPECT_EQ(out.Read(), (Values{-1, 0, 2, 3, -2, 3}));
}

TEST_F(Nn, BitsOfANumberAreCombined) {
  const Tensor x = Ref(ACL_INT32, {3}, {12, -1, 5});
  Run(NN(InplaceBitwiseAndScalar), x, Scalar(6));
  EXPECT_EQ(x.Read(), (Values{4, 6, 4}));
}

TEST_F(Nn, NumbersAreRequired) {
  const Tensor x = In(ACL_FLOAT, {1}, {1}), out = Out(ACL_FLOAT, {1});
  ExpectRefused(161001, "other", NN(Muls), x, nullptr, out);
  ExpectRefused(161001, "clipValueMin", NN(ClampMin), x, nullptr, out);
}

}  // namespace
}  // namespace nn
