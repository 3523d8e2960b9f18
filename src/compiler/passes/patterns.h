// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What passes that look for groups of nodes have in common. One thread at a time, like the graph.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ir/graph.h"
#include "ir/tensor_value.h"

namespace foothold {

// Null: computed by a run.
const TensorValue* KnownValue(const OutputRef& value);
// A constant of one element, as a number.
std::optional<double> KnownScalar(const OutputRef& value);
// The same up to the rounding of a float.
bool IsAbout(double number, double wanted);

const TensorType& TypeOf(const OutputRef& value);
bool IsFloat(const OutputRef& value);

// The node a value comes from, if it is of that type and has one output.
Node* Maker(const OutputRef& value, std::string_view type);
OutputRef Operand(const Node& node, int port);
// Of a node with two operands, one of which is `value`: the other one. Nothing if it reads `value` twice.
OutputRef OtherOperand(const Node& node, const OutputRef& value);

// The one reader of a node's only output, where the value in between and the reader may go. Null: none.
Node* OnlyReader(const Graph& graph, const Node& node);

// True if nobody but `nodes` sees what all of them but the last make, and all may go.
bool IsClosed(const Graph& graph, const std::vector<Node*>& nodes, const Node& last);

struct PortSource {
  const char* name;
  OutputRef source;
};
// Gives a node another type and other inputs; its name, attributes and outputs stay.
void Become(Node& node, const char* type, const std::vector<PortSource>& inputs);

}  // namespace foothold
