// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element functions one after another, run as one kernel: a block of elements that fits the first-level cache
// goes through all steps before the next one is touched. An operator alone is a chain of one step. Made when
// a node is lowered; Run allocates nothing, uses the stack for its blocks, and goes on any thread, several at
// a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/element_chain_plan.h"

namespace foothold {

class ElementChain {
 public:
  // Throws kInternalError for a spec that contradicts itself.
  explicit ElementChain(ChainSpec spec) : plan_(PlanChain(std::move(spec))) {}

  // A result may be written over an operand that has as many elements of the same size.
  void Run(const std::byte* const* inputs, std::byte* const* outputs) const;

 private:
  struct Frame;

  void RunPiece(const std::byte* const* inputs, std::byte* const* outputs, std::size_t begin,
                std::size_t end) const;
  void PlaceOperands(ChainPlan::Placing placing, const std::byte* const* inputs, Frame& frame,
                     std::size_t begin, std::size_t count) const;
  void RunTiles(const std::byte* const* inputs, std::byte* const* outputs, std::size_t begin,
                std::size_t end) const;
  void TurnTile(const TileWalk::Tile& tile, const std::byte* const* inputs, Frame& frame) const;
  void PlaceRow(const TileWalk::Tile& tile, std::size_t row, const std::byte* const* inputs,
                Frame& frame) const;
  void StoreRow(const TileWalk::Tile& tile, std::size_t row, std::byte* const* outputs, Frame& frame) const;
  void RunSteps(const std::vector<ChainPlan::Step>& steps, Frame& frame, std::size_t begin,
                std::size_t count) const;
  void RunLinks(const ChainPlan::Step& step, Frame& frame, float* to, std::size_t count) const;
  const float* Expand(const ChainPlan::Operand& operand, const std::byte* from, float* to, std::size_t begin,
                      std::size_t count) const;

  ChainPlan plan_;
};

}  // namespace foothold
