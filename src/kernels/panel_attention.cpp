// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/panel_attention.h"

#include <algorithm>
#include <limits>

#include "kernels/gemm_pack.h"
#include "kernels/parallel_items.h"
#include "kernels/transpose_tile.h"

namespace foothold {
namespace {

constexpr std::size_t kBlockFloats = 65536;  // of queries and sums: a part of the second cache
constexpr std::size_t kMostTileKeys = 144, kLeastTileKeys = 48;
constexpr std::size_t kTileFloats = 36864;  // of keys and values
constexpr float kHidden = -std::numeric_limits<float>::infinity();

// to[column * to_stride + row] = from[row * from_stride + column]
void Transpose(const float* from, std::size_t from_stride, std::size_t rows, std::size_t columns, float* to,
               std::size_t to_stride) {
  TransposeTile(reinterpret_cast<const std::byte*>(from),
                static_cast<std::ptrdiff_t>(from_stride * sizeof(float)), reinterpret_cast<std::byte*>(to),
                static_cast<std::ptrdiff_t>(to_stride * sizeof(float)), columns, rows, sizeof(float));
}

std::size_t TileKeysFor(const AttentionShape& shape) {
  const std::size_t tile = TileOfGemm().rows;
  const std::size_t fit = kTileFloats / std::max<std::size_t>(1, shape.depth + shape.value_depth);
  const std::size_t most = std::clamp(fit, kLeastTileKeys, kMostTileKeys);
  const std::size_t keys = std::max<std::size_t>(1, shape.columns);
  return RoundUp(Parts(keys, Parts(keys, most)), tile);
}

// out = left * panel, where rows of the panel and of the output are as wide as a tile.
void MultiplyPanel(const float* left, std::size_t rows, std::size_t depth, const float* panel, float* out,
                   bool accumulate) {
  const auto [tile_rows, width] = TileOfGemm();
  RunGemmBlock({.left = left,
                .left_panel = tile_rows * depth,
                .left_rows = GemmRows::kEvenly,
                .right = panel,
                .right_panel = width * depth,
                .rows = rows,
                .columns = width,
                .depth = depth,
                .out = out,
                .out_stride = width,
                .accumulate = accumulate});
}

}  // namespace

PanelAttention::PanelAttention(const FusedAttention& attention)
    : attention_(attention), width_(TileOfGemm().columns), tile_keys_(TileKeysFor(attention.shape)) {
  const AttentionShape& s = attention_.shape;
  const std::size_t lines = std::max<std::size_t>(1, s.rows * (s.heads / s.kv_heads));
  const std::size_t heads = std::max<std::size_t>(1, s.batch * s.kv_heads);
  const std::size_t fit = kBlockFloats / std::max<std::size_t>(1, s.depth + s.value_depth);
  const std::size_t wanted = Parts(2 * static_cast<std::size_t>(ParallelThreads()), heads);
  const std::size_t most = std::min(std::max(fit, width_), Parts(lines, wanted));
  block_lines_ = RoundUp(Parts(lines, Parts(lines, most)), width_);
  blocks_ = Parts(lines, block_lines_);
  slots_ =
      SlotsFor(heads * blocks_, double(heads * lines) * double(s.columns) * double(s.depth + s.value_depth));
}

std::size_t PanelAttention::Cut(float* memory, Scratch* scratch) const {
  const AttentionShape& s = attention_.shape;
  std::size_t next = 0;
  const auto take = [&](float* Scratch::*member, std::size_t floats) {
    if (scratch != nullptr) scratch->*member = memory + next;
    next += RoundUp(floats, 16);
  };
  take(&Scratch::queries, block_lines_ * s.depth);
  take(&Scratch::sums, block_lines_ * s.value_depth);
  take(&Scratch::most, block_lines_);
  take(&Scratch::total, block_lines_);
  take(&Scratch::keys, PackedLeftFloats(tile_keys_, s.depth));
  take(&Scratch::values, PackedLeftFloats(s.value_depth, tile_keys_));
  take(&Scratch::rows, std::max(tile_keys_, width_) * std::max({s.depth, s.value_depth, tile_keys_}));
  take(&Scratch::scores, tile_keys_ * width_);
  take(&Scratch::shifts, tile_keys_ * width_);
  take(&Scratch::factors, width_);
  return next;
}

void PanelAttention::Run(const SequenceSource& source, std::byte* workspace) const {
  const std::size_t kv_heads = attention_.shape.kv_heads, step = ScratchFloats();
  const std::size_t items = attention_.shape.batch * kv_heads * blocks_;
  ForEachItem(items, slots_, [&](std::size_t slot, std::size_t item) {
    const std::size_t head = item / blocks_, first = item % blocks_ * block_lines_;
    const AttentionLines lines(attention_, source(head / kv_heads), head % kv_heads);
    if (first >= lines.count()) return;
    Scratch scratch;
    Cut(reinterpret_cast<float*>(workspace) + slot * step, &scratch);
    RunBlock(lines, first, scratch);
  });
}

void PanelAttention::RunBlock(const AttentionLines& lines, std::size_t first, const Scratch& scratch) const {
  const std::size_t count = std::min(block_lines_, lines.count() - first);
  const auto each_panel = [&](std::size_t begin, std::size_t keys, auto visit) {
    for (std::size_t i = 0; i < count; i += width_)
      (this->*visit)(lines, {first + i, std::min(width_, count - i), i / width_, begin, keys}, scratch);
  };
  std::fill_n(scratch.sums, block_lines_ * attention_.shape.value_depth, 0.0f);
  std::fill_n(scratch.most, block_lines_, kHidden);
  std::fill_n(scratch.total, block_lines_, 0.0f);
  each_panel(0, 0, &PanelAttention::LoadQueries);
  for (std::size_t begin = 0; begin < lines.keys(); begin += tile_keys_) {
    const std::size_t keys = std::min(tile_keys_, lines.keys() - begin);
    PackTile(lines, begin, keys, scratch);
    each_panel(begin, keys, &PanelAttention::AddTile);
  }
  each_panel(0, 0, &PanelAttention::Finish);
}

void PanelAttention::LoadQueries(const AttentionLines& lines, const Piece& piece,
                                 const Scratch& scratch) const {
  const std::size_t depth = attention_.shape.depth;
  for (std::size_t i = 0; i < piece.lines; ++i)
    lines.LoadQuery(piece.line + i, scratch.rows + i * depth);
  PackRight({scratch.rows, 1, depth}, depth, piece.lines, scratch.queries + piece.panel * width_ * depth);
}

void PanelAttention::PackTile(const AttentionLines& lines, std::size_t begin, std::size_t keys,
                              const Scratch& scratch) const {
  const AttentionShape& s = attention_.shape;
  for (std::size_t i = 0; i < keys; ++i)
    lines.LoadKey(begin + i, scratch.rows + i * s.depth);
  PackLeft({scratch.rows, s.depth, 1}, keys, s.depth, scratch.keys, GemmRows::kEvenly);
  for (std::size_t i = 0; i < keys; ++i)
    lines.LoadValue(begin + i, scratch.rows + i * s.value_depth);
  PackLeft({scratch.rows, 1, s.value_depth}, s.value_depth, keys, scratch.values, GemmRows::kEvenly);
}

ShiftKind PanelAttention::LoadShifts(const AttentionLines& lines, const Piece& piece,
                                     const Scratch& scratch) const {
  if (!lines.shifts()) return ShiftKind::kNothing;
  for (std::size_t i = 0; i < piece.lines; ++i)
    lines.LoadShift(piece.line + i, piece.begin, piece.keys, scratch.rows + i * piece.keys);
  std::fill(scratch.rows + piece.lines * piece.keys, scratch.rows + width_ * piece.keys, kHidden);
  const ShiftKind kind = KindOfShift(scratch.rows, piece.lines * piece.keys);
  if (kind == ShiftKind::kSomething)
    Transpose(scratch.rows, piece.keys, width_, piece.keys, scratch.shifts, width_);
  return kind;
}

void PanelAttention::AddTile(const AttentionLines& lines, const Piece& piece, const Scratch& scratch) const {
  const AttentionShape& s = attention_.shape;
  const ShiftKind shift = LoadShifts(lines, piece, scratch);
  if (shift == ShiftKind::kHidesAll) return;
  const std::size_t at = piece.panel * width_;
  MultiplyPanel(scratch.keys, piece.keys, s.depth, scratch.queries + at * s.depth, scratch.scores, false);
  float* sums = scratch.sums + at * s.value_depth;
  if (SoftenPanel(scratch.scores, shift == ShiftKind::kSomething ? scratch.shifts : nullptr, piece.keys,
                  {scratch.most + at, scratch.total + at, scratch.factors}))
    ScalePanel(sums, s.value_depth, scratch.factors);
  MultiplyPanel(scratch.values, s.value_depth, piece.keys, scratch.scores, sums, true);
}

void PanelAttention::Finish(const AttentionLines& lines, const Piece& piece, const Scratch& scratch) const {
  const std::size_t depth = attention_.shape.value_depth, at = piece.panel * width_;
  float* sums = scratch.sums + at * depth;
  DividePanel(sums, depth, scratch.total + at);
  Transpose(sums, width_, depth, width_, scratch.rows, depth);
  for (std::size_t i = 0; i < piece.lines; ++i)
    lines.Store(piece.line + i, scratch.rows + i * depth, {scratch.most[at + i], scratch.total[at + i]});
}

}  // namespace foothold
