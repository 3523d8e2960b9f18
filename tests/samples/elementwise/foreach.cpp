// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of one number of all members of a list.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

template <typename First>
Sample EachOf(const char* name, First first, nn::SecondPhase second, double (*function)(double),
              double low = -2, double high = 2) {
  return Functions(name)
      .Types(FloatTypes())
      .Calls(name, first, second, {Xs({0, 1, 2}), Ys({0, 1, 2})})
      .Range(low, high)
      .Form({{2, 3, 4}, {7}, {}})
      .Form({{0, 3}, {1}, {3, 2}})
      .Are([function](const Given& in) {
        std::vector<Block> members;
        for (std::size_t i = 0; i < in.size(); ++i) {
          members.push_back(in[i]);
          for (double& value : members.back().values)
            value = function(value);
        }
        return members;
      });
}

double Sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : x;
}
double Reciprocal(double x) {
  return 1 / x;
}
double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double Negative(double x) {
  return -x;
}

const Table members({
    EachOf(NN(ForeachAbs), std::fabs),
    EachOf(NN(ForeachNeg), Negative),
    EachOf(NN(ForeachSign), Sign)
        .Without(Part::kSpecial, "the sign of what is no number is nothing anybody says"),
    EachOf(NN(ForeachSqrt), std::sqrt, 0, 4),
    EachOf(NN(ForeachReciprocal), Reciprocal, 0.1, 4),
    EachOf(NN(ForeachExp), std::exp),
    EachOf(NN(ForeachExpm1), std::expm1),
    EachOf(NN(ForeachLog), std::log, 0.1, 4),
    EachOf(NN(ForeachLog1p), std::log1p, -0.9, 4),
    EachOf(NN(ForeachErf), std::erf),
    EachOf(NN(ForeachErfc), std::erfc),
    EachOf(NN(ForeachSigmoid), Sigmoid),
    EachOf(NN(ForeachSin), std::sin),
    EachOf(NN(ForeachCos), std::cos),
    EachOf(NN(ForeachTan), std::tan, -1.4, 1.4),
    EachOf(NN(ForeachAsin), std::asin, -1, 1),
    EachOf(NN(ForeachAcos), std::acos, -1, 1),
    EachOf(NN(ForeachAtan), std::atan),
    EachOf(NN(ForeachSinh), std::sinh),
    EachOf(NN(ForeachCosh), std::cosh),
    EachOf(NN(ForeachTanh), std::tanh),
});

}  // namespace
}  // namespace samples
