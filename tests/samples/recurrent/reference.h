// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A recurrent layer step by step, and slopes by small steps.
#pragma once

#include <cmath>
#include <functional>
#include <utility>

#include "samples/table.h"

namespace samples {

inline double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// Row `row` of weights [n, columns] times a row of x, and a bias.
inline double GateOf(const Block& weights, const Block& bias, std::size_t row, const double* x) {
  const auto columns = static_cast<std::size_t>(weights.dims[1]);
  double sum = bias.values[row];
  for (std::size_t k = 0; k < columns; ++k)
    sum += weights.values[row * columns + k] * x[k];
  return sum;
}

inline Values ContentOf(const Dims& dims, unsigned seed) {
  return nn::Spread(nn::CountOf(dims), -1, 1, seed);
}

// How a number changes with each element of a block.
inline Block Slopes(const Block& at, const std::function<double(const Block&)>& function) {
  constexpr double kStep = 1e-6;
  Block slopes = at, moved = at;
  for (std::size_t i = 0; i < at.values.size(); ++i) {
    moved.values[i] = at.values[i] + kStep;
    const double behind = function(moved);
    moved.values[i] = at.values[i] - kStep;
    slopes.values[i] = (behind - function(moved)) / (2 * kStep);
    moved.values[i] = at.values[i];
  }
  return slopes;
}

// The sum of the products of elements.
inline double Along(const Block& a, const Block& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    sum += a.values[i] * b.values[i];
  return sum;
}

}  // namespace samples
