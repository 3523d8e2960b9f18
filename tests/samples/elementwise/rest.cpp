// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element-wise functions that are made of several operators.
#include <cmath>
#include <numbers>
#include <numeric>

#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};

double LogOfSum(double a, double b) {
  return a == b ? a + std::numbers::ln2 : std::max(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
}
double Log2OfSum(double a, double b) {
  return a == b ? a + 1 : std::max(a, b) + std::log2(1 + std::exp2(-std::fabs(a - b)));
}
double Not(double a, double b, double (*function)(double, double)) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : function(a, b);
}

const Table sums({
    Functions("LogAddExp").Types(kFloating).Calls(NN(LogAddExp)).Within(2).Each([](double a, double b) {
      return Not(a, b, LogOfSum);
    }),
    Functions("LogAddExp2").Types(kFloating).Calls(NN(LogAddExp2)).Within(2).Each([](double a, double b) {
      return Not(a, b, Log2OfSum);
    }),
    Functions("AngleV2").Types(kFloating).Calls(NN(AngleV2)).Each([](double x) {
      return std::isnan(x) ? x : x < 0 ? std::numbers::pi : 0;
    }),
    Functions("Sinc")
        .Types(FloatTypes())
        .Calls(NN(Sinc))
        .InPlace(NN(InplaceSinc))
        .Within(4)
        .Each([](double x) { return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x); }),
    Functions("Signbit")
        .Types(kFloating + std::vector<aclDataType>{ACL_INT32, ACL_UINT8, ACL_BOOL})
        .Calls(NN(Signbit))
        .Gives({ACL_BOOL})
        .Without(Part::kSpecial, "the sign of what is no number is any")
        .Each([](double x) -> double { return std::signbit(x); }),
    Functions("Gcd")
        .Types({ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32, ACL_INT64})
        .Calls(NN(Gcd))
        .Range(-30, 30)
        .Without(Part::kHalf, "whole numbers have divisors")
        .Each([](double a, double b) {
          return static_cast<double>(std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)));
        }),
    Functions("Real").Types(FloatTypes()).Calls(NN(Real)).Each([](double x) { return x; }),
});

// Complex numbers are two in a row.
Block Complex(const Given& in, void (*function)(double a, double b, double* parts)) {
  Block out{Met(in[0].dims, in[1].dims), {}};
  const auto part = [&](std::size_t which) {
    return ElementByElement(in, [which, function](const double* x) {
      double parts[2];
      function(x[0], x[1], parts);
      return parts[which];
    });
  };
  const Block real = part(0), imaginary = part(1);
  for (std::size_t i = 0; i < real.values.size(); ++i) {
    out.values.push_back(real.values[i]);
    out.values.push_back(imaginary.values[i]);
  }
  return out;
}

Sample OfTwo(Sample sample, aclDataType from, aclDataType to) {
  return sample.Types({from})
      .Gives({to})
      .Form({{2, 3, 4}, {2, 3, 4}})
      .Form({{2, 3, 4}, {4}})
      .Form({{}, {}})
      .Form({{0, 3}, {3}})
      .Without(Part::kHalf, "parts are float or double")
      .Without(Part::kSpecial, "an infinity times nothing")
      .Within(2);
}

void Parts(double a, double b, double* parts) {
  parts[0] = a;
  parts[1] = b;
}
void Turned(double a, double b, double* parts) {
  parts[0] = a * std::cos(b);
  parts[1] = a * std::sin(b);
}

const Table complexes({
    OfTwo(Functions("Complex64"), ACL_FLOAT, ACL_COMPLEX64).Calls(NN(Complex)).Is([](const Given& in) {
      return Complex(in, Parts);
    }),
    OfTwo(Functions("Complex128"), ACL_DOUBLE, ACL_COMPLEX128).Calls(NN(Complex)).Is([](const Given& in) {
      return Complex(in, Parts);
    }),
    OfTwo(Functions("Polar"), ACL_FLOAT, ACL_COMPLEX64).Calls(NN(Polar)).Is([](const Given& in) {
      return Complex(in, Turned);
    }),
});

Block Nansum(const Given& in) {
  return Reduced(in[0], in.List("dim"), in.Flag("keep"), [](const Values& line) {
    double sum = 0;
    for (const double x : line)
      sum += std::isnan(x) ? 0 : x;
    return sum;
  });
}

// beta self + alpha (first times second).
Block Addr(const Given& in) {
  const Block product{{in[1].dims[0], in[2].dims[0]}, {}};
  Block out = product;
  for (const double a : in[1].values)
    for (const double b : in[2].values)
      out.values.push_back(3 * a * b);
  const Given both({out, in[0]}, in.settings(), in.type);
  return ElementByElement(both, [](const double* x) { return x[0] + 2 * x[1]; });
}

const Table others({
    Functions("ReduceNansum")
        .Types(FloatTypes() + std::vector<aclDataType>{ACL_INT32, ACL_INT64})
        .Calls(NN(ReduceNansum), {X(0), V("dim"), V("keep"), TypeOfY(0), Y(0)})
        .Form({{3, 4, 5}}, {{"dim", {1}}, {"keep", true}})
        .Form({{3, 4}}, {{"dim", {0, 1}}, {"keep", false}})
        .Form({{0, 4}}, {{"dim", {0}}, {"keep", false}})
        .Within(4)
        .Without(Part::kSpecial, "sums of infinities of both signs")
        .Is(Nansum),
    Functions("Addr")
        .Types(kFloating + std::vector<aclDataType>{ACL_INT32, ACL_INT64})
        .Calls(NN(Addr), {X(0), X(1), X(2), 2, 3, Y(0)})
        .InPlace(NN(InplaceAddr), {X(0), X(1), X(2), 2, 3})
        .Form({{4, 5}, {4}, {5}})
        .Form({{5}, {4}, {5}})
        .Form({{0, 5}, {0}, {5}})
        .Within(4)
        .Without(Part::kSpecial, "sums of infinities of both signs")
        .Is(Addr),
    Functions("LogSpace")
        .Types({ACL_FLOAT, ACL_FLOAT16})
        .Calls(NN(LogSpace), {-1, 2, 7, 2.0, Y(0)})
        .Form({})
        .Within(2)
        .Without(Part::kEmpty, "there are seven steps")
        .Without(Part::kView, "there is no input")
        .Without(Part::kSpecial, "there is no input")
        .Is([](const Given&) {
          Block out{{7}, {}};
          for (int i = 0; i < 7; ++i)
            out.values.push_back(std::pow(2, -1 + 0.5 * i));
          return out;
        }),
});

}  // namespace
}  // namespace samples
