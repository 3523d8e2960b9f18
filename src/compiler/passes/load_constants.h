// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "ir/graph.h"

namespace foothold {

// Where constants that are not in the graph come from.
struct ConstantSources {
  // Where the program says that graphs from files may have their weights; empty: nowhere but beside them.
  std::string weight_folder = {};
  // Where the bytes of an address of the program are; without it, there. Throws if they cannot be read;
  // `name` is for messages.
  std::function<const std::byte*(const void* address, std::size_t bytes, const std::string& name)>
      find_memory = {};
};

bool IsLoaded(const Node& node);  // FileConstant, ConstPlaceHolder

// Turns FileConstant and ConstPlaceHolder of a graph and all graphs inside it into constants: the bytes of a
// file, or those at an address the program answers for. Nodes that come from files name no addresses, and
// only files below their own folder or below `weight_folder`. Throws kInvalidParam naming node and file. True
// if there was one.
bool LoadConstants(Graph& graph, const ConstantSources& sources);

}  // namespace foothold
