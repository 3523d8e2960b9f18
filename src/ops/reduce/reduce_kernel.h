// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernel of ReduceSum and its relatives for every element type. Any thread.
#pragma once

#include <memory>
#include <vector>

#include "ops/op.h"

namespace foothold {

// What is done with all elements that become one.
enum class ReduceKind {
  kSum,
  kMean,
  kMax,
  kMin,
  kProduct,
  kLogSum,
  kLogSumExp,
  kSumOfMagnitudes,
  kSumOfSquares,
  kRootOfSquares,
  kAll,
  kAny,
};

// Input 0 into output 0. Unsupported for types the kind has no meaning for.
std::unique_ptr<Kernel> LowerReduction(OpContext& context, const std::vector<bool>& reduced, ReduceKind kind);

}  // namespace foothold
