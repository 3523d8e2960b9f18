// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The sizes of scaled dot-product attention: softmax(scale * q k + shift) v, with masks and bands. Any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// Distances in elements; 0 repeats. `column` goes along the depth of data, along the keys of shifts and
// masks.
struct AttentionStrides {
  std::size_t batch = 0, head = 0, row = 0, column = 0;
};

struct AttentionShape {
  std::size_t batch = 0, heads = 0, kv_heads = 0;
  std::size_t rows = 0, columns = 0;       // of queries and of keys
  std::size_t depth = 0, value_depth = 0;  // of a query and a key, and of a value
  AttentionStrides query, key, value, out;
  AttentionStrides shift, mask;  // by query row and key column
  float scale = 1.0f;
  bool shift_first = false;  // scale * (q k + shift)
  // Query row i sees the key columns from i + offset - before to i + offset + after, where the offset is
  // what a batch has more keys than queries, or zero.
  bool banded = false, band_at_end = false;
  std::int64_t before = 0, after = 0;
};

// What the softmax of a row was made with; a row that sees nothing has a sum of 0.
struct AttentionSums {
  float most, sum;
};

}  // namespace foothold
