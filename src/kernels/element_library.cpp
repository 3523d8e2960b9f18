// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions that are rare enough to be left to the mathematical library, element by element.
#include <cmath>

#include "kernels/element_function.h"
#include "kernels/inverse_erf.h"

namespace foothold {
namespace {

template <float (*function)(float)>
void Loop1(const float* a, const float*, const float*, float* y, std::size_t count, const float*) {
  for (std::size_t i = 0; i < count; ++i)
    y[i] = function(a[i]);
}

template <float (*function)(float, float)>
void Loop2(const float* a, const float* b, const float*, float* y, std::size_t count, const float*) {
  for (std::size_t i = 0; i < count; ++i)
    y[i] = function(a[i], b[i]);
}

float FloorMod(float a, float b) {
  const float rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

float Xlogy(float a, float b) {
  return a == 0 ? 0.0f : a * std::log(b);
}

float Erfinv(float a) {
  return static_cast<float>(InverseErf(static_cast<double>(a)));
}

// In double, where the scaled value is as good as exact.
void RoundTo(const float* a, const float*, const float*, float* y, std::size_t count, const float* params) {
  const double scale = std::pow(10.0, static_cast<double>(params[0]));
  for (std::size_t i = 0; i < count; ++i) {
    const double scaled = a[i] * scale;
    y[i] = std::isfinite(scaled) ? static_cast<float>(std::nearbyint(scaled) / scale) : a[i];
  }
}

void PowBy(const float* a, const float*, const float*, float* y, std::size_t count, const float* params) {
  for (std::size_t i = 0; i < count; ++i)
    y[i] = std::pow(a[i], params[0]);
}

constexpr ElementFunction kLibrary[] = {
    {"Pow", &Loop2<std::pow>, 2, 0, 240},     {"Atan2", &Loop2<std::atan2>, 2, 0, 320},
    {"Mod", &Loop2<std::fmod>, 2, 0, 240},    {"FloorMod", &Loop2<FloorMod>, 2, 0, 240},
    {"Xlogy", &Loop2<Xlogy>, 2, 0, 160},      {"Tan", &Loop1<std::tan>, 1, 0, 240},
    {"Asin", &Loop1<std::asin>, 1, 0, 240},   {"Acos", &Loop1<std::acos>, 1, 0, 240},
    {"Atan", &Loop1<std::atan>, 1, 0, 240},   {"Sinh", &Loop1<std::sinh>, 1, 0, 240},
    {"Cosh", &Loop1<std::cosh>, 1, 0, 240},   {"Asinh", &Loop1<std::asinh>, 1, 0, 240},
    {"Acosh", &Loop1<std::acosh>, 1, 0, 240}, {"Atanh", &Loop1<std::atanh>, 1, 0, 240},
    {"Erfc", &Loop1<std::erfc>, 1, 0, 240},   {"PowBy", &PowBy, 1, 1, 240},
    {"Erfinv", &Loop1<Erfinv>, 1, 0, 900},    {"RoundTo", &RoundTo, 1, 1, 400},  // to p0 decimal places
};

}  // namespace

std::span<const ElementFunction> LibraryFunctions() {
  return kLibrary;
}

}  // namespace foothold
