// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element-wise operators as rows of a table: a function of kernels/element_function.h for what is computed in
// float, a plain loop for the other types. Registered at load time:
//
//   const RegisterElementOps rounding({{"Floor", "Floor", PlainLoopOf<FloorOf, 1>}, ...});
#pragma once

#include <string>
#include <vector>

#include "ops/elementwise/element_step.h"
#include "ops/elementwise/plain_loop.h"
#include "ops/op.h"

namespace foothold {

using ParamsRule = std::function<std::vector<float>(const OpContext&)>;

struct ElementOp {
  std::string type;
  std::string function;                    // of all inputs; empty: none
  PlainLoop (*plain)(DataType) = nullptr;  // by the type of the inputs
  ParamsRule params = nullptr;             // of the function and the loop
  DataType result = DataType::kUndefined;  // undefined: that of the inputs
  OpDef::InferRule infer = nullptr;        // null: BroadcastInputs
  FormulaRule formula = nullptr;           // instead of `function`
};

class RegisterElementOps {
 public:
  explicit RegisterElementOps(const std::vector<ElementOp>& ops);
};

// Output 0 has the dimensions all inputs are repeated to, the format of the input that has most dimensions,
// and the type of the inputs, which must be one.
void BroadcastInputs(OpContext& context);
// The same for operators that mix types.
void BroadcastPromoted(OpContext& context);
// The type two types meet in, undefined if they do not.
DataType Promoted(DataType a, DataType b);

}  // namespace foothold
