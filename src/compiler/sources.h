// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The operators that are no operators: where values come from. Known to the compiler itself. Any thread.
#pragma once

#include "ir/node.h"
#include "ir/tensor_value.h"

namespace foothold {

bool IsData(const Node& node);      // Data, RefData: fed by the caller
bool IsConstant(const Node& node);  // Const, Constant
bool IsVariable(const Node& node);
inline bool IsSource(const Node& node) {
  return IsData(node) || IsConstant(node) || IsVariable(node);
}

// The value of a constant. Throws kInvalidParam if it has none, or its bytes are not what its type says.
const TensorValue& ConstantValue(const Node& node);
// A constant with an output y.
Node& MakeConstant(Graph& graph, const std::string& name, TensorValue value);
// A node the caller feeds with its index-th input.
Node& MakeData(Graph& graph, const std::string& name, std::int64_t index, const TensorType& type);

// The type of a variable: of its initial value if it has one, else what its output says.
TensorType VariableType(const Node& node);
// What it holds before anything is assigned; without bytes if nothing was said.
TensorValue InitialValue(const Node& node);

}  // namespace foothold
