// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of two numbers: arithmetic and comparisons.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

double Larger(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::max(a, b);
}
double Smaller(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::min(a, b);
}

constexpr const char* kNotDivided = "what follows of infinities is tested with each function by itself";

const Table arithmetic({
    Operator("Add")
        .Calls(NN(Add), {X(0), X(1), 1, Y(0)})
        .InPlace(NN(InplaceAdd), {X(0), X(1), 1})
        .Each([](double a, double b) { return a + b; }),
    Operator("Sub")
        .Calls(NN(Sub), {X(0), X(1), 1, Y(0)})
        .InPlace(NN(InplaceSub), {X(0), X(1), 1})
        .Each([](double a, double b) { return a - b; }),
    Operator("Mul").Calls(NN(Mul)).InPlace(NN(InplaceMul)).Each([](double a, double b) { return a * b; }),
    Operator("Maximum").Calls(NN(Maximum)).Each(Larger),
    Operator("Minimum").Calls(NN(Minimum)).Each(Smaller),
    Operator("RealDiv")
        .Types(FloatTypes())
        .Calls(NN(Div))
        .InPlace(NN(InplaceDiv))
        .Range(1, 0.5, 4)
        .Each([](double a, double b) { return a / b; }),
    Operator("Atan2").Calls(NN(Atan2)).InPlace(NN(InplaceAtan2)).Each([](double a, double b) {
      return std::atan2(a, b);
    }),
    Operator("FloorDiv")
        .Types(FloatTypes() + std::vector<aclDataType>{ACL_INT32, ACL_INT64})
        .Calls(NN(FloorDivide))
        .InPlace(NN(InplaceFloorDivide))
        .Whole(1, 1, 4)
        .Without(Part::kSpecial, kNotDivided)
        .Each([](double a, double b) { return std::floor(a / b); }),
    Operator("FloorMod")
        .Types({ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT64})
        .Calls(NN(RemainderTensorTensor))
        .InPlace(NN(InplaceRemainderTensorTensor))
        .Whole(1, 1, 4)
        .Without(Part::kSpecial, kNotDivided)
        .Each([](double a, double b) { return a - b * std::floor(a / b); }),
    Operator("Mod")
        .Types({ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT64})
        .Calls(NN(FmodTensor))
        .InPlace(NN(InplaceFmodTensor))
        .Whole(1, 1, 4)
        .Without(Part::kSpecial, kNotDivided)
        .Each([](double a, double b) { return std::fmod(a, b); }),
    Operator("Pow")
        .Types({ACL_FLOAT, ACL_FLOAT16, ACL_INT32})
        .Calls(NN(PowTensorTensor))
        .InPlace(NN(InplacePowTensorTensor))
        .Whole(0, 1, 4)
        .Whole(1, 0, 3)
        .Without(Part::kSpecial, kNotDivided)
        .Each([](double a, double b) { return std::pow(a, b); }),
    Operator("Xlogy")
        .Calls(NN(XLogYTensor))
        .Range(1, 0.5, 4)
        .Without(Part::kSpecial, kNotDivided)
        .Each([](double a, double b) { return a == 0 ? 0 : a * std::log(b); }),
    Functions("ScaledAdd")
        .Types(NumberTypes())
        .Calls(NN(Add), {X(0), X(1), 2, Y(0)})
        .Range(-2, 2)
        .Each([](double a, double b) { return a + 2 * b; }),
});

const Table comparisons({
    Operator("Equal").Calls(NN(EqTensor)).Gives({ACL_BOOL}).Each([](double a, double b) -> double {
      return a == b;
    }),
    Operator("NotEqual").Calls(NN(NeTensor)).Gives({ACL_BOOL}).Each([](double a, double b) -> double {
      return a != b;
    }),
    Operator("Less").Calls(NN(LtTensor)).Gives({ACL_BOOL}).Each([](double a, double b) -> double {
      return a < b;
    }),
    Operator("LessEqual").Calls(NN(LeTensor)).Gives({ACL_BOOL}).Each([](double a, double b) -> double {
      return a <= b;
    }),
    Operator("Greater").Calls(NN(GtTensor)).Gives({ACL_BOOL}).Each([](double a, double b) -> double {
      return a > b;
    }),
    Operator("GreaterEqual").Calls(NN(GeTensor)).Gives({ACL_BOOL}).Each([](double a, double b) -> double {
      return a >= b;
    }),
    Functions("InplaceEq")
        .Types(NumberTypes())
        .InPlace(NN(InplaceEqTensor))
        .Each([](double a, double b) -> double { return a == b; }),
    Functions("InplaceNe")
        .Types(NumberTypes())
        .InPlace(NN(InplaceNeTensor))
        .Each([](double a, double b) -> double { return a != b; }),
    Functions("InplaceLt")
        .Types(NumberTypes())
        .InPlace(NN(InplaceLtTensor))
        .Each([](double a, double b) -> double { return a < b; }),
    Functions("InplaceLe")
        .Types(NumberTypes())
        .InPlace(NN(InplaceLeTensor))
        .Each([](double a, double b) -> double { return a <= b; }),
    Functions("InplaceGt")
        .Types(NumberTypes())
        .InPlace(NN(InplaceGtTensor))
        .Each([](double a, double b) -> double { return a > b; }),
    Functions("InplaceGe")
        .Types(NumberTypes())
        .InPlace(NN(InplaceGeTensor))
        .Each([](double a, double b) -> double { return a >= b; }),
    Operator("IsClose")
        .Types(FloatTypes())
        .Calls(NN(IsClose), {X(0), X(1), 0.25, 0.5, false, Y(0)})
        .With("rtol", 0.25)
        .With("atol", 0.5)
        .Gives({ACL_BOOL})
        .Each([](double a, double b) -> double {
          return a == b ||
                 (std::isfinite(a) && std::isfinite(b) && std::fabs(a - b) <= 0.5 + 0.25 * std::fabs(b));
        }),
});

std::int64_t Whole(double x) {
  return static_cast<std::int64_t>(x);
}

constexpr const char* kOfBits = "an operator of bits";
const std::vector<aclDataType> kBits = {ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_BOOL};
const std::vector<aclDataType> kShifted = {ACL_INT32, ACL_INT64};

const Table logic({
    Operator("LogicalAnd")
        .CallTypes(NumberTypes())
        .Calls(NN(LogicalAnd))
        .Gives({ACL_BOOL})
        .Each([](double a, double b) -> double { return a != 0 && b != 0; }),
    Operator("LogicalOr")
        .CallTypes(NumberTypes())
        .Calls(NN(LogicalOr))
        .Gives({ACL_BOOL})
        .Each([](double a, double b) -> double { return a != 0 || b != 0; }),
    Functions("InplaceLogicalAnd")
        .Types(NumberTypes())
        .InPlace(NN(InplaceLogicalAnd))
        .Each([](double a, double b) -> double { return a != 0 && b != 0; }),
    Functions("InplaceLogicalOr")
        .Types(NumberTypes())
        .InPlace(NN(InplaceLogicalOr))
        .Each([](double a, double b) -> double { return a != 0 || b != 0; }),
    Operator("BitwiseAnd")
        .Types(kBits)
        .Without(Part::kHalf, kOfBits)
        .Calls(NN(BitwiseAndTensor))
        .InPlace(NN(InplaceBitwiseAndTensor))
        .Each([](double a, double b) { return static_cast<double>(Whole(a) & Whole(b)); }),
    Operator("BitwiseOr")
        .Types(kBits)
        .Without(Part::kHalf, kOfBits)
        .Calls(NN(BitwiseOrTensor))
        .InPlace(NN(InplaceBitwiseOrTensor))
        .Each([](double a, double b) { return static_cast<double>(Whole(a) | Whole(b)); }),
    Operator("BitwiseXor")
        .Types(kBits)
        .Without(Part::kHalf, kOfBits)
        .Calls(NN(BitwiseXorTensor))
        .InPlace(NN(InplaceBitwiseXorTensor))
        .Each([](double a, double b) { return static_cast<double>(Whole(a) ^ Whole(b)); }),
    Operator("LeftShift")
        .Types(kShifted)
        .Without(Part::kHalf, kOfBits)
        .Calls(NN(LeftShift))
        .Whole(1, 0, 5)
        .Each([](double a, double b) { return std::ldexp(a, static_cast<int>(b)); }),
    Operator("RightShift")
        .Types(kShifted)
        .Without(Part::kHalf, kOfBits)
        .Calls(NN(RightShift))
        .Whole(0, -100, 100)
        .Whole(1, 0, 5)
        .Each([](double a, double b) { return std::floor(std::ldexp(a, -static_cast<int>(b))); }),
});

}  // namespace
}  // namespace samples
