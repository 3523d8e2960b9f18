// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operands and the result of an element-wise kernel as rows: repeated, under strides, or both. What lies
// transposed is gathered in tiles. Made when a node is lowered; any thread.
#pragma once

#include <algorithm>
#include <complex>
#include <optional>
#include <vector>

#include "base/thread_pool.h"
#include "kernels/tile_walk.h"
#include "ops/kernel.h"
#include "ops/op.h"

namespace foothold {

struct PlainOperand {
  int port;
  Dims dims;  // repeated from the right to those of the output
};

class StridedRows {
 public:
  static constexpr std::size_t kMostOperands = 4;

  enum class Elements { kApart, kPacked };  // what the loop takes of an operand
  // Of output 0 of a node.
  StridedRows(const OpContext& context, const std::vector<PlainOperand>& operands, Elements elements);

  // Calls loop(operands, steps from element to element in bytes, output, count) for all rows or parts of
  // them.
  template <typename Loop>
  void Run(const RunArgs& args, const Loop& loop) const {
    if (walk_)
      ParallelFor(walk_->tiles(), std::max<std::size_t>(1, kGrain / (walk_->rows() * walk_->columns())),
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i)
                      RunTile(args, walk_->At(i), loop);
                  });
    else
      ParallelFor(count_, kGrain,
                  [&](std::size_t begin, std::size_t end) { RunPiece(args, begin, end, loop); });
  }

 private:
  static constexpr std::size_t kGrain = 32768;  // elements
  static constexpr std::size_t kTileSide = 32;
  static constexpr std::size_t kWidest = sizeof(std::complex<double>);

  struct Operand {
    int port;
    std::size_t size;
    ElementStrides strides;
  };
  // The rows of a tile, from the first on.
  struct Rows {
    const std::byte* first[kMostOperands];
    std::ptrdiff_t steps[kMostOperands], down[kMostOperands];
    alignas(64) std::byte gathered[kMostOperands][kTileSide * kTileSide * kWidest];
  };

  template <typename Change>
  void ChangeStrides(const Change& change);
  bool WalksOn(std::size_t axis) const;
  void Collapse();
  bool GoesInTiles(Elements elements) const;
  void PlanTiles();
  void PlaceRows(const RunArgs& args, const TileWalk::Tile& tile, Rows& rows) const;
  void Scatter(const std::byte* results, std::byte* to, std::size_t count) const;
  std::ptrdiff_t Offset(const Operand& operand, std::size_t element) const;

  template <typename Loop>
  void RunTile(const RunArgs& args, const TileWalk::Tile& tile, const Loop& loop) const {
    Rows rows;
    PlaceRows(args, tile, rows);
    const auto unit = static_cast<std::ptrdiff_t>(output_size_);
    std::byte* to = args.outputs[0] + TileWalk::Offset(tile, written_) * unit;
    for (std::size_t row = 0; row < tile.rows; ++row, to += written_.end()[-2] * unit) {
      alignas(64) std::byte results[kTileSide * kWidest];
      const bool apart = written_.back() != 1;
      loop(rows.first, rows.steps, apart ? results : to, tile.columns);
      if (apart) Scatter(results, to, tile.columns);
      for (std::size_t k = 0; k < operands_.size(); ++k)
        rows.first[k] += rows.down[k];
    }
  }

  // The first row and the last may be cut.
  template <typename Loop>
  void RunPiece(const RunArgs& args, std::size_t begin, std::size_t end, const Loop& loop) const {
    const auto length = static_cast<std::size_t>(dims_.back());
    std::ptrdiff_t steps[kMostOperands];
    for (std::size_t k = 0; k < operands_.size(); ++k)
      steps[k] = operands_[k].strides.back() * static_cast<std::ptrdiff_t>(operands_[k].size);
    while (begin < end) {
      const std::size_t run = std::min(length - begin % length, end - begin);
      const std::byte* from[kMostOperands];
      for (std::size_t k = 0; k < operands_.size(); ++k)
        from[k] = args.inputs[operands_[k].port] + Offset(operands_[k], begin);
      loop(from, steps, args.outputs[0] + begin * output_size_, run);
      begin += run;
    }
  }

  Dims dims_;
  std::size_t count_ = 0;
  std::size_t output_size_ = 0;
  std::vector<Operand> operands_;
  ElementStrides written_;  // empty: dense
  std::optional<TileWalk> walk_;
};

}  // namespace foothold
