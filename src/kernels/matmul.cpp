// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/matmul.h"

#include <algorithm>
#include <cstdint>

#include "base/environment.h"
#include "kernels/half_convert.h"
#include "kernels/narrow_weights.h"
#include "kernels/parallel_items.h"

namespace foothold {
namespace {

constexpr std::size_t kMostRows =
    216;  // with kDepthStep: a block of the left operand stays in the second cache
constexpr std::size_t kDepthStep = 256;      // a panel of the right operand stays in the first
constexpr std::size_t kDepthStepOnce = 512;  // which is of no use if it is read once
constexpr std::size_t kLeastPanels = 4;      // columns of an item: less would pack the left operand too often
constexpr std::size_t kWorthHalving = 96;    // rows: fewer would read the right operand too often
constexpr std::size_t kLeastNarrowDepth = 256;  // sums of fewer floats are rounded less than narrow weights
constexpr std::size_t kMiB = (std::size_t{1} << 20) / sizeof(float);

// From how many weights on reading them takes longer than computing with them. More rows than the third cache
// would let wait may still wait for memory, where large weights of a network come from; widening them for
// every tile again takes as long as the third cache saves.
std::size_t LeastNarrowWeights(std::size_t rows, WeightReads reads) {
  constexpr std::size_t kRowsPerCacheRead = 3, kRowsPerMemoryRead = 8;
  if (rows == 0 || rows > kRowsPerMemoryRead) return SIZE_MAX;
  if (rows <= kRowsPerCacheRead || RowsOfGemmAtOnce() >= kRowsPerMemoryRead) return kMiB;
  return reads == WeightReads::kOnce ? 6 * kMiB : 32 * kMiB;
}

// Of each matrix. Threads share halves of the rows before they share columns: every part of the columns packs
// the left operand again, every part of the rows reads the right one again, and two of each cost least. Where
// there are more parts anyway, but few, all threads get as many.
std::size_t RowParts(std::size_t rows, std::size_t matrices) {
  const auto threads = static_cast<std::size_t>(ParallelThreads());
  const std::size_t needed = std::max<std::size_t>(1, Parts(rows, kMostRows));
  if (matrices != 1 || threads == 1) return needed;
  if (needed == 1) return rows >= kWorthHalving ? 2 : 1;
  return needed < 4 * threads ? RoundUp(needed, threads) : needed;
}

PanelForm PanelFormOf(RightForm form) {
  if (form == RightForm::kNarrow) return PanelForm::kNarrow;
  return form == RightForm::kHalf ? PanelForm::kHalves : PanelForm::kFloats;
}

std::size_t PanelFloats(RightForm form, std::size_t depth) {
  const std::size_t floats = TileOfGemm().columns * depth;
  if (form == RightForm::kNarrow) return NarrowPanelWords(depth);
  return form == RightForm::kHalf ? floats / 2 : floats;
}

}  // namespace

RightForm FormOfWeights(const MatMulSize& size, WeightReads reads) {
  const bool worth = size.depth >= kLeastNarrowDepth &&
                     size.columns > (LeastNarrowWeights(size.rows, reads) - 1) / size.depth;
  const bool narrow = worth && GetEnvInt("FOOTHOLD_NARROW_WEIGHTS", 1, 0, 1) != 0;
  return narrow ? RightForm::kNarrow : RightForm::kPacked;
}

MatMulPlan::MatMulPlan(MatMulSize size, MatMulStrides left, MatMulStrides right,
                       std::vector<std::size_t> left_of, std::vector<std::size_t> right_of,
                       std::size_t right_matrices, RightForm right_form)
    : size_(size),
      left_(left),
      right_(right),
      left_of_(std::move(left_of)),
      right_of_(std::move(right_of)),
      right_matrices_(left_of_.empty() ? 0 : right_matrices),
      right_form_(right_form),
      vectors_(size.rows == 1 && left.column == 1 &&
               (right_form != RightForm::kAsGiven || right.row == 1 || right.column == 1)),
      panel_floats_(PanelFloats(right_form, size.depth)),
      packed_floats_(Parts(size.columns, TileOfGemm().columns) * panel_floats_),
      depth_step_(size.rows > RowsOfGemmAtOnce() ? kDepthStep : kDepthStepOnce) {
  const std::size_t width = TileOfGemm().columns;
  const std::size_t panels = Parts(size.columns, width);
  row_parts_ = vectors_ ? 1 : RowParts(size.rows, left_of_.size());
  row_step_ = RoundUp(Parts(std::max<std::size_t>(1, size.rows), row_parts_), TileOfGemm().rows);
  row_parts_ = vectors_ ? 1 : Parts(size.rows, row_step_);
  const std::size_t without = std::max<std::size_t>(1, left_of_.size() * row_parts_);
  // Every part packs the left operand again: few are best, and none needs company on a single thread.
  const auto threads = static_cast<std::size_t>(ParallelThreads());
  const std::size_t wanted = threads == 1 ? 1 : Parts(2 * threads, without);
  const std::size_t most = std::max<std::size_t>(1, panels / kLeastPanels);
  column_step_ = Parts(std::max<std::size_t>(1, panels), std::min(wanted, most)) * width;
  column_parts_ = Parts(size.columns, column_step_);
  slots_ = SlotsFor(without * column_parts_, size.Work() * static_cast<double>(left_of_.size()));
}

std::size_t MatMulPlan::ScratchFloats() const {
  if (vectors_) return 0;
  return RoundUp(PackedLeftFloats(std::min(size_.rows, row_step_), std::min(size_.depth, depth_step_)), 16);
}

std::size_t MatMulPlan::WorkspaceBytes() const {
  const std::size_t packed =
      right_form_ != RightForm::kAsGiven || vectors_ ? 0 : RoundUp(PackedRightBytes(), 64);
  return packed + slots_ * ScratchFloats() * sizeof(float);
}

void MatMulPlan::PackRightMatrices(const float* right, float* to) const {
  const std::size_t width = TileOfGemm().columns;
  const std::size_t panels = Parts(size_.columns, width);
  const std::size_t grain = std::max<std::size_t>(1, 32768 / std::max<std::size_t>(1, size_.depth * width));
  ParallelFor(right_matrices_ * panels, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      PackPanel(right, i / panels, i % panels * width, to + i * panel_floats_);
  });
}

void MatMulPlan::PackPanel(const float* right, std::size_t matrix, std::size_t column, float* to) const {
  const MatrixView view{right + matrix * size_.depth * size_.columns, right_.row, right_.column};
  const std::size_t columns = std::min(TileOfGemm().columns, size_.columns - column);
  if (PanelFormOf(right_form_) != PanelForm::kFloats) return PackColumns(view.At(0, column), columns, to);
  PackRight(view.At(0, column), size_.depth, columns, to);
}

// Rounded a part of the depth at a time, which stays in the caches until then.
void MatMulPlan::PackColumns(const MatrixView& from, std::size_t columns, float* to) const {
  std::vector<float> panel(std::min(kDepthStep, size_.depth) * TileOfGemm().columns);
  for (std::size_t begin = 0; begin < size_.depth; begin += kDepthStep) {
    const std::size_t depth = std::min(kDepthStep, size_.depth - begin);
    PackRight(from.At(begin, 0), depth, columns, panel.data());
    float* part = to + PanelFloats(right_form_, begin);
    if (right_form_ == RightForm::kNarrow)
      NarrowPanel(panel.data(), depth, reinterpret_cast<std::uint32_t*>(part));
    else
      HalvesFromFloats(HalfKind::kFloat16, panel.data(), reinterpret_cast<std::uint16_t*>(part),
                       depth * TileOfGemm().columns);
  }
}

MatMulPlan::Block MatMulPlan::BlockOf(std::size_t item, PanelOrder order) const {
  Block block;
  block.backwards = order == PanelOrder::kBackwards;
  block.column = item % column_parts_ * column_step_;
  block.columns = std::min(column_step_, size_.columns - block.column);
  item /= column_parts_;
  block.row = item % row_parts_ * row_step_;
  block.rows = std::min(row_step_, size_.rows - block.row);
  block.matrix = item / row_parts_;
  return block;
}

const float* MatMulPlan::PanelsOf(const float* right, std::size_t matrix, std::size_t column) const {
  return right + right_of_[matrix] * packed_floats_ + column / TileOfGemm().columns * panel_floats_;
}

void MatMulPlan::RunBlock(const Block& block, const float* left, const float* packed, float* out,
                          const GemmEpilogue& finish, float* scratch) const {
  const MatrixView view{left + left_of_[block.matrix] * size_.rows * size_.depth, left_.row, left_.column};
  const float* panels = PanelsOf(packed, block.matrix, block.column);
  const std::size_t offset = (block.matrix * size_.rows + block.row) * size_.columns + block.column;
  const GemmEpilogue shifted = EpilogueAt(finish, block.row, block.column, offset);
  const std::size_t tile_rows = TileOfGemm().rows;
  std::size_t begin = 0;
  do {  // once even if there is no depth: the output must be written
    const std::size_t depth = std::min(depth_step_, size_.depth - begin);
    PackLeft(view.At(block.row, begin), block.rows, depth, scratch, GemmRows::kEvenly);
    RunGemmBlock({.left = scratch,
                  .left_panel = tile_rows * depth,
                  .left_rows = GemmRows::kEvenly,
                  .right = panels + PanelFloats(right_form_, begin),
                  .right_panel = panel_floats_,
                  .right_form = PanelFormOf(right_form_),
                  .backwards = block.backwards,
                  .rows = block.rows,
                  .columns = block.columns,
                  .depth = depth,
                  .out = out + offset,
                  .out_stride = size_.columns,
                  .accumulate = begin > 0,
                  .finish = begin + depth == size_.depth ? &shifted : nullptr});
    begin += depth;
  } while (begin < size_.depth);
}

void MatMulPlan::RunVector(const Block& block, const float* left, const float* right, float* out,
                           const GemmEpilogue& finish) const {
  const float* row = left + left_of_[block.matrix] * size_.depth;
  const std::size_t offset = block.matrix * size_.columns + block.column;
  const GemmEpilogue shifted = EpilogueAt(finish, 0, block.column, offset);
  if (right_form_ != RightForm::kAsGiven)
    return RunPackedGemv({.left = row,
                          .right = PanelsOf(right, block.matrix, block.column),
                          .right_panel = panel_floats_,
                          .right_form = PanelFormOf(right_form_),
                          .backwards = block.backwards,
                          .rows = 1,
                          .columns = block.columns,
                          .depth = size_.depth,
                          .out = out + offset,
                          .finish = &shifted});
  const float* from =
      right + right_of_[block.matrix] * size_.depth * size_.columns + block.column * right_.column;
  const auto run = right_.column == 1 ? RunRowsGemv : RunColumnsGemv;
  run(row, from, right_.column == 1 ? right_.row : right_.column, size_.depth, block.columns, out + offset,
      shifted);
}

void MatMulPlan::Run(const float* left, const float* right, float* out, const GemmEpilogue& finish,
                     std::byte* workspace, PanelOrder order) const {
  auto* scratch = reinterpret_cast<float*>(workspace);
  const float* packed = right;
  if (right_form_ == RightForm::kAsGiven && !vectors_) {
    PackRightMatrices(right, scratch);
    packed = scratch;
    scratch += RoundUp(PackedRightBytes(), 64) / sizeof(float);
  }
  const std::size_t step = ScratchFloats(), items = left_of_.size() * row_parts_ * column_parts_;
  const auto run = [&](std::size_t slot, std::size_t item) {
    const Block block = BlockOf(item, order);
    if (vectors_)
      RunVector(block, left, packed, out, finish);
    else
      RunBlock(block, left, packed, out, finish, scratch + slot * step);
  };
  if (order == PanelOrder::kAny) return ForEachItem(items, slots_, run);
  ForEachOwnItem(items, slots_, order == PanelOrder::kBackwards, run);
}

}  // namespace foothold
