// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Attention of many queries through packed products (gemm.h). Lines stand side by side in panels; a block of
// panels goes over the keys, which are packed a tile at a time, for all of them. For fused_attention.h; any
// thread.
#pragma once

#include <cstddef>

#include "kernels/attention_lines.h"
#include "kernels/attention_panels.h"

namespace foothold {

class PanelAttention {
 public:
  explicit PanelAttention(const FusedAttention& attention);

  std::size_t WorkspaceBytes() const { return slots_ * ScratchFloats() * sizeof(float); }
  void Run(const SequenceSource& source, std::byte* workspace) const;

 private:
  // Of one slot.
  struct Scratch {
    float *queries, *sums;             // of all panels of a block: a row for each element of the depth
    float *most, *total;               // of all lines
    float *keys, *values;              // packed
    float* rows;                       // unpacked
    float *scores, *shifts, *factors;  // of a panel
  };
  // The lines of a panel from `line` on.
  struct Panel {
    std::size_t line, lines, index;
  };
  // Keys from `begin` on, packed when the first panel wants them.
  struct Tile {
    std::size_t begin, keys;
    bool packed = false;
  };
  // What is added to the scores of a panel, and how many keys of the tile it leaves.
  struct Shift {
    ShiftKind kind;
    std::size_t keys;
  };
  std::size_t ScratchFloats() const { return Cut(nullptr, nullptr); }
  std::size_t Cut(float* memory, Scratch* scratch) const;
  void RunBlock(const AttentionLines& lines, std::size_t first, const Scratch& scratch) const;
  void LoadQueries(const AttentionLines& lines, const Panel& panel, const Scratch& scratch) const;
  void PackTile(const AttentionLines& lines, Tile& tile, const Scratch& scratch) const;
  void AddTile(const AttentionLines& lines, const Panel& panel, Tile& tile, const Scratch& scratch) const;
  Shift LoadShift(const AttentionLines& lines, const Panel& panel, const Tile& tile,
                  const Scratch& scratch) const;
  void Finish(const AttentionLines& lines, const Panel& panel, const Scratch& scratch) const;

  FusedAttention attention_;
  std::size_t width_, tile_keys_, block_lines_ = 1, blocks_ = 1, slots_ = 1;
};

}  // namespace foothold
