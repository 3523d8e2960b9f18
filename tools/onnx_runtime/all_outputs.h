// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An ONNX model whose every intermediate value is an output: what each node computes can then be asked for.
// The model must be one that ONNX Runtime has accepted.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace peer {

struct ModelNode {
  std::string type;
  std::vector<std::string> inputs, outputs;  // names of values; empty where an optional one is left out
};

// Of the outermost graph, by name.
std::map<std::string, ModelNode> NodesOf(std::string_view model);

// `present` are the values that are outputs already.
std::string WithAllOutputs(const std::string& model, const std::map<std::string, ModelNode>& nodes,
                           const std::vector<std::string>& present);

}  // namespace peer
