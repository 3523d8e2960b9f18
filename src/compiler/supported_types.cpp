// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/supported_types.h"

#include "compiler/control_flow.h"
#include "compiler/normalize.h"
#include "compiler/sources.h"
#include "ops/op.h"

namespace foothold {

bool IsSupported(std::string_view type) {
  if (FindOp(type) != nullptr) return true;
  Graph graph;
  const Node& node = graph.Make(std::string(type), "node");
  return IsSource(node) || RunsGraphs(node) || IsNormalizedAway(node);
}

}  // namespace foothold
