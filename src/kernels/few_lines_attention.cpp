// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/few_lines_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/gemm_pack.h"
#include "kernels/parallel_items.h"

namespace foothold {
namespace {

constexpr std::size_t kTileKeys = 64;   // their values are used while the second cache has them
constexpr std::size_t kPartKeys = 512;  // enough work for a turn, and few enough pages for all heads
constexpr std::size_t kMostParts = 16, kMostPartsOfAll = 256;  // of a head, and of all heads if they are few
constexpr float kHidden = -std::numeric_limits<float>::infinity();

}  // namespace

FewLinesAttention::FewLinesAttention(const FusedAttention& attention)
    : attention_(attention),
      most_lines_(attention.shape.rows * (attention.shape.heads / attention.shape.kv_heads)),
      query_stride_(RoundUp(attention.shape.depth, kLinePadding)),
      sum_stride_(RoundUp(attention.shape.value_depth, kLinePadding)) {
  const AttentionShape& s = attention_.shape;
  const std::size_t most =
      std::clamp(kMostPartsOfAll / std::max<std::size_t>(1, heads()), std::size_t{1}, kMostParts);
  part_keys_ = std::max(kPartKeys, RoundUp(Parts(s.columns, most), kTileKeys));
  parts_ = std::max<std::size_t>(1, Parts(s.columns, part_keys_));
  part_floats_ = RoundUp(most_lines_ * (2 + sum_stride_), 16);
  scratch_floats_ = RoundUp(most_lines_ * (query_stride_ + 2 * kTileKeys + 1), 16);
  const double work = double(heads() * most_lines_) * double(s.columns) * double(s.depth + s.value_depth);
  slots_ = SlotsFor(heads() * parts_, 4 * work);  // reading takes longer than multiplying
}

std::size_t FewLinesAttention::WorkspaceBytes() const {
  return (heads() * parts_ * part_floats_ + slots_ * scratch_floats_) * sizeof(float);
}

FewLinesAttention::Part FewLinesAttention::PartAt(std::byte* workspace, std::size_t head,
                                                  std::size_t part) const {
  float* floats = reinterpret_cast<float*>(workspace) + (head * parts_ + part) * part_floats_;
  return {reinterpret_cast<RunningSoftmax*>(floats + most_lines_ * sum_stride_), {floats, sum_stride_}};
}

FewLinesAttention::Scratch FewLinesAttention::ScratchAt(std::byte* workspace, std::size_t slot) const {
  float* queries =
      reinterpret_cast<float*>(workspace) + heads() * parts_ * part_floats_ + slot * scratch_floats_;
  float* scores = queries + most_lines_ * query_stride_;
  float* shifts = scores + most_lines_ * kTileKeys;
  return {
      {queries, query_stride_}, {scores, kTileKeys}, {shifts, kTileKeys}, shifts + most_lines_ * kTileKeys};
}

// Heads side by side: where they share pages, those are found once for all.
void FewLinesAttention::Run(const SequenceSource& source, std::byte* workspace) const {
  const std::size_t kv_heads = attention_.shape.kv_heads;
  const auto lines_of = [&](std::size_t head) {
    return AttentionLines(attention_, source(head / kv_heads), head % kv_heads);
  };
  ForEachItem(heads() * parts_, slots_, [&](std::size_t slot, std::size_t item) {
    const std::size_t batch = item / (kv_heads * parts_), part = item / kv_heads % parts_;
    const std::size_t head = batch * kv_heads + item % kv_heads;
    RunPart(lines_of(head), part, PartAt(workspace, head, part), ScratchAt(workspace, slot));
  });
  ParallelFor(heads(), 1 + 65536 / (1 + parts_ * part_floats_), [&](std::size_t begin, std::size_t end) {
    for (std::size_t head = begin; head < end; ++head)
      Join(lines_of(head), workspace, head);
  });
}

void FewLinesAttention::RunPart(const AttentionLines& lines, std::size_t part, const Part& to,
                                const Scratch& scratch) const {
  std::fill_n(to.states, lines.count(), RunningSoftmax{kHidden, 0.0f});
  std::fill_n(to.sums.data, lines.count() * sum_stride_, 0.0f);
  std::fill_n(scratch.queries.data, lines.count() * query_stride_, 0.0f);
  for (std::size_t i = 0; i < lines.count(); ++i)
    lines.LoadQuery(i, scratch.queries.data + i * query_stride_);
  const std::size_t end = std::min(lines.keys(), (part + 1) * part_keys_);
  for (std::size_t begin = part * part_keys_; begin < end; begin += kTileKeys)
    AddTile(lines, begin, std::min(kTileKeys, end - begin), to, scratch);
}

void FewLinesAttention::AddTile(const AttentionLines& lines, std::size_t begin, std::size_t count,
                                const Part& to, const Scratch& scratch) const {
  bool seen = !lines.shifts();
  for (std::size_t i = 0; i < lines.count() && lines.shifts(); ++i) {
    float* shift = scratch.shifts.data + i * kTileKeys;
    lines.LoadShift(i, begin, count, shift);
    seen = seen || KindOfShift(shift, count) != ShiftKind::kHidesAll;
  }
  if (!seen) return;
  ScoreLines(lines.Keys(begin, count), {scratch.queries.data, query_stride_}, lines.count(), scratch.scores);
  for (std::size_t i = 0; i < lines.count(); ++i)
    scratch.factors[i] =
        SoftenLine(scratch.scores.data + i * kTileKeys,
                   lines.shifts() ? scratch.shifts.data + i * kTileKeys : nullptr, count, to.states[i]);
  AddValueLines(lines.Values(begin, count), {scratch.scores.data, kTileKeys}, lines.count(), scratch.factors,
                to.sums);
}

// All parts of a head, into the first.
void FewLinesAttention::Join(const AttentionLines& lines, std::byte* workspace, std::size_t head) const {
  const Part first = PartAt(workspace, head, 0);
  for (std::size_t i = 0; i < lines.count(); ++i) {
    float* row = first.sums.data + i * sum_stride_;
    RunningSoftmax all = first.states[i];
    for (std::size_t part = 1; part < parts_; ++part) {
      const Part next = PartAt(workspace, head, part);
      const RunningSoftmax& state = next.states[i];
      if (state.sum == 0.0f) continue;
      const float most = std::max(all.most, state.most);
      const float before = all.sum == 0.0f ? 0.0f : std::exp(all.most - most);
      const float after = std::exp(state.most - most);
      for (std::size_t j = 0; j < attention_.shape.value_depth; ++j)
        row[j] = before * row[j] + after * next.sums.data[i * sum_stride_ + j];
      all = {most, before * all.sum + after * state.sum};
    }
    const float divisor = all.sum == 0.0f ? 0.0f : 1.0f / all.sum;
    for (std::size_t j = 0; j < attention_.shape.value_depth; ++j)
      row[j] = all.sum == 0.0f ? 0.0f : row[j] * divisor;
    lines.Store(i, row, {all.most, all.sum});
  }
}

}  // namespace foothold
