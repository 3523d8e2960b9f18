// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How many dimensions values have whose sizes only a run tells: axes, lengths and shapes that are computed
// decide sizes, and how many of them there are says the rest.
#pragma once

#include <optional>
#include <unordered_set>

#include "compiler/infer.h"
#include "ir/graph.h"

namespace foothold {

class LateRanks {
 public:
  // Of a graph whose types are inferred; gives late nodes sizes that are made up.
  LateRanks(Graph& graph, const Inferred& inferred);

  std::optional<std::size_t> Of(const OutputRef& value) const;

 private:
  bool KnowsInputs(const Node& node) const;
  bool Decide(Node& node);

  std::unordered_set<const Node*> decided_;
};

}  // namespace foothold
