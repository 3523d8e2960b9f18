// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What whoever compiles a graph wants to hold. Values; any thread.
#pragma once

#include <functional>
#include <string>

#include "ir/node.h"

namespace foothold {

struct CompileOptions {
  // Nodes whose outputs somebody will ask for by name: no pass takes them away or changes their layout.
  std::function<bool(const std::string& name)> keeps_node;

  bool KeepsNode(const Node& node) const { return keeps_node && keeps_node(node.name()); }
};

}  // namespace foothold
