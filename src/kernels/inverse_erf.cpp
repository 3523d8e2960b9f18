// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/inverse_erf.h"

#include <cmath>
#include <limits>

namespace foothold {
namespace {

// Right to three digits everywhere: Winitzki's formula.
double FirstGuess(double x) {
  constexpr double kA = 0.147;
  const double logarithm = std::log1p(-x * x);
  const double half = 2 / (M_PI * kA) + logarithm / 2;
  return std::copysign(std::sqrt(std::sqrt(half * half - logarithm / kA) - half), x);
}

// Halley's step, which triples the number of digits. Near 1 the complement keeps them.
double Improved(double y, double x) {
  const double side = x < 0 ? -1 : 1;
  const double off = std::abs(x) < 0.5 ? std::erf(y) - x : side * ((1 - side * x) - std::erfc(side * y));
  const double step = off / (M_2_SQRTPI * std::exp(-y * y));
  return y - step / (1 + y * step);
}

}  // namespace

double InverseErf(double x) {
  if (!(std::abs(x) < 1))
    return std::abs(x) == 1 ? std::copysign(std::numeric_limits<double>::infinity(), x)
                            : std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return x;
  double y = FirstGuess(x);
  for (int i = 0; i < 3; ++i)
    y = Improved(y, x);
  return y;
}

}  // namespace foothold
