// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/attention_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/float_memory.h"

namespace foothold {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

void LoadRows(const KeyRows& rows, std::size_t column, float* to) {
  if (column == 1) return WidenRows(rows, to);
  for (std::size_t i = 0; i < rows.count; ++i)
    LoadFloats(rows.type, ElementAt(rows.type, rows.data, i * rows.stride), static_cast<std::int64_t>(column),
               to + i * rows.depth, rows.depth);
}

}  // namespace

AttentionLines::AttentionLines(const FusedAttention& attention, const AttentionSequence& sequence,
                               std::size_t kv_head)
    : attention_(attention),
      shape_(attention.shape),
      sequence_(sequence),
      kv_head_(kv_head),
      group_(shape_.heads / shape_.kv_heads),
      first_head_(kv_head * group_),
      shifts_(sequence.shift != nullptr || sequence.mask != nullptr || shape_.banded ||
              sequence.own_rows < sequence.rows) {}

void AttentionLines::LoadQuery(std::size_t line, float* to) const {
  LoadFloats(attention_.type, ElementAt(attention_.type, sequence_.query, Offset(shape_.query, line)),
             static_cast<std::int64_t>(shape_.query.column), to, shape_.depth);
  for (std::size_t i = 0; i < shape_.depth; ++i)
    to[i] *= shape_.scale;
}

KeyRows AttentionLines::Keys(std::size_t begin, std::size_t count) const {
  const std::size_t at = kv_head_ * shape_.key.head + begin * shape_.key.row;
  return {attention_.type, ElementAt(attention_.type, sequence_.key, at), shape_.key.row, count,
          shape_.depth};
}

KeyRows AttentionLines::Values(std::size_t begin, std::size_t count) const {
  const std::size_t at = kv_head_ * shape_.value.head + begin * shape_.value.row;
  return {attention_.type, ElementAt(attention_.type, sequence_.value, at), shape_.value.row, count,
          shape_.value_depth};
}

void AttentionLines::LoadKeys(std::size_t begin, std::size_t count, float* to) const {
  LoadRows(Keys(begin, count), shape_.key.column, to);
}

void AttentionLines::LoadValues(std::size_t begin, std::size_t count, float* to) const {
  LoadRows(Values(begin, count), shape_.value.column, to);
}

AttentionLines::Seen AttentionLines::SeenBy(std::size_t row) const {
  if (row >= sequence_.own_rows) return {0, 0};
  if (!shape_.banded) return {0, sequence_.keys};
  const auto keys = static_cast<std::int64_t>(sequence_.keys);
  const std::int64_t offset = shape_.band_at_end ? keys - static_cast<std::int64_t>(sequence_.own_rows) : 0;
  const std::int64_t middle = static_cast<std::int64_t>(row) + offset;
  const std::int64_t begin = std::clamp<std::int64_t>(middle - shape_.before, 0, keys);
  const std::int64_t end = std::clamp<std::int64_t>(middle + shape_.after + 1, begin, keys);
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
}

void AttentionLines::LoadShift(std::size_t line, std::size_t begin, std::size_t count, float* to) const {
  if (sequence_.shift != nullptr) {
    const std::size_t at = Offset(shape_.shift, line) + begin * shape_.shift.column;
    LoadFloats(attention_.shift_type, ElementAt(attention_.shift_type, sequence_.shift, at),
               static_cast<std::int64_t>(shape_.shift.column), to, count);
    for (std::size_t i = 0; i < count && shape_.shift_first; ++i)
      to[i] *= shape_.scale;
  } else {
    std::fill_n(to, count, 0.0f);
  }
  if (sequence_.mask != nullptr) {
    const std::uint8_t* mask = sequence_.mask + Offset(shape_.mask, line) + begin * shape_.mask.column;
    for (std::size_t i = 0; i < count; ++i)
      to[i] = mask[i * shape_.mask.column] != 0 ? kHidden : to[i];
  }
  const Seen seen = SeenBy(line / group_);
  const std::size_t first = std::clamp(seen.begin, begin, begin + count) - begin;
  const std::size_t last = std::clamp(seen.end, begin, begin + count) - begin;
  std::fill(to, to + first, kHidden);
  std::fill(to + std::max(first, last), to + count, kHidden);
}

void AttentionLines::Store(std::size_t line, const float* row, AttentionSums sums) const {
  StoreFloats(attention_.type, row, ElementAt(attention_.type, sequence_.out, Offset(shape_.out, line)),
              shape_.value_depth);
  const std::size_t at = Offset(attention_.sums, line);
  if (sequence_.most != nullptr) std::fill_n(sequence_.most + at * kSumRepeats, kSumRepeats, sums.most);
  if (sequence_.sum != nullptr) std::fill_n(sequence_.sum + at * kSumRepeats, kSumRepeats, sums.sum);
  if (sequence_.log_sum != nullptr) sequence_.log_sum[at] = sums.most + std::log(sums.sum);
}

}  // namespace foothold
