// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of one number: signs, rounding, roots, exponentials, trigonometry.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

double Sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : x;
}

const Table rounding({
    Operator("Abs").Calls(NN(Abs)).Each(std::fabs),
    Operator("Neg").Calls(NN(Neg)).InPlace(NN(InplaceNeg)).Each([](double x) { return -x; }),
    Operator("Sign").Each(Sign),
    Functions("SignOrNone").Types(NumberTypes()).Calls(NN(Sign)).Each([](double x) {
      return std::isnan(x) ? 0 : Sign(x);
    }),
    Operator("Floor").Calls(NN(Floor)).InPlace(NN(InplaceFloor)).Each(std::floor),
    Operator("Ceil").Calls(NN(Ceil)).InPlace(NN(InplaceCeil)).Each(std::ceil),
    Operator("Trunc").Calls(NN(Trunc)).Each(std::trunc),
    Operator("Round").Calls(NN(Round)).Each(std::nearbyint),
    Operator("Rint").Each(std::nearbyint),
    Operator("Square").Each([](double x) { return x * x; }),
});

const Table roots({
    Operator("Sqrt").Calls(NN(Sqrt)).InPlace(NN(InplaceSqrt)).Range(0, 4).Each(std::sqrt),
    Operator("Rsqrt").Calls(NN(Rsqrt)).InPlace(NN(InplaceRsqrt)).Range(0.1, 4).Each([](double x) {
      return 1 / std::sqrt(x);
    }),
    Operator("Reciprocal")
        .Calls(NN(Reciprocal))
        .InPlace(NN(InplaceReciprocal))
        .Range(0.1, 4)
        .Each([](double x) { return 1 / x; }),
    Operator("Inv").Range(0.1, 4).Each([](double x) { return 1 / x; }),
    Operator("Exp").Calls(NN(Exp)).InPlace(NN(InplaceExp)).Each(std::exp),
    Operator("Expm1").Calls(NN(Expm1)).InPlace(NN(InplaceExpm1)).Each(std::expm1),
    Operator("Log").Calls(NN(Log)).InPlace(NN(InplaceLog)).Range(0.1, 4).Each(std::log),
    Operator("Log1p").Calls(NN(Log1p)).InPlace(NN(InplaceLog1p)).Range(-0.9, 4).Each(std::log1p),
    Operator("Erf").Calls(NN(Erf)).InPlace(NN(InplaceErf)).Each(std::erf),
    Operator("Erfc").Calls(NN(Erfc)).InPlace(NN(InplaceErfc)).Each(std::erfc),
});

const Table angles({
    Operator("Sin").Calls(NN(Sin)).InPlace(NN(InplaceSin)).Each(std::sin),
    Operator("Cos").Calls(NN(Cos)).InPlace(NN(InplaceCos)).Each(std::cos),
    Operator("Tan").Calls(NN(Tan)).InPlace(NN(InplaceTan)).Range(-1.4, 1.4).Each(std::tan),
    Operator("Asin").Calls(NN(Asin)).InPlace(NN(InplaceAsin)).Range(-1, 1).Each(std::asin),
    Operator("Acos").Calls(NN(Acos)).InPlace(NN(InplaceAcos)).Range(-1, 1).Each(std::acos),
    Operator("Atan").Calls(NN(Atan)).InPlace(NN(InplaceAtan)).Each(std::atan),
    Operator("Sinh").Calls(NN(Sinh)).InPlace(NN(InplaceSinh)).Each(std::sinh),
    Operator("Cosh").Calls(NN(Cosh)).InPlace(NN(InplaceCosh)).Each(std::cosh),
    Operator("Tanh").Calls(NN(Tanh)).InPlace(NN(InplaceTanh)).Each(std::tanh),
    Operator("Asinh").Calls(NN(Asinh)).InPlace(NN(InplaceAsinh)).Each(std::asinh),
    Operator("Acosh").Calls(NN(Acosh)).InPlace(NN(InplaceAcosh)).Range(1, 4).Each(std::acosh),
    Operator("Atanh").Calls(NN(Atanh)).InPlace(NN(InplaceAtanh)).Range(-0.9, 0.9).Each(std::atanh),
});

const Table tests({
    Operator("IsFinite").Calls(NN(IsFinite)).Gives({ACL_BOOL}).Each([](double x) -> double {
      return std::isfinite(x);
    }),
    Operator("IsInf").Calls(NN(IsInf)).Gives({ACL_BOOL}).Each([](double x) -> double {
      return std::isinf(x);
    }),
    Operator("IsNan").Gives({ACL_BOOL}).Each([](double x) -> double { return std::isnan(x); }),
});

}  // namespace
}  // namespace samples
