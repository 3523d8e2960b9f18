// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Types of all values of a graph for given input types. Constants are computed on the way, because some of
// them decide shapes.
#pragma once

#include <unordered_map>
#include <vector>

#include "ir/graph.h"

namespace foothold {

// Why a node is late: the input whose value decides, or one of these.
constexpr int kFollows = -1;  // it comes after a late node
constexpr int kWhole = -2;    // only running it tells the shapes of its outputs

struct Inferred {
  // Nodes whose types cannot be known before others have run; empty for most graphs.
  std::unordered_map<const Node*, int> late;
};

// What is known of a graph whose inputs have these types already.
enum class Before {
  kNothing,
  kTypes,  // who made it has asked the rules: outputs whose dimensions are there are right
};

// Sets the output types of all nodes that are not late. `graph` is normal; `inputs` are static. Throws one
// Error that lists every node that cannot be: kFeatureUnsupported if an operator has no kernel, kInvalidParam
// if a rule refused.
Inferred InferTypes(Graph& graph, const std::vector<TensorType>& inputs, Before before = Before::kNothing);

// Known values by input port, for the rules of an operator; null where not known, or a view is read.
std::vector<const TensorValue*> KnownValues(const Node& node);

}  // namespace foothold
