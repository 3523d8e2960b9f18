// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the attention operators share: from layouts, shapes and attributes to sizes and strides. Used by
// rules; any thread. Everything that does not fit is refused.
#pragma once

#include <string>

#include "kernels/attention.h"
#include "ops/op.h"

namespace foothold {

// How an operator of the family names things. Null: it has no such thing.
struct AttentionNames {
  const char* heads;
  const char* kv_heads;
  const char* scale;
  const char* before;
  const char* after;
  std::int64_t default_before, default_after;
  const char* shift;
  const char* query_lengths;
  const char* kv_lengths;
};

struct Attention {
  AttentionShape shape;
  Dims out;
  bool packed = false;  // TND: sequences one after the other, lengths are sums
  // Ports, by batch if there is one tensor for each; -1: none.
  std::vector<int> keys, values;
  int shift = -1, mask = -1, query_lengths = -1, kv_lengths = -1;
};

Attention AttentionOf(const OpContext& context, const AttentionNames& names);

}  // namespace foothold
