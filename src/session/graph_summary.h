// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a session says of a graph that was compiled. Values.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "ir/graph.h"
#include "session/output_options.h"

namespace foothold {

struct GraphSummary {
  bool is_static = false;
  bool refreshable = false;
  std::size_t constant_bytes = 0;
  std::size_t feature_bytes = 0;
  std::vector<TensorType> outputs;  // with gears: of the largest
  SharedPlaces shared_places;
  std::shared_ptr<const Graph> graph;
};

}  // namespace foothold
