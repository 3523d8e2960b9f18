// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions on blocks of floats, the words that element-wise operators and fused chains of them are made of.
// A truth value is 0 or 1. Looked up by name when an operator is lowered; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace foothold {

constexpr std::size_t kMaxElementOperands = 3;
constexpr std::size_t kMaxElementParams = 4;

// y[i] = f(a[i], b[i], c[i]) for i < count. Operands that the function does not have are not read. y may be
// one of the operands; another overlap may not be. No alignment is asked for.
using ElementLoop = void (*)(const float* a, const float* b, const float* c, float* y, std::size_t count,
                             const float* params);

struct ElementFunction {
  std::string_view name;
  ElementLoop loop = nullptr;
  int operands = 0;  // 1 to kMaxElementOperands
  int params = 0;    // at most kMaxElementParams
  int cost = 1;      // time per element, where an addition in cache is 1
};

// Null: no function of that name.
const ElementFunction* FindElementFunction(std::string_view name);
std::vector<const ElementFunction*> AllElementFunctions();

// One file of functions, for the CPU at hand.
std::span<const ElementFunction> ArithmeticFunctions();
std::span<const ElementFunction> ComparisonFunctions();
std::span<const ElementFunction> MathFunctions();
std::span<const ElementFunction> LibraryFunctions();
std::span<const ElementFunction> ActivationFunctions();
std::span<const ElementFunction> GradientFunctions();

}  // namespace foothold
