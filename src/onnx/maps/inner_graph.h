// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The graphs that If, Loop and Scan run, on their way into a node of the Graph Engine. One thread at a time.
#pragma once

#include "onnx/node_import.h"

namespace foothold::onnx {

// Puts a finished graph into a node as the subgraph `name`.
void AddSubgraph(Node& node, const std::string& name, const std::shared_ptr<Graph>& graph);

// Imports the nodes of an inner graph. Throws AlreadyReported if one of them could not be.
void ImportInner(GraphImport& inner);

// A value that is one number, as a scalar whatever its shape.
OutputRef AsScalar(GraphBuilder& graph, OutputRef value);

}  // namespace foothold::onnx
