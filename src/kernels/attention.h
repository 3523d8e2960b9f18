// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Scaled dot-product attention of floats, one row of queries at a time: softmax(scale * q k + shift) v, with
// masks and bands. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// Distances in elements; 0 repeats. The last dimension of data is dense.
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

// One row of one head. Pointers are to the first element of the row, or of all keys and values; shift and
// mask may be null. `columns` is how many keys there are, `offset` that of the band.
struct AttentionRow {
  const float* query;
  const float* keys;
  const float* values;
  const float* shift;
  const std::uint8_t* mask;  // not 0: not seen
  std::size_t columns;
  std::int64_t row, offset;
  float* out;
};

// What the softmax of a row was made with.
struct AttentionSums {
  float most, sum;
};

// `scores` has room for all columns. A row that sees nothing becomes zero, with a sum of 0.
AttentionSums AttendRow(const AttentionShape& shape, const AttentionRow& row, float* scores);

}  // namespace foothold
