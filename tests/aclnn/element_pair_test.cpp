// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of two tensors, element by element.
#include <cmath>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_atan2.h"
#include "aclnnop/aclnn_bitwise_and_tensor.h"
#include "aclnnop/aclnn_bitwise_not.h"
#include "aclnnop/aclnn_bitwise_or_tensor.h"
#include "aclnnop/aclnn_bitwise_xor_tensor.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_floor_divide.h"
#include "aclnnop/aclnn_fmod_tensor.h"
#include "aclnnop/aclnn_ge_tensor.h"
#include "aclnnop/aclnn_gt_tensor.h"
#include "aclnnop/aclnn_le_tensor.h"
#include "aclnnop/aclnn_logical_and.h"
#include "aclnnop/aclnn_logical_not.h"
#include "aclnnop/aclnn_logical_or.h"
#include "aclnnop/aclnn_logical_xor.h"
#include "aclnnop/aclnn_lt_tensor.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_minimum.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_ne_tensor.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_remainder.h"
#include "aclnnop/aclnn_sub.h"

namespace nn {
namespace {

struct PairCase {
  const char* name;
  void (*run)(const Tensor& a, const Tensor& b, const Tensor& out);
  void (*in_place)(const Tensor& a, const Tensor& b);  // null: there is none
  double (*expected)(double, double);
};

#define RUN(name) #name, [](const Tensor& a, const Tensor& b, const Tensor& out) { Run(NN(name), a, b, out); }
#define BOTH(name) RUN(name), [](const Tensor& a, const Tensor& b) { Run(NN(Inplace##name), a, b); }
#define ONLY(name) RUN(name), nullptr

double Add(double a, double b) {
  return a + 2 * b;
}
double Sub(double a, double b) {
  return a - 2 * b;
}
void RunAdd(const Tensor& a, const Tensor& b, const Tensor& out) {
  Run(NN(Add), a, b, Scalar(2.0f), out);
}
void RunSub(const Tensor& a, const Tensor& b, const Tensor& out) {
  Run(NN(Sub), a, b, Scalar(2.0f), out);
}
void InplaceAdd(const Tensor& a, const Tensor& b) {
  Run(NN(InplaceAdd), a, b, Scalar(2.0f));
}
void InplaceSub(const Tensor& a, const Tensor& b) {
  Run(NN(InplaceSub), a, b, Scalar(2.0f));
}
double Remainder(double a, double b) {
  return a - std::floor(a / b) * b;
}

const PairCase kPairs[] = {
    {"Add", RunAdd, InplaceAdd, Add},
    {"Sub", RunSub, InplaceSub, Sub},
    {BOTH(Mul), [](double a, double b) { return a * b; }},
    {BOTH(Div), [](double a, double b) { return a / b; }},
    {BOTH(FloorDivide), [](double a, double b) { return std::floor(a / b); }},
    {BOTH(RemainderTensorTensor), Remainder},
    {BOTH(FmodTensor), [](double a, double b) { return std::fmod(a, b); }},
    {BOTH(PowTensorTensor), [](double a, double b) { return std::pow(a, b); }},
    {BOTH(Atan2), [](double a, double b) { return std::atan2(a, b); }},
    {ONLY(Maximum), [](double a, double b) { return std::max(a, b); }},
    {ONLY(Minimum), [](double a, double b) { return std::min(a, b); }},
    {BOTH(ClampMinTensor), [](double a, double b) { return std::max(a, b); }},
    {BOTH(ClampMaxTensor), [](double a, double b) { return std::min(a, b); }},
    {BOTH(EqTensor), [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    {BOTH(NeTensor), [](double a, double b) { return a != b ? 1.0 : 0.0; }},
    {BOTH(GtTensor), [](double a, double b) { return a > b ? 1.0 : 0.0; }},
    {BOTH(GeTensor), [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    {BOTH(LtTensor), [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {BOTH(LeTensor), [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
    {BOTH(LogicalAnd), [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }},
    {BOTH(LogicalOr), [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }},
    {ONLY(LogicalXor), [](double a, double b) { return (a != 0) != (b != 0) ? 1.0 : 0.0; }},
};
#undef RUN
#undef BOTH
#undef ONLY

// What can be divided and raised, with equal pairs among it.
Values Left(std::size_t count) {
  return SpreadInts(count, 1, 6, 3);
}
Values Right(std::size_t count) {
  return SpreadInts(count, 1, 4, 5);
}

Values Expected(const PairCase& test, const Tensor& a, const Tensor& b, const Dims& dims) {
  const Values left = Repeated(a.Read(), a.dims(), dims), right = Repeated(b.Read(), b.dims(), dims);
  Values expected(left.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = test.expected(left[i], right[i]);
  return expected;
}

struct Types {
  aclDataType a, b, out;
};

TEST_F(Nn, PairsOfTensorsMeetInOneType) {
  const Types mixtures[] = {{ACL_FLOAT, ACL_FLOAT, ACL_FLOAT},    {ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16},
                            {ACL_BF16, ACL_BF16, ACL_BF16},       {ACL_FLOAT, ACL_FLOAT16, ACL_FLOAT},
                            {ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT},  {ACL_FLOAT16, ACL_BF16, ACL_FLOAT},
                            {ACL_INT32, ACL_FLOAT, ACL_FLOAT},    {ACL_INT8, ACL_FLOAT16, ACL_FLOAT},
                            {ACL_INT8, ACL_FLOAT16, ACL_FLOAT16}, {ACL_INT8, ACL_BF16, ACL_BF16},
                            {ACL_DOUBLE, ACL_FLOAT, ACL_DOUBLE},  {ACL_FLOAT, ACL_FLOAT, ACL_FLOAT16}};
  for (const PairCase& test : kPairs)
    for (const Types& types : mixtures) {
      SCOPED_TRACE(std::string(test.name) + " of " + std::to_string(types.a) + " and " +
                   std::to_string(types.b));
      const Tensor a = In(types.a, {3, 5}, Left(15)), b = In(types.b, {3, 5}, Right(15));
      const Tensor out = Out(types.out, {3, 5});
      test.run(a, b, out);
      ExpectClose(out.Read(), Expected(test, a, b, {3, 5}), Tolerance(types.out));
    }
}

TEST_F(Nn, PairsOfIntegersStayExact) {
  for (const PairCase& test : kPairs)
    for (const aclDataType type : {ACL_INT32, ACL_INT64, ACL_INT8}) {
      if (test.name == std::string("Div") || test.name == std::string("Atan2")) continue;
      SCOPED_TRACE(test.name);
      if (type == ACL_INT8 && test.name == std::string("PowTensorTensor")) continue;
      const Tensor a = In(type, {20}, Left(20)), b = In(type, {20}, Right(20)), out = Out(type, {20});
      test.run(a, b, out);
      ExpectClose(out.Read(), Expected(test, a, b, {20}), 0);
    }
}

struct Forms {
  Dims a, b, out;
  Layout a_layout = Layout::kContiguous, b_layout = Layout::kContiguous, out_layout = Layout::kContiguous;
};

TEST_F(Nn, PairsOfTensorsAreRepeatedToFitAndTakeViews) {
  const Forms forms[] = {
      {{2, 3, 4}, {4}, {2, 3, 4}},
      {{3, 1}, {2, 1, 4}, {2, 3, 4}, Layout::kPaddedRows, Layout::kOffset},
      {{2, 3, 4}, {}, {2, 3, 4}, Layout::kTransposed},
      {{2, 3, 4}, {2, 3, 4}, {2, 3, 4}, Layout::kPaddedRows, Layout::kPaddedRows, Layout::kPaddedRows},
      {{2, 3, 4}, {2, 3, 1}, {2, 3, 4}, Layout::kEveryOther, Layout::kTransposed, Layout::kTransposed},
      {{1, 2, 1, 3, 1, 2, 2, 2},
       {2, 2, 1, 1, 1, 2, 1, 2},
       {2, 2, 1, 3, 1, 2, 2, 2},
       Layout::kContiguous,
       Layout::kContiguous,
       Layout::kOffset}};
  for (const PairCase& test : kPairs)
    for (const Forms& form : forms) {
      SCOPED_TRACE(test.name);
      const Tensor a = In(ACL_FLOAT, form.a, Left(CountOf(form.a)), form.a_layout);
      const Tensor b = In(ACL_FLOAT, form.b, Right(CountOf(form.b)), form.b_layout);
      const Tensor out = Out(ACL_FLOAT, form.out, form.out_layout);
      test.run(a, b, out);
      ExpectClose(out.Read(), Expected(test, a, b, form.out), Tolerance(ACL_FLOAT));
    }
}

TEST_F(Nn, InPlaceTwinsOfPairsDoTheSame) {
  for (const PairCase& test : kPairs)
    for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed}) {
      if (test.in_place == nullptr) continue;
      SCOPED_TRACE(test.name);
      const Tensor a = Ref(ACL_FLOAT, {3, 4}, Left(12), layout), b = In(ACL_FLOAT16, {4}, Right(4));
      const Values expected = Expected(test, a, b, {3, 4});
      test.in_place(a, b);
      ExpectClose(a.Read(), expected, Tolerance(ACL_FLOAT));
    }
}

TEST_F(Nn, PairsWriteOverEitherOperand) {
  for (const PairCase& test : kPairs) {
    SCOPED_TRACE(test.name);
    const Tensor a = Ref(ACL_FLOAT, {3, 4}, Left(12)), b = Ref(ACL_FLOAT, {3, 4}, Right(12));
    Values expected = Expected(test, a, b, {3, 4});
    test.run(a, b, b);
    ExpectClose(b.Read(), expected, Tolerance(ACL_FLOAT));
    b.As(Role::kRef).Write(Right(12));
    expected = Expected(test, a, a, {3, 4});
    test.run(a, a, a);
    ExpectClose(a.Read(), expected, Tolerance(ACL_FLOAT));
  }
}

TEST_F(Nn, PairsOfEmptyTensorsAreEmpty) {
  for (const PairCase& test : kPairs)
    test.run(In(ACL_FLOAT, {2, 0}, {}), In(ACL_FLOAT, {1}, {1}), Out(ACL_FLOAT, {2, 0}));
}

// llama.cpp: the second half of each row times the first half, in place of a packed result.
TEST_F(Nn, HalvesOfRowsAreOperands) {
  const Tensor rows = In(ACL_FLOAT, {2, 6}, Spread(12));
  const Tensor half = rows.View(Role::kIn, {2, 3}, {6, 1}, 3);
  const Tensor out = Ref(ACL_FLOAT, {2, 3}, Spread(6, 0, 1, 7));
  Values expected = out.Read();
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] *= half.Read()[i];
  Run(NN(InplaceMul), out, half);
  ExpectClose(out.Read(), expected, Tolerance(ACL_FLOAT));
}

TEST_F(Nn, ComparisonsAnswerInEveryType) {
  const Tensor a = In(ACL_INT32, {4}, {1, 2, 3, 4}), b = In(ACL_INT32, {4}, {1, 0, 3, 5});
  for (const aclDataType type : {ACL_BOOL, ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_UINT8}) {
    const Tensor out = Out(type, {4});
    Run(NN(EqTensor), a, b, out);
    EXPECT_EQ(out.Read(), (Values{1, 0, 1, 0})) << type;
  }
}

TEST_F(Nn, NanIsUnequalAndTheGreatestAndTheLeast) {
  const double nan = std::nan("");
  const Tensor a = In(ACL_FLOAT, {3}, {nan, 1, nan}), b = In(ACL_FLOAT, {3}, {1, nan, nan});
  const Tensor out = Out(ACL_FLOAT, {3});
  Run(NN(Maximum), a, b, out);
  ExpectClose(out.Read(), {nan, nan, nan}, 0);
  Run(NN(Minimum), a, b, out);
  ExpectClose(out.Read(), {nan, nan, nan}, 0);
  Run(NN(EqTensor), a, b, out);
  EXPECT_EQ(out.Read(), (Values{0, 0, 0}));
  Run(NN(LogicalAnd), a, b, out);
  EXPECT_EQ(out.Read(), (Values{1, 1, 1}));
}

TEST_F(Nn, BitsOfIntegersAndTruthsAreCombined) {
  const Tensor a = In(ACL_INT32, {3}, {12, -1, 5}), b = In(ACL_INT32, {3}, {10, 7, 0});
  const Tensor out = Out(ACL_INT32, {3});
  Run(NN(BitwiseAndTensor), a, b, out);
  EXPECT_EQ(out.Read(), (Values{8, 7, 0}));
  Run(NN(BitwiseOrTensor), a, b, out);
  EXPECT_EQ(out.Read(), (Values{14, -1, 5}));
  Run(NN(BitwiseXorTensor), a, b, out);
  EXPECT_EQ(out.Read(), (Values{6, -8, 5}));
  Run(NN(BitwiseNot), a, out);
  EXPECT_EQ(out.Read(), (Values{-13, 0, -6}));
  const Tensor p = In(ACL_BOOL, {4}, {0, 0, 1, 1}), q = In(ACL_BOOL, {4}, {0, 1, 0, 1}),
               r = Out(ACL_BOOL, {4});
  Run(NN(BitwiseXorTensor), p, q, r);
  EXPECT_EQ(r.Read(), (Values{0, 1, 1, 0}));
  Run(NN(BitwiseNot), p, r);
  EXPECT_EQ(r.Read(), (Values{1, 1, 0, 0}));
  Run(NN(Maximum), p, q, r);
  EXPECT_EQ(r.Read(), (Values{0, 1, 1, 1}));
}

TEST_F(Nn, QuotientsAreRoundedAsTheModeSays) {
  const Tensor a = In(ACL_INT32, {4}, {7, -7, 7, -7}), b = In(ACL_INT32, {4}, {2, 2, -2, -2});
  const Tensor exact = Out(ACL_FLOAT, {4}), whole = Out(ACL_INT32, {4});
  Run(NN(DivMod), a, b, 0, exact);
  EXPECT_EQ(exact.Read(), (Values{3.5, -3.5, -3.5, 3.5}));
  Run(NN(DivMod), a, b, 1, whole);
  EXPECT_EQ(whole.Read(), (Values{3, -3, -3, 3}));
  Run(NN(DivMod), a, b, 2, whole);
  EXPECT_EQ(whole.Read(), (Values{3, -4, -4, 3}));
  Run(NN(Div), a, b, exact);
  EXPECT_EQ(exact.Read(), (Values{3.5, -3.5, -3.5, 3.5}));
  ExpectRefused(161002, "'mode' is 3", NN(DivMod), a, b, 3, whole);
}

TEST_F(Nn, RemaindersHaveTheSignOfTheDivisor) {
  const Tensor a = In(ACL_INT32, {4}, {7, -7, 7, -7}), b = In(ACL_INT32, {4}, {3, 3, -3, -3});
  const Tensor out = Out(ACL_INT32, {4});
  Run(NN(RemainderTensorTensor), a, b, out);
  EXPECT_EQ(out.Read(), (Values{1, 2, -2, -1}));
  Run(NN(FmodTensor), a, b, out);
  EXPECT_EQ(out.Read(), (Values{1, -1, 1, -1}));
}

TEST_F(Nn, PairsThatDoNotFitAreRefused) {
  const Tensor a = In(ACL_FLOAT, {2, 3}, Spread(6)), b = In(ACL_FLOAT, {2}, {1, 2});
  const Tensor out = Out(ACL_FLOAT, {2, 3});
  ExpectRefused(161002, "", NN(Mul), a, b, out);
  ExpectRefused(161002, "out", NN(Mul), a, In(ACL_FLOAT, {4, 1, 1}, Spread(4)), out);
  ExpectRefused(161002, "do not go together", NN(Mul), In(ACL_UINT32, {3}, {1, 2, 3}), a, out);
  ExpectRefused(161002, "'out'", NN(Mul), a, a, Out(ACL_BOOL, {2, 3}));
  ExpectRefused(161002, "stride 0", NN(Mul), a, a, a.View(Role::kOut, {2, 3}, {0, 1}, 0));
  ExpectRefused(161002, "selfRef", NN(InplaceMul), b, In(ACL_FLOAT, {3, 1}, {1, 2, 3}));
  ExpectRefused(161001, "other", NN(Mul), a, nullptr, out);
}

}  // namespace
}  // namespace nn
