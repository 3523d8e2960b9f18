// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A graph as the program has added it to a session. Values.
#pragma once

#include <cstdint>
#include <memory>

#include "ir/graph.h"
#include "options/options.h"

namespace foothold {

struct GraphOrigin {
  std::uint32_t id;
  std::shared_ptr<Graph> graph;
  const void* identity;  // two origins with one identity are the same graph of the program
  Options options;
};

}  // namespace foothold
