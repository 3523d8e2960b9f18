// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/slopes.h"

#include <cmath>
#include <numbers>

namespace foothold::aclnn {
namespace {

constexpr double kCubic = 0.044715;
const double kSlope = std::sqrt(2 / std::numbers::pi);

// How far x lies along the normal distribution.
Term Share(const Term& x) {
  return Apply("Erfc", x * (-1 / std::numbers::sqrt2)) * 0.5;
}

}  // namespace

Term Silu(const Term& x) {
  return x * Sigmoid(x);
}

Term SiluSlope(const Term& x) {
  const Term s = Sigmoid(x);
  return s * (x * (1 - s) + 1);
}

Term Gelu(const Term& x, bool tanh_form) {
  if (!tanh_form) return x * Share(x);
  return x * 0.5 * (Tanh((x + x * x * x * kCubic) * kSlope) + 1);
}

Term GeluSlope(const Term& x, bool tanh_form) {
  if (!tanh_form) return Share(x) + x * Exp(x * x * -0.5) * (1 / std::sqrt(2 * std::numbers::pi));
  const Term t = Tanh((x + x * x * x * kCubic) * kSlope);
  return (t + 1) * 0.5 + x * 0.5 * (1 - t * t) * (x * x * (3 * kCubic) + 1) * kSlope;
}

}  // namespace foothold::aclnn
