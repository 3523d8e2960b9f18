// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A value of four dimensions as elements of the value it was copied from, for passes that read through
// transpositions and splits. One thread at a time, like the graph.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "ir/node.h"

namespace foothold {

struct HeadView {
  OutputRef source;
  std::size_t offset = 0;
  std::array<std::size_t, 4> extents{}, strides{};  // by dimension
};

// Nothing if the value has not four dimensions. Nodes somebody wants to see run are not looked through.
std::optional<HeadView> ViewOf(const OutputRef& value);

// How a transposition of four dimensions orders them; nothing for any other node.
std::optional<std::array<std::size_t, 4>> OrderOf(const Node& transpose);

}  // namespace foothold
