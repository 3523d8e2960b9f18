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

constexpr std::size_t kBlockFloats = 131072;  // of queries and sums: a part of the second cache
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

// A left operand of a product with a panel; packed for `stride` elements of depth, of which there may be
// less.
struct PackedLeft {
  const float* data;
  std::size_t rows, depth, stride;
  GemmRows division;
};

// Rows of the panel and of the output are as wide as a tile.
void MultiplyPanel(const PackedLeft& left, const float* panel, float* out, bool accumulate) {
  const auto [tile_rows, width] = TileOfGemm();
  RunGemmBlock({.left = left.data,
                .left_panel = tile_rows * left.stride,
                .left_rows = left.division,
                .right = panel,
                .right_panel = width * left.depth,
                .rows = left.rows,
                .columns = width,
                .depth = left.depth,
                .out = out,
                .out_stride = width,
                .accumulate = accumulate});
}

// How many of `count` are left without those at the end that are hidden.
std::size_t WithoutHiddenEnd(const float* shift, std::size_t count) {
  while (count > 0 && shift[count - 1] == kHidden)
    --count;
  return count;
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
  const auto each_panel = [&](const auto& visit) {
    for (std::size_t i = 0; i < count; i += width_)
      visit(Panel{first + i, std::min(width_, count - i), i / width_});
  };
  std::fill_n(scratch.sums, block_lines_ * attention_.shape.value_depth, 0.0f);
  std::fill_n(scratch.most, block_lines_, kHidden);
  std::fill_n(scratch.total, block_lines_, 0.0f);
  each_panel([&](const Panel& panel) { LoadQueries(lines, panel, scratch); });
  for (std::size_t begin = 0; begin < lines.keys(); begin += tile_keys_) {
    Tile tile{begin, std::min(tile_keys_, lines.keys() - begin)};
    each_panel([&](const Panel& panel) { AddTile(lines, panel, tile, scratch); });
  }
  each_panel([&](const Panel& panel) { Finish(lines, panel, scratch); });
}

void PanelAttention::LoadQueries(const AttentionLines& lines, const Panel& panel,
                                 const Scratch& scratch) const {
  const std::size_t depth = attention_.shape.depth;
  for (std::size_t i = 0; i < panel.lines; ++i)
    lines.LoadQuery(panel.line + i, scratch.rows + i * depth);
  PackRight({scratch.rows, 1, depth}, depth, panel.lines, scratch.queries + panel.index * width_ * depth);
}

// Keys in whole tiles, of which a panel may use the first ones only.
void PanelAttention::PackTile(const AttentionLines& lines, Tile& tile, const Scratch& scratch) const {
  const AttentionShape& s = attention_.shape;
  lines.LoadKeys(tile.begin, tile.keys, scratch.rows);
  PackLeft({scratch.rows, s.depth, 1}, tile.keys, s.depth, scratch.keys, GemmRows::kWholeTiles);
  lines.LoadValues(tile.begin, tile.keys, scratch.rows);
  PackLeft({scratch.rows, 1, s.value_depth}, s.value_depth, tile.keys, scratch.values, GemmRows::kEvenly);
  tile.packed = true;
}

PanelAttention::Shift PanelAttention::LoadShift(const AttentionLines& lines, const Panel& panel,
                                                const Tile& tile, const Scratch& scratch) const {
  if (!lines.shifts()) return {ShiftKind::kNothing, tile.keys};
  std::size_t keys = 0;
  for (std::size_t i = 0; i < panel.lines; ++i) {
    float* row = scratch.rows + i * tile.keys;
    lines.LoadShift(panel.line + i, tile.begin, tile.keys, row);
    keys = std::max(keys, WithoutHiddenEnd(row, tile.keys));
  }
  if (keys == 0) return {ShiftKind::kHidesAll, 0};
  std::fill(scratch.rows + panel.lines * tile.keys, scratch.rows + width_ * tile.keys, 0.0f);
  bool something = false;
  for (std::size_t i = 0; i < panel.lines && !something; ++i)
    something = KindOfShift(scratch.rows + i * tile.keys, keys) != ShiftKind::kNothing;
  if (something) Transpose(scratch.rows, tile.keys, width_, keys, scratch.shifts, width_);
  return {something ? ShiftKind::kSomething : ShiftKind::kNothing, keys};
}

void PanelAttention::AddTile(const AttentionLines& lines, const Panel& panel, Tile& tile,
                             const Scratch& scratch) const {
  const AttentionShape& s = attention_.shape;
  const Shift shift = LoadShift(lines, panel, tile, scratch);
  if (shift.kind == ShiftKind::kHidesAll) return;
  if (!tile.packed) PackTile(lines, tile, scratch);
  const std::size_t at = panel.index * width_;
  MultiplyPanel({scratch.keys, shift.keys, s.depth, s.depth, GemmRows::kWholeTiles},
                scratch.queries + at * s.depth, scratch.scores, false);
  float* sums = scratch.sums + at * s.value_depth;
  if (SoftenPanel(scratch.scores, shift.kind == ShiftKind::kSomething ? scratch.shifts : nullptr, shift.keys,
                  {scratch.most + at, scratch.total + at, scratch.factors}))
    ScalePanel(sums, s.value_depth, scratch.factors);
  MultiplyPanel({scratch.values, s.value_depth, shift.keys, tile.keys, GemmRows::kEvenly}, scratch.scores,
                sums, true);
}

void PanelAttention::Finish(const AttentionLines& lines, const Panel& panel, const Scratch& scratch) const {
  const std::size_t depth = attention_.shape.value_depth, at = panel.index * width_;
  float* sums = scratch.sums + at * depth;
  DividePanel(sums, depth, scratch.total + at);
  Transpose(sums, width_, depth, width_, scratch.rows, depth);
  for (std::size_t i = 0; i < panel.lines; ++i)
    lines.Store(panel.line + i, scratch.rows + i * depth, {scratch.most[at + i], scratch.total[at + i]});
}

}  // namespace foothold
