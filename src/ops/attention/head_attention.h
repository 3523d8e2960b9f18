// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// HeadAttention: softmax(scale * q k + shift) v for each head, on queries, keys and values that lie in their
// tensors with any distances. Programs do not make it, the pass that fuses attention does. The ports are
// query, key, value, shift and mask; the last two need not be there. One thread at a time, like the graph.
#pragma once

#include <limits>

#include "ir/node.h"
#include "kernels/attention.h"

namespace foothold {

struct HeadAttention {
  AttentionShape shape;
  std::size_t query_offset = 0, key_offset = 0, value_offset = 0;  // of the first element
  float hidden = -std::numeric_limits<float>::infinity();          // what the mask makes of a score
};

// Kept in attributes of the node.
void SetHeadAttention(Node& node, const HeadAttention& attention);

}  // namespace foothold
