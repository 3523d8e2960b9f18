// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/quantized_product.h"

#include <algorithm>
#include <atomic>

#include "kernels/parallel_items.h"
#include "kernels/quantized_rows.h"
#include "kernels/workspace_parts.h"

namespace foothold {
namespace {

constexpr std::size_t kMostDotRows = 3;   // above, unpacking a panel pays
constexpr std::size_t kDotColumns = 64;   // of an item
constexpr std::size_t kTilesOfPart = 16;  // with a depth of some thousand, in the second cache
constexpr std::size_t kDepthStep = 256;   // a panel stays in the first
constexpr std::size_t kBlocksOfStep = kDepthStep / kQuantizedBlock;

}  // namespace

// One row on its way to the order of its kernel.
struct QuantizedProductPlan::RowScratch {
  RowScratch(std::size_t depth, WorkspaceParts& parts)
      : numbers(parts.Take<std::int16_t>(depth)), scales(parts.Take<float>(depth / kQuantizedBlock)) {}
  std::int16_t* numbers;
  float* scales;
};

// The rows of a tile.
struct QuantizedProductPlan::TileMemory {
  std::int32_t* pairs;
  float *scales, *sums;

  // From element `begin` of the depth on.
  QuantizedRows From(std::size_t begin, std::size_t count) const {
    const std::size_t places = TileOfQuantized().rows, block = begin / kQuantizedBlock * places;
    return {pairs + begin / 2 * places, scales + block, sums + block, count};
  }
};

struct QuantizedProductPlan::DotScratch {
  DotScratch(const QuantizedForm& form, WorkspaceParts& parts)
      : scratch(parts.Take<float>(ScaleScratchFloats(form, kDotColumns))),
        groups(parts.Take<float>(form.Groups() * kDotColumns)),
        scales(parts.Take<float>(form.depth / kQuantizedBlock * kDotColumns)),
        sums(parts.Take<float>(kDotColumns)) {}
  float *scratch, *groups, *scales, *sums;
};

struct QuantizedProductPlan::TileScratch {
  TileScratch(const QuantizedForm& form, bool with_offsets, WorkspaceParts& parts) {
    const auto [rows, width] = TileOfQuantized();
    scratch = parts.Take<float>(ScaleScratchFloats(form, width));
    scales = parts.Take<float>(form.Groups() * width);
    offsets = with_offsets ? parts.Take<float>(form.Groups() * width) : nullptr;
    step_scales = parts.Take<float>(kBlocksOfStep * width);
    step_offsets = with_offsets ? parts.Take<float>(kBlocksOfStep * width) : nullptr;
    aside = parts.Take<std::int32_t>(kDepthStep / 4 * width);
    panel = parts.Take<std::int32_t>(kDepthStep / 2 * width);
    sums = parts.Take<float>(kTilesOfPart * rows * width);
  }
  float *scratch, *scales, *offsets, *step_scales, *step_offsets, *sums;
  std::int32_t *aside, *panel;
};

QuantizedProductPlan::QuantizedProductPlan(std::size_t rows, const QuantizedForm& form, bool offsets,
                                           bool exact)
    : size_{rows, form.columns, form.depth},
      form_(form),
      offsets_(offsets),
      way_(WayFor(offsets, exact)),
      floats_(size_, {form.depth, 1}) {
  form_.group = std::min(form.group, std::max<std::size_t>(1, form.depth));
  tiles_ = std::max<std::size_t>(1, Parts(rows, TileOfQuantized().rows));
  row_parts_ = Parts(tiles_, kTilesOfPart);
  if (way_ == Way::kFloats) return;
  items_ = way_ == Way::kDots ? Parts(form.columns, kDotColumns)
                              : row_parts_ * Parts(form.columns, TileOfQuantized().columns);
  slots_ = SlotsFor(items_, size_.Work());
}

QuantizedProductPlan::Way QuantizedProductPlan::WayFor(bool offsets, bool exact) const {
  const bool one_group = form_.group >= form_.depth;
  const bool blocks = form_.depth % kQuantizedBlock == 0 && (one_group || form_.group % kQuantizedBlock == 0);
  const bool some = size_.rows > 0 && size_.columns > 0 && size_.depth > 0;
  if (exact || !blocks || !some || TileOfQuantized().columns == 0) return Way::kFloats;
  return size_.rows <= kMostDotRows && !offsets && form_.by_column ? Way::kDots : Way::kTiles;
}

std::size_t QuantizedProductPlan::SlotBytes() const {
  WorkspaceParts parts(nullptr), row(nullptr);
  if (way_ == Way::kDots)
    DotScratch(form_, parts);
  else
    TileScratch(form_, offsets_, parts);
  RowScratch(size_.depth, row);
  return std::max(parts.bytes(), row.bytes());
}

// All rows in the order of their kernel.
std::size_t QuantizedProductPlan::RowsBytes() const {
  if (way_ == Way::kDots) return size_.rows * DotRowBytes(form_.bits, size_.depth);
  const std::size_t tile = TileOfQuantized().rows, blocks = size_.depth / kQuantizedBlock;
  return tiles_ * tile * (size_.depth / 2 * sizeof(std::int32_t) + 2 * blocks * sizeof(float));
}

std::size_t QuantizedProductPlan::FloatsBytes() const {
  return RoundUp(size_.rows * size_.columns * sizeof(float), 64) + floats_.WorkspaceBytes();
}

std::size_t QuantizedProductPlan::WorkspaceBytes() const {
  if (way_ == Way::kFloats) return FloatsBytes();
  return std::max(FloatsBytes(), RoundUp(RowsBytes(), 64) + slots_ * SlotBytes());
}

void QuantizedProductPlan::Run(const float* x, const QuantizedWeights& weights, const float* bias,
                               const QuantizedOut& out, std::byte* workspace) const {
  const Operands operands{weights, bias, out};
  std::byte* const scratch = workspace + RoundUp(way_ == Way::kFloats ? 0 : RowsBytes(), 64);
  // Integers have no infinities.
  if (way_ == Way::kFloats || !QuantizeRows(x, workspace, scratch)) return RunFloats(x, operands, workspace);
  const std::size_t step = SlotBytes();
  ForEachItem(items_, slots_, [&](std::size_t slot, std::size_t item) {
    if (way_ == Way::kDots)
      RunDotItem(operands, item, workspace, scratch + slot * step);
    else
      RunTileItem(operands, item, workspace, scratch + slot * step);
  });
}

bool QuantizedProductPlan::QuantizeRows(const float* x, std::byte* rows, std::byte* scratch) const {
  std::atomic<bool> finite{true};
  const int most = way_ == Way::kDots ? MostOfDots(form_.bits) : kSixteenBits;
  const std::size_t step = SlotBytes(), slots = std::min(slots_, tiles_);
  ForEachItem(tiles_, slots, [&](std::size_t slot, std::size_t tile) {
    WorkspaceParts parts(scratch + slot * step);
    const RowScratch one(size_.depth, parts);
    for (std::size_t row = FirstRow(tile); row < FirstRow(tile + 1); ++row) {
      if (QuantizeRow(x + row * size_.depth, size_.depth, most, one.numbers, one.scales))
        Arrange(tile, row, one, rows);
      else
        finite = false;
    }
  });
  return finite;
}

void QuantizedProductPlan::Arrange(std::size_t tile, std::size_t row, const RowScratch& scratch,
                                   std::byte* rows) const {
  if (way_ == Way::kDots)
    return ArrangeDotRow(form_.bits, size_.depth, scratch.numbers, scratch.scales,
                         rows + row * DotRowBytes(form_.bits, size_.depth));
  const TileMemory to = MemoryOf(tile, rows);
  ArrangeTileRow(form_.bits, size_.depth, scratch.numbers, scratch.scales, row - FirstRow(tile), to.pairs,
                 to.scales, to.sums);
}

QuantizedProductPlan::TileMemory QuantizedProductPlan::MemoryOf(std::size_t tile, std::byte* rows) const {
  const std::size_t places = TileOfQuantized().rows, blocks = size_.depth / kQuantizedBlock * places;
  const std::size_t numbers = size_.depth / 2 * places;
  auto* const pairs = reinterpret_cast<std::int32_t*>(rows) + tile * numbers;
  auto* const floats = reinterpret_cast<float*>(rows + tiles_ * numbers * sizeof(std::int32_t));
  return {pairs, floats + tile * 2 * blocks, floats + tile * 2 * blocks + blocks};
}

void QuantizedProductPlan::RunFloats(const float* x, const Operands& operands, std::byte* workspace) const {
  std::byte* const rest = workspace + RoundUp(size_.rows * size_.columns * sizeof(float), 64);
  const bool direct = !operands.out.half;
  auto* sums = reinterpret_cast<float*>(direct ? operands.out.data : workspace);
  const auto widen = [&](const PanelPlace& place, float* to) {
    WidenPanel(form_, operands.weights, place, to);
  };
  floats_.Run(x, widen, sums, {.column_bias = operands.bias}, rest);
  if (!direct) WriteFloats(operands.out.half, sums, size_.rows * size_.columns, operands.out.data, 0);
}

// Scales that are as the kernel wants them are not moved.
DotColumns QuantizedProductPlan::DotsOf(const Operands& operands, std::size_t item,
                                        const DotScratch& scratch) const {
  const std::size_t column = item * kDotColumns, columns = std::min(kDotColumns, size_.columns - column);
  const std::size_t groups = form_.Groups(), blocks = size_.depth / kQuantizedBlock;
  DotColumns dots{form_.bits, size_.depth, columns, ColumnAt(operands, column, 0), scratch.scales, nullptr};
  if (groups == blocks && form_.order == ScaleOrder::kColumnsByGroups &&
      form_.scale_type == HalfKind::kFloat16) {
    dots.half_scales = reinterpret_cast<const std::uint16_t*>(operands.weights.scales) + column * blocks;
    dots.scales = nullptr;
    return dots;
  }
  float* const read = groups == blocks ? scratch.scales : scratch.groups;
  ReadColumns(form_, operands.weights.scales, column, columns, scratch.scratch, read);
  for (std::size_t i = 0; groups != blocks && i < columns * blocks; ++i)
    scratch.scales[i] = read[i / blocks * groups + i % blocks * kQuantizedBlock / form_.group];
  return dots;
}

void QuantizedProductPlan::RunDotItem(const Operands& operands, std::size_t item, std::byte* rows,
                                      std::byte* memory) const {
  WorkspaceParts parts(memory);
  const DotScratch scratch(form_, parts);
  const DotColumns dots = DotsOf(operands, item, scratch);
  for (std::size_t row = 0; row < size_.rows; ++row) {
    RunDots(dots, rows + row * DotRowBytes(form_.bits, size_.depth), scratch.sums);
    Write(operands, scratch.sums, row, item * kDotColumns, dots.count);
  }
}

void QuantizedProductPlan::ReadScales(const Operands& operands, std::size_t column,
                                      const TileScratch& scratch) const {
  const std::size_t width = TileOfQuantized().columns, columns = std::min(width, size_.columns - column);
  ReadGroups(form_, operands.weights.scales, column, columns, width, scratch.scratch, scratch.scales);
  if (offsets_)
    ReadGroups(form_, operands.weights.offsets, column, columns, width, scratch.scratch, scratch.offsets);
}

void QuantizedProductPlan::RunTileItem(const Operands& operands, std::size_t item, std::byte* rows,
                                       std::byte* memory) const {
  WorkspaceParts parts(memory);
  const TileScratch scratch(form_, offsets_, parts);
  const std::size_t width = TileOfQuantized().columns, panels = Parts(size_.columns, width);
  const std::size_t column = item % panels * width, columns = std::min(width, size_.columns - column);
  const std::size_t first = item / panels * kTilesOfPart, end = std::min(tiles_, first + kTilesOfPart);
  ReadScales(operands, column, scratch);
  std::fill_n(scratch.sums, (FirstRow(end) - FirstRow(first)) * width, 0.0f);
  RunTiles(operands, column, first, end, rows, scratch);
  for (std::size_t row = FirstRow(first); row < FirstRow(end); ++row)
    Write(operands, scratch.sums + (row - FirstRow(first)) * width, row, column, columns);
}

void QuantizedProductPlan::Unpack(const Operands& operands, std::size_t column, std::size_t begin,
                                  const TileScratch& scratch) const {
  const std::size_t columns = std::min(TileOfQuantized().columns, size_.columns - column);
  const std::size_t depth = std::min(kDepthStep, size_.depth - begin);
  if (!form_.by_column)
    return UnpackRows(form_.bits, operands.weights.weights, begin * size_.columns + column, size_.columns,
                      depth, columns, scratch.aside, scratch.panel);
  UnpackColumns(form_.bits, ColumnAt(operands, column, begin), ColumnBytes(), depth, columns, scratch.aside,
                scratch.panel);
}

// Asks for part `part` of `parts` of the weights that come next: all at once would be more than a CPU waits
// for.
void QuantizedProductPlan::Fetch(const Operands& operands, std::size_t column, std::size_t begin,
                                 std::size_t part, std::size_t parts) const {
  if (column >= size_.columns || !form_.by_column) return;
  const std::size_t columns = std::min(TileOfQuantized().columns, size_.columns - column);
  const std::size_t share = Parts(columns, parts), first = std::min(columns, part * share);
  FetchColumns(form_.bits, ColumnAt(operands, column + first, begin), ColumnBytes(),
               std::min(kDepthStep, size_.depth - begin), std::min(share, columns - first));
}

// Scales and offsets for each block, from element `begin` of the depth on.
QuantizedPanel QuantizedProductPlan::PanelAt(std::size_t begin, const TileScratch& scratch) const {
  const std::size_t width = TileOfQuantized().columns, depth = std::min(kDepthStep, size_.depth - begin);
  const std::size_t first = begin / kQuantizedBlock * width;
  if (form_.group == kQuantizedBlock)
    return {scratch.panel, scratch.scales + first, offsets_ ? scratch.offsets + first : nullptr, depth};
  for (std::size_t block = 0; block < depth / kQuantizedBlock; ++block) {
    const std::size_t group = (begin + block * kQuantizedBlock) / form_.group;
    std::copy_n(scratch.scales + group * width, width, scratch.step_scales + block * width);
    if (offsets_) std::copy_n(scratch.offsets + group * width, width, scratch.step_offsets + block * width);
  }
  return {scratch.panel, scratch.step_scales, scratch.step_offsets, depth};
}

void QuantizedProductPlan::RunTiles(const Operands& operands, std::size_t column, std::size_t first,
                                    std::size_t end, std::byte* rows, const TileScratch& scratch) const {
  const std::size_t width = TileOfQuantized().columns;
  for (std::size_t begin = 0; begin < size_.depth; begin += kDepthStep) {
    Unpack(operands, column, begin, scratch);
    const bool last = begin + kDepthStep >= size_.depth;
    const QuantizedPanel panel = PanelAt(begin, scratch);
    for (std::size_t tile = first; tile < end; ++tile) {
      Fetch(operands, last ? column + width : column, last ? 0 : begin + kDepthStep, tile - first,
            end - first);
      RunQuantizedTile(MemoryOf(tile, rows).From(begin, FirstRow(tile + 1) - FirstRow(tile)), panel,
                       scratch.sums + (FirstRow(tile) - FirstRow(first)) * width);
    }
  }
}

void QuantizedProductPlan::Write(const Operands& operands, float* sums, std::size_t row, std::size_t column,
                                 std::size_t columns) const {
  for (std::size_t j = 0; operands.bias != nullptr && j < columns; ++j)
    sums[j] += operands.bias[column + j];
  WriteFloats(operands.out.half, sums, columns, operands.out.data, row * size_.columns + column);
}

}  // namespace foothold
