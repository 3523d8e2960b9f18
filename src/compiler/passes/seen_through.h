// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Values as elements of what they were selected from: through transpositions, slices, repetitions and changes
// of shape (OpDef::Selects, OpDef::View), for passes that read the source instead. One thread at a time, like
// the graph.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "ir/graph.h"
#include "ir/strided_view.h"

namespace foothold {

struct SeenValue {
  OutputRef source;
  StridedView view;     // of its elements
  bool copied = false;  // some node in between would move data
};

// The input whose elements output `port` selects; -1 if there is none, or somebody wants to see the node run.
int SelectedInput(const Node& node, int port);
// What an output of a node selects of a view of that input.
std::optional<StridedView> Selected(Node& node, int port, const StridedView& from);

// Remembers what it has found, as long as the graph stays as it is.
class SeenThrough {
 public:
  const SeenValue& Look(const OutputRef& value);
  void Forget() { seen_.clear(); }

 private:
  SeenValue Find(const OutputRef& value);

  std::map<std::pair<const Node*, int>, SeenValue> seen_;
};

}  // namespace foothold
