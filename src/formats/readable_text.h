// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A graph as text for people, one line per node:
//
//   graph("net"):
//     %x : [#users=1] = Node[type=Data] (attrs = {index: 0})
//     %relu : [#users=1] = Node[type=Relu] (inputs = (x=%x))
//
//     return (%relu)
//
// Control edges and attributes whose names start with an underscore are not shown. Any thread, while nobody
// changes the graph.
#pragma once

#include <string>

#include "ir/graph.h"

namespace foothold {

// With all subgraphs, which are built if need be.
std::string ReadableText(const Graph& graph);

}  // namespace foothold
