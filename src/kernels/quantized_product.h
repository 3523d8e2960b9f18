// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Whole products of floats with weights of 4 or 8 bits (quantized_weights.h) on several threads. The weights
// are read as they are: nothing is packed ahead. Where their groups allow it, the rows are rounded to blocks
// of 16-bit numbers and summed as integers (docs/decisions/0020); else all is float. Any thread; a plan is
// constant after its construction.
#pragma once

#include "kernels/quantized_tile.h"
#include "kernels/quantized_weights.h"

namespace foothold {

// [rows, columns], dense.
struct QuantizedOut {
  std::byte* data;
  std::optional<HalfKind> half;  // nothing: float
};

class QuantizedProductPlan {
 public:
  // `exact`: rows are never rounded.
  QuantizedProductPlan(std::size_t rows, const QuantizedForm& form, bool offsets, bool exact);

  std::size_t WorkspaceBytes() const;
  // x is [rows, depth], dense; a bias, if it is not null, has one number for each column.
  void Run(const float* x, const QuantizedWeights& weights, const float* bias, const QuantizedOut& out,
           std::byte* workspace) const;

 private:
  enum class Way : std::uint8_t { kFloats, kDots, kTiles };
  struct Operands {
    const QuantizedWeights& weights;
    const float* bias;
    const QuantizedOut& out;
  };
  struct DotScratch;
  struct TileScratch;
  struct RowScratch;
  struct TileMemory;

  Way WayFor(bool offsets, bool exact) const;
  std::size_t SlotBytes() const;
  std::size_t RowsBytes() const;
  std::size_t FloatsBytes() const;
  std::size_t FirstRow(std::size_t tile) const { return tile * size_.rows / tiles_; }
  // Of weights by column.
  std::size_t ColumnBytes() const { return size_.depth * static_cast<std::size_t>(form_.bits) / 8; }
  const std::byte* ColumnAt(const Operands& operands, std::size_t column, std::size_t begin) const {
    return operands.weights.weights + column * ColumnBytes() +
           begin * static_cast<std::size_t>(form_.bits) / 8;
  }
  bool QuantizeRows(const float* x, std::byte* rows, std::byte* scratch) const;
  void Arrange(std::size_t tile, std::size_t row, const RowScratch& scratch, std::byte* rows) const;
  void RunFloats(const float* x, const Operands& operands, std::byte* workspace) const;
  DotColumns DotsOf(const Operands& operands, std::size_t item, const DotScratch& scratch) const;
  void RunDotItem(const Operands& operands, std::size_t item, std::byte* rows, std::byte* memory) const;
  void RunTileItem(const Operands& operands, std::size_t item, std::byte* rows, std::byte* memory) const;
  void Unpack(const Operands& operands, std::size_t column, std::size_t begin,
              const TileScratch& scratch) const;
  void Fetch(const Operands& operands, std::size_t column, std::size_t begin, std::size_t part,
             std::size_t parts) const;
  QuantizedPanel PanelAt(std::size_t begin, const TileScratch& scratch) const;
  void RunTiles(const Operands& operands, std::size_t column, std::size_t first, std::size_t end,
                std::byte* rows, const TileScratch& scratch) const;
  void ReadScales(const Operands& operands, std::size_t column, const TileScratch& scratch) const;
  TileMemory MemoryOf(std::size_t tile, std::byte* rows) const;
  void Write(const Operands& operands, float* sums, std::size_t row, std::size_t column,
             std::size_t columns) const;

  MatMulSize size_;
  QuantizedForm form_;
  bool offsets_;
  Way way_;
  PanelProductPlan floats_;
  std::size_t tiles_ = 1;      // of rows
  std::size_t row_parts_ = 1;  // whose rows stay in the second cache
  std::size_t items_ = 1, slots_ = 1;
};

}  // namespace foothold
