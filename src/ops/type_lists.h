// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element types that many operators have in common, for OpDef::Types. Any thread.
#pragma once

#include <algorithm>
#include <vector>

#include "base/data_type.h"

namespace foothold {

// float, float16, bfloat16.
std::vector<DataType> FloatTypes();
// Those, double and the integers of 8 to 64 bits: what VisitType knows, without bool.
std::vector<DataType> NumberTypes();
// And bool.
std::vector<DataType> NumberAndBoolTypes();
// float, float16 and bfloat16, and those for which has_loop(type) is true.
template <typename HasLoop>
std::vector<DataType> FloatTypesAnd(HasLoop&& has_loop) {
  std::vector<DataType> types = FloatTypes();
  for (const DataType type : NumberAndBoolTypes())
    if (std::find(types.begin(), types.end(), type) == types.end() && has_loop(type)) types.push_back(type);
  return types;
}
// Every type whose elements are whole bytes: for operators that only move them.
std::vector<DataType> WholeByteTypes();
// Every type of a fixed size: for operators that leave the bytes where they are.
std::vector<DataType> FixedSizeTypes();

}  // namespace foothold
