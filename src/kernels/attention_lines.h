// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One head of keys and values with all lines of queries that use it: line i is row i / group of the i % group
// th of the heads that share the keys. Reads what kernels of attention need of a line, and writes its result.
// For fused_attention.h; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "kernels/attention.h"
#include "kernels/attention_rows.h"
#include "kernels/element_convert.h"

namespace foothold {

struct FusedAttention {
  // `batch` sequences of at most `rows` queries and `columns` keys. The result is dense along the depth.
  AttentionShape shape;
  ElementType type = ElementType::kFloat;  // of queries, keys, values and the result
  ElementType shift_type = ElementType::kFloat;
  AttentionStrides sums;  // of the outputs of numbers by row
};
constexpr std::size_t kSumRepeats = 8;  // of each maximum and sum

// One sequence: pointers to its first element in each tensor, null for what is not there.
struct AttentionSequence {
  const std::byte* query = nullptr;
  const std::byte* key = nullptr;
  const std::byte* value = nullptr;
  const std::byte* shift = nullptr;
  const std::uint8_t* mask = nullptr;  // not 0: not seen
  std::byte* out = nullptr;
  float* most = nullptr;
  float* sum = nullptr;
  float* log_sum = nullptr;
  std::size_t rows = 0, keys = 0;
  std::size_t own_rows = 0;  // the rows after those see no keys
};

// The i-th of the batch. Called on several threads, again for every piece of work.
using SequenceSource = std::function<AttentionSequence(std::size_t)>;

class AttentionLines {
 public:
  AttentionLines(const FusedAttention& attention, const AttentionSequence& sequence, std::size_t kv_head);

  std::size_t count() const { return sequence_.rows * group_; }
  std::size_t keys() const { return sequence_.keys; }
  // Scores are not just products.
  bool shifts() const { return shifts_; }

  void LoadQuery(std::size_t line, float* to) const;  // times the scale
  KeyRows Keys(std::size_t begin, std::size_t count) const;
  KeyRows Values(std::size_t begin, std::size_t count) const;
  // The same as floats, one after the other.
  void LoadKeys(std::size_t begin, std::size_t count, float* to) const;
  void LoadValues(std::size_t begin, std::size_t count, float* to) const;
  // What to add to the scores of some keys; minus infinity hides.
  void LoadShift(std::size_t line, std::size_t begin, std::size_t count, float* to) const;
  void Store(std::size_t line, const float* row, AttentionSums sums) const;

 private:
  struct Seen {
    std::size_t begin, end;
  };
  Seen SeenBy(std::size_t row) const;
  std::size_t Offset(const AttentionStrides& strides, std::size_t line) const {
    return (first_head_ + line % group_) * strides.head + line / group_ * strides.row;
  }

  const FusedAttention& attention_;
  const AttentionShape& shape_;
  const AttentionSequence sequence_;
  const std::size_t kv_head_, group_, first_head_;
  const bool shifts_;
};

}  // namespace foothold
