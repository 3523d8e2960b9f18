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
    Operator("Less").Calls(NN(LtTensor)).Gives({ACL_BOOL}).Each([](double a, double b) -> double {
      return a < b;
    }),
});

}  // namespace
}  // namespace samples
