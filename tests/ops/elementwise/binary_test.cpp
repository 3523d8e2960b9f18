// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"
#include "ops/op.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

double FloorMod(double a, double b) {
  return a - std::floor(a / b) * b;
}

struct Case {
  const char* type;
  double (*exact)(double, double);
  double lowest = -4, highest = 4;  // of the second input
};

const Case kCases[] = {
    {"Add", [](double a, double b) { return a + b; }},
    {"AddV2", [](double a, double b) { return a + b; }},
    {"Sub", [](double a, double b) { return a - b; }},
    {"Mul", [](double a, double b) { return a * b; }},
    {"MulNoNan", [](double a, double b) { return b == 0 ? 0 : a * b; }},
    {"Div", [](double a, double b) { return a / b; }, 1, 4},
    {"RealDiv", [](double a, double b) { return a / b; }, 1, 4},
    {"DivNoNan", [](double a, double b) { return b == 0 ? 0 : a / b; }, 0, 3},
    {"Xdivy", [](double a, double b) { return a == 0 ? 0 : a / b; }, 1, 4},
    {"Xlogy", [](double a, double b) { return a == 0 ? 0 : a * std::log(b); }, 1, 4},
    {"FloorDiv", [](double a, double b) { return std::floor(a / b); }, 1, 4},
    {"TruncateDiv", [](double a, double b) { return std::trunc(a / b); }, 1, 4},
    {"FloorMod", FloorMod, -3.5, -1},
    {"Mod", [](double a, double b) { return std::fmod(a, b); }, -3.5, -1},
    {"TruncateMod", [](double a, double b) { return std::fmod(a, b); }, -3.5, -1},
    {"Maximum", [](double a, double b) { return std::max(a, b); }},
    {"Minimum", [](double a, double b) { return std::min(a, b); }},
    {"SquaredDifference", [](double a, double b) { return (a - b) * (a - b); }},
    {"Atan2", [](double a, double b) { return std::atan2(a, b); }},
};

// The element of a tensor that stands at `index` of the wider shape.
double At(const std::vector<double>& numbers, const Dims& dims, const Dims& wide, std::size_t index) {
  std::size_t offset = 0, step = 1;
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const std::size_t axis = wide.size() - 1 - i;
    const std::size_t position = index % static_cast<std::size_t>(wide[axis]);
    index /= static_cast<std::size_t>(wide[axis]);
    if (i >= dims.size()) continue;
    const auto length = static_cast<std::size_t>(dims[dims.size() - 1 - i]);
    if (length != 1) offset += position * step;
    step *= length;
  }
  return numbers[offset];
}

struct Shapes {
  Dims a, b, y;
};
const Shapes kShapes[] = {
    {{3, 17}, {3, 17}, {3, 17}},
    {{3, 17}, {}, {3, 17}},
    {{1}, {5, 2}, {5, 2}},
    {{4, 3}, {3}, {4, 3}},
    {{4, 3}, {4, 1}, {4, 3}},
    {{2, 3, 5, 5}, {3, 1, 1}, {2, 3, 5, 5}},
    {{5, 1, 4}, {1, 3, 1}, {5, 3, 4}},
    {{}, {}, {}},
    {{0, 3}, {3}, {0, 3}},
    {{70, 900}, {900}, {70, 900}},
    {{8, 1, 7, 1}, {2, 1, 6}, {8, 2, 7, 6}},
};

TensorValue Made(DataType type, const Dims& dims, double lowest, double highest, int step) {
  std::vector<double> numbers(static_cast<std::size_t>(ElementCount(dims)));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] =
        lowest + (highest - lowest) * static_cast<double>(i * static_cast<std::size_t>(step) % 17) / 16;
  return Tensor(type, dims, numbers);
}

class Binary : public testing::TestWithParam<Case> {
 protected:
  void Check(DataType type, const Shapes& shapes, double tolerance) {
    const Case& test = GetParam();
    const TensorValue a = Made(type, shapes.a, -5, 5, 3),
                      b = Made(type, shapes.b, test.lowest, test.highest, 5);
    const TensorValue y = OpRun(test.type).In("x1", a).Late("x2", b).Out("y").Run();
    EXPECT_EQ(y.dims(), shapes.y);
    EXPECT_EQ(y.type().type, type);
    const auto first = Numbers(a), second = Numbers(b);
    std::vector<double> expected(static_cast<std::size_t>(ElementCount(shapes.y)));
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] = test.exact(At(first, shapes.a, shapes.y, i), At(second, shapes.b, shapes.y, i));
    ExpectNear(y, expected, tolerance);
  }
};

TEST_P(Binary, RepeatsItsInputsToFit) {
  for (const Shapes& shapes : kShapes) {
    Check(DataType::kFloat, shapes, 1e-5);
    Check(DataType::kDouble, shapes, 1e-12);
  }
}

TEST_P(Binary, RoundsHalvesOnce) {
  for (const std::size_t i : {0u, 3u, 5u}) {
    Check(DataType::kFloat16, kShapes[i], 2e-3);
    Check(DataType::kBfloat16, kShapes[i], 1e-2);
  }
}

INSTANTIATE_TEST_SUITE_P(Operators, Binary, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.type); });

TensorValue Apply(const char* type, const TensorValue& a, const TensorValue& b) {
  return OpRun(type).In("x1", a).In("x2", b).Out("y").Run();
}

TEST(BinaryOperators, DivideIntegersAsTheirNamesSay) {
  const TensorValue a = Int32s({6}, {7, -7, 7, -7, 5, -2147483648.0}), b = Int32s({6}, {2, 2, -2, -2, 0, -1});
  ExpectNear(Apply("Div", a, b), {3, -3, -3, 3, 0, -2147483648.0});
  ExpectNear(Apply("RealDiv", a, b), {3, -3, -3, 3, 0, -2147483648.0});
  ExpectNear(Apply("FloorDiv", a, b), {3, -4, -4, 3, 0, -2147483648.0});
  ExpectNear(Apply("Mod", a, b), {1, -1, 1, -1, 0, 0});
  ExpectNear(Apply("FloorMod", a, b), {1, 1, -1, -1, 0, 0});
}

TEST(BinaryOperators, WrapIntegers) {
  ExpectNear(Apply("Add", Tensor(DataType::kInt8, {1}, {127}), Tensor(DataType::kInt8, {1}, {1})), {-128});
  ExpectNear(Apply("Sub", Tensor(DataType::kUint8, {1}, {0}), Tensor(DataType::kUint8, {1}, {1})), {255});
  ExpectNear(Apply("Mul", Int32s({1}, {65536}), Int32s({1}, {65536})), {0});
  ExpectNear(
      Apply("Add", Tensor(DataType::kInt64, {1}, {4503599627370497.0}), Tensor(DataType::kInt64, {1}, {1})),
      {4503599627370498.0});
}

TEST(BinaryOperators, TakePowers) {
  ExpectNear(Apply("Pow", Floats({3}, {2, 3, 0.5}), Floats({3}, {3, 0.5, -2})), {8, std::sqrt(3.0), 4});
  for (const double exponent : {1.0, 2.0, 3.0, 0.5, -0.5, -1.0, 2.5}) {
    const TensorValue y = Apply("Pow", Floats({2, 2}, {1, 2, 3, 4}), Floats({}, {exponent}));
    ExpectNear(y, {1, std::pow(2, exponent), std::pow(3, exponent), std::pow(4, exponent)});
  }
  ExpectNear(Apply("Pow", Int32s({5}, {2, -3, 1, -1, 5}), Int32s({5}, {10, 3, -4, -3, -1})),
             {1024, -27, 1, -1, 0});
  EXPECT_EQ(Apply("Pow", Floats({2}, {1, 2}), Floats({1, 1}, {2})).dims(), (Dims{1, 2}));
}

TEST(BinaryOperators, PromoteTypesWhereThePrototypeDoes) {
  const struct {
    DataType a, b, y;
  } cases[] = {{DataType::kInt32, DataType::kFloat, DataType::kFloat},
               {DataType::kFloat16, DataType::kFloat, DataType::kFloat},
               {DataType::kFloat16, DataType::kBfloat16, DataType::kFloat},
               {DataType::kBool, DataType::kInt64, DataType::kInt64},
               {DataType::kInt64, DataType::kFloat16, DataType::kFloat16},
               {DataType::kUint8, DataType::kInt8, DataType::kInt16},
               {DataType::kUint8, DataType::kInt32, DataType::kInt32},
               {DataType::kInt8, DataType::kUint32, DataType::kInt64},
               {DataType::kDouble, DataType::kFloat, DataType::kDouble}};
  for (const auto& test : cases) {
    const TensorValue y = Apply("Mul", Tensor(test.a, {2, 1}, {1, 0}), Tensor(test.b, {3}, {1, 2, 3}));
    EXPECT_EQ(y.type().type, test.y);
    ExpectNear(y, {1, 2, 3, 0, 0, 0});
  }
  EXPECT_THROW(Apply("Add", Floats({1}, {1}), Int32s({1}, {1})), Error);
}

TEST(BinaryOperators, ScaleTheSecondInput) {
  const TensorValue y = OpRun("Axpy")
                            .In("x1", Floats({2}, {1, 2}))
                            .In("x2", Floats({}, {10}))
                            .Attr("alpha", 0.5f)
                            .Out("y")
                            .Run();
  ExpectNear(y, {6, 7});
  const TensorValue v = OpRun("AxpyV2")
                            .In("x1", Floats({2}, {1, 2}))
                            .In("x2", Floats({2}, {10, 20}))
                            .In("alpha", Floats({1}, {0.5}))
                            .Out("y")
                            .Run();
  ExpectNear(v, {6, 12});
}

TEST(BinaryOperators, RefuseShapesThatDoNotFit) {
  EXPECT_THROW(Apply("Add", Floats({2}, {1, 2}), Floats({3}, {1, 2, 3})), Error);
  EXPECT_THROW(OpRun("Add").In("x1", Floats({2}, {1, 2})).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("Add").In("x1", Int32s({2}, {1, 2})).Out("y").Run(), Error);
  EXPECT_THROW(Apply("Less", Floats({2, 2}, {1, 2, 3, 4}), Floats({3}, {1, 2, 3})), Error);
}

TEST(BinaryOperators, KeepTheFormatOfTheWiderInput) {
  const TensorValue x = Random(DataType::kFloat, {1, 2, 3, 4}, 1, Format::kNchw);
  EXPECT_EQ(Apply("Add", Floats({4}, {1, 2, 3, 4}), x).type().format, Format::kNchw);
}

TEST(Comparison, GivesTruthForAllTypes) {
  const std::vector<double> a = {1, 2, 3}, b = {2, 2, 2};
  const struct {
    const char* type;
    std::vector<double> expected;
  } cases[] = {{"Less", {1, 0, 0}},         {"LessEqual", {1, 1, 0}}, {"Greater", {0, 0, 1}},
               {"GreaterEqual", {0, 1, 1}}, {"Equal", {0, 1, 0}},     {"NotEqual", {1, 0, 1}}};
  for (const auto& test : cases)
    for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble,
                                DataType::kInt8, DataType::kUint16, DataType::kInt64}) {
      const TensorValue y = Apply(test.type, Tensor(type, {3}, a), Tensor(type, {1}, {2}));
      EXPECT_EQ(y.type().type, DataType::kBool);
      ExpectNear(y, test.expected);
    }
}

TEST(Comparison, WithNaNIsFalseExceptInequality) {
  const TensorValue nan = Floats({1}, {NAN}), one = Floats({1}, {1});
  for (const char* type : {"Less", "LessEqual", "Greater", "GreaterEqual", "Equal"})
    ExpectNear(Apply(type, nan, one), {0});
  ExpectNear(Apply("NotEqual", nan, nan), {1});
}

TEST(Comparison, TellsSpecialNumbers) {
  const double inf = INFINITY;
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kDouble}) {
    const TensorValue x = Tensor(type, {4}, {1, inf, -inf, NAN});
    ExpectNear(OpRun("IsNan").In("x", x).Out("y").Run(), {0, 0, 0, 1});
    ExpectNear(OpRun("IsInf").In("x", x).Out("y").Run(), {0, 1, 1, 0});
    ExpectNear(OpRun("IsFinite").In("x", x).Out("y").Run(), {1, 0, 0, 0});
  }
}

TEST(Logic, WorksOnTruthAndBits) {
  const TensorValue a = Tensor(DataType::kBool, {4}, {0, 0, 1, 1}),
                    b = Tensor(DataType::kBool, {4}, {0, 1, 0, 1});
  ExpectNear(Apply("LogicalAnd", a, b), {0, 0, 0, 1});
  ExpectNear(Apply("LogicalOr", a, b), {0, 1, 1, 1});
  ExpectNear(OpRun("LogicalNot").In("x", a).Out("y").Run(), {1, 1, 0, 0});
  const TensorValue m = Int32s({2}, {12, -1}), n = Int32s({1}, {10});
  ExpectNear(Apply("BitwiseAnd", m, n), {8, 10});
  ExpectNear(Apply("BitwiseOr", m, n), {14, -1});
  ExpectNear(Apply("BitwiseXor", m, n), {6, -11});
  ExpectNear(OpRun("Invert").In("x", m).Out("y").Run(), {-13, 0});
  EXPECT_THROW(Apply("LogicalAnd", m, m), Error);
  EXPECT_THROW(Apply("BitwiseAnd", Floats({1}, {1}), Floats({1}, {1})), Error);
}

TEST(Logic, TakesAnyByteThatIsNotZeroForTrue) {
  TensorValue a = Tensor(DataType::kBool, {2}, {1, 0});
  a.mutable_data()[0] = std::byte{6};
  ExpectNear(Apply("LogicalAnd", a, Tensor(DataType::kBool, {2}, {1, 1})), {1, 0});
}

}  // namespace
}  // namespace foothold
