// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Something for each node of a graph, in one piece of memory: most that is done with all nodes of a large
// graph waits for memory. Nodes may be added while it is used; none may leave. One thread at a time, like the
// graph.
#pragma once

#include <cstddef>
#include <vector>

#include "base/error.h"
#include "ir/graph.h"

namespace foothold {

template <typename T>
class NodeTable {
 public:
  explicit NodeTable(const Graph& graph) : graph_(graph), values_(graph.nodes().size()) {}

  // The node is in the graph. A reference lasts until the next node is added.
  T& operator[](const Node& node) {
    const std::size_t place = graph_.PlaceOf(node);
    FOOTHOLD_CHECK(place != Graph::kNowhere);
    if (place >= values_.size()) values_.resize(graph_.nodes().size());
    return values_[place];
  }

 private:
  const Graph& graph_;
  std::vector<T> values_;
};

}  // namespace foothold
