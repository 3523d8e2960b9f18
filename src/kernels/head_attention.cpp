// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/head_attention.h"

#include <algorithm>

#include "kernels/gemm.h"
#include "kernels/gemm_pack.h"
#include "kernels/parallel_items.h"
#include "kernels/score_rows.h"

namespace foothold {
namespace {

constexpr std::size_t kFewRows = 3;
constexpr std::size_t kMostScores = 32768;  // of the rows at work: with a packed copy half the second cache
constexpr std::size_t kMostRows = 96;

template <typename T>
T* Moved(T* data, std::size_t distance) {
  return data == nullptr ? nullptr : data + distance;
}

}  // namespace

HeadAttentionPlan::HeadAttentionPlan(const AttentionShape& shape, float hidden)
    : shape_(shape), hidden_(hidden), packs_(shape.rows > kFewRows) {
  const std::size_t tile = TileOfGemm().rows;
  const std::size_t most = kMostScores / std::max<std::size_t>(1, shape.columns) / tile * tile;
  row_step_ = packs_ ? std::min(kMostRows, std::max(tile, most)) : 1;
  row_step_ = std::min(row_step_, RoundUp(std::max<std::size_t>(1, shape.rows), tile));
  const std::size_t items = shape.batch * shape.heads;
  const double work =
      double(items) * double(shape.rows) * double(shape.columns) * double(shape.depth + shape.value_depth);
  slots_ = SlotsFor(items, work);
  if (!packs_) return;
  values_at_ = RoundUp(PackedRightFloats(shape.depth, shape.columns), 16);
  left_at_ = values_at_ + RoundUp(PackedRightFloats(shape.columns, shape.value_depth), 16);
  scores_at_ = left_at_ + RoundUp(PackedLeftFloats(row_step_, std::max(shape.depth, shape.columns)), 16);
}

HeadAttentionPlan::Scratch HeadAttentionPlan::CutScratch(float* memory) const {
  return {memory, memory + values_at_, memory + left_at_, memory + scores_at_};
}

AttentionData HeadAttentionPlan::HeadOf(const AttentionData& data, std::size_t item) const {
  const std::size_t batch = item / shape_.heads, head = item % shape_.heads;
  const auto distance = [&](const AttentionStrides& strides) {
    return batch * strides.batch + head * strides.head;
  };
  return {data.query + distance(shape_.query),     data.key + distance(shape_.key),
          data.value + distance(shape_.value),     Moved(data.shift, distance(shape_.shift)),
          Moved(data.mask, distance(shape_.mask)), data.out + distance(shape_.out)};
}

void HeadAttentionPlan::Run(const AttentionData& data, std::byte* workspace) const {
  auto* memory = reinterpret_cast<float*>(workspace);
  const std::size_t step = ScratchFloats();
  ForEachItem(shape_.batch * shape_.heads, slots_, [&](std::size_t slot, std::size_t item) {
    RunHead(HeadOf(data, item), CutScratch(memory + slot * step));
  });
}

void HeadAttentionPlan::RunHead(const AttentionData& head, const Scratch& scratch) const {
  if (!packs_) {
    for (std::size_t row = 0; row < shape_.rows; ++row)
      RunSingleRow(head, row, scratch.scores);
    return;
  }
  PackRight({head.key, 1, shape_.key.row}, shape_.depth, shape_.columns, scratch.keys);
  PackRight({head.value, shape_.value.row, 1}, shape_.columns, shape_.value_depth, scratch.values);
  for (std::size_t row = 0; row < shape_.rows; row += row_step_)
    RunRows(head, row, std::min(row_step_, shape_.rows - row), scratch);
}

void HeadAttentionPlan::RunRows(const AttentionData& head, std::size_t row, std::size_t rows,
                                const Scratch& scratch) const {
  const GemmTile tile = TileOfGemm();
  const auto multiply = [&](const MatrixView& left, const float* right, std::size_t depth,
                            std::size_t columns, float* out, std::size_t stride) {
    PackLeft(left, rows, depth, scratch.left, GemmRows::kEvenly);
    RunGemmBlock({.left = scratch.left,
                  .left_panel = tile.rows * depth,
                  .left_rows = GemmRows::kEvenly,
                  .right = right,
                  .right_panel = tile.columns * depth,
                  .rows = rows,
                  .columns = columns,
                  .depth = depth,
                  .out = out,
                  .out_stride = stride});
  };
  multiply({head.query + row * shape_.query.row, shape_.query.row, 1}, scratch.keys, shape_.depth,
           shape_.columns, scratch.scores, shape_.columns);
  for (std::size_t i = 0; i < rows; ++i)
    FinishScores(head, row + i, scratch.scores + i * shape_.columns);
  multiply({scratch.scores, shape_.columns, 1}, scratch.values, shape_.columns, shape_.value_depth,
           head.out + row * shape_.out.row, shape_.out.row);
}

void HeadAttentionPlan::RunSingleRow(const AttentionData& head, std::size_t row, float* scores) const {
  RunColumnsGemv(head.query + row * shape_.query.row, head.key, shape_.key.row, shape_.depth, shape_.columns,
                 scores, {});
  FinishScores(head, row, scores);
  RunRowsGemv(scores, head.value, shape_.value.row, shape_.columns, shape_.value_depth,
              head.out + row * shape_.out.row, {});
}

void HeadAttentionPlan::FinishScores(const AttentionData& head, std::size_t row, float* scores) const {
  SoftmaxScores({shape_.scale, Moved(head.shift, row * shape_.shift.row),
                 Moved(head.mask, row * shape_.mask.row), hidden_},
                scores, shape_.columns);
}

}  // namespace foothold
