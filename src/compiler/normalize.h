// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The first step of compiling: a private copy of the program's graph in the one form the other steps know.
// Nothing here depends on shapes. Called once per graph.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/passes/load_constants.h"
#include "ir/graph.h"

namespace foothold {

struct NormalGraph {
  // Its inputs are the Data nodes in the order of their indices; its outputs are what the caller gets, then
  // the Summary values, then the Save values. No Summary, Save, NetOutput or call is left, and nothing that
  // cannot be noticed.
  std::shared_ptr<Graph> graph;
  std::size_t caller_outputs = 0;
  std::vector<std::string> output_names;  // of those: "node:port" as the program knows them
  std::vector<std::string> summaries;     // names of the Summary nodes
  std::vector<std::string> saves;         // names of what feeds the Save nodes
};

// Nodes that normalizing takes away or turns into others: calls of graphs, constants from elsewhere, Summary,
// Save, NetOutput. They need no kernel.
bool IsNormalizedAway(const Node& node);

// Throws kInvalidParam for a graph that is not valid, listing all faults.
NormalGraph Normalize(const Graph& graph, const ConstantSources& constants = {});

// The Data nodes in the order of their indices, which become 0, 1, 2, ... Where the program's indices are no
// such numbers (often all are 0), the order of Graph::inputs counts, then the order of making.
std::vector<Node*> OrderInputs(Graph& graph);

}  // namespace foothold
