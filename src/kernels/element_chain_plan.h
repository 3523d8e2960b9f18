// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a chain of element functions computes, as its makers say it, and how a run goes about it. Values; any
// thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/element_convert.h"
#include "kernels/element_function.h"
#include "kernels/element_sequence.h"
#include "kernels/tile_walk.h"

namespace foothold {

constexpr std::size_t kMaxChainDims = 32;
// More values than this do not share the cache well.
constexpr std::size_t kMaxChainValues = 96;
// On the stack of a run, and few enough to stay in the first-level cache with what is read directly.
constexpr std::size_t kChainScratchFloats = 6144;

// Values are numbered: first the operands, then the results of the steps, in order.
struct ChainSpec {
  struct Operand {
    int input;  // among the pointers a run is given
    ElementType type;
    ElementStrides strides;  // one per dimension: 0 where the operand is repeated
  };
  struct Step {
    const ElementFunction* function;
    std::array<int, kMaxElementOperands> operands;  // earlier values
    std::array<float, kMaxElementParams> params;
  };
  struct Result {
    int output;  // among the pointers a run is given
    ElementType type;
    int value;
    ElementStrides strides = {};  // empty: dense
  };
  std::vector<std::int64_t> dims;  // of all results
  std::vector<Operand> operands;
  std::vector<Step> steps;
  std::vector<Result> results;
  // The steps are those of several calls, one after the other: a result may be written as soon as it is
  // known, since whatever is read later stands elsewhere, and all numbers, NaN among them, are to be those
  // that each call gives alone.
  bool in_order = false;
};

// Whether a chain has to go through memory in tiles, since something is read transposed or written apart.
bool GoesInTiles(const ChainSpec& spec);
// In one dimension, if every operand is one number for all elements or has an element for each of them.
ChainSpec Flattened(ChainSpec spec);

struct ChainPlan {
  enum class Placing : std::uint8_t {
    kDirect,  // read where it is
    kOnce,    // the same for all blocks: expanded when a thread begins
    kBlock,   // expanded for each block
    kTile,    // turned for each tile
  };
  struct Operand {
    int input;
    ElementType type;
    Placing placing;
    std::size_t slot;  // of the scratch memory, unless direct
    ElementStrides strides;
  };
  struct Link {
    ShortFunction function;
    std::uint8_t other;
    std::array<float, kMaxElementParams> params;
  };
  struct Step {
    ElementLoop loop;
    std::array<std::uint8_t, kMaxElementOperands> operands;
    std::uint8_t value;
    int output;  // where it is written straight away; -1: into its slot
    std::size_t slot;
    std::array<float, kMaxElementParams> params;
    std::vector<Link> links = {};  // if there are any: these, one after the other on the first operand
  };
  struct Result {
    int output;
    ElementType type;
    std::uint8_t value;
    ElementStrides strides;  // in tiles only
  };
  // Where steps write straight away, in tiles.
  struct Written {
    int output;
    ElementStrides strides;
  };

  std::vector<std::int64_t> dims;  // neighbours that all operands walk through alike are one; never empty
  std::size_t count = 1;
  std::vector<Operand> operands;
  std::vector<Step> uniform;  // the same for all elements: run when a thread begins
  std::vector<Step> steps;
  std::vector<Result> results;  // those that no step writes
  std::size_t block = 1;        // elements; a slot has room for as many
  std::size_t grain = 1;        // a multiple
  // Instead of blocks of neighbours: rows of tiles, `block` elements at most; `grain` counts tiles then.
  std::optional<TileWalk> walk = std::nullopt;
  std::vector<Written> written = {};
  std::size_t tile_scratch = 0;  // where slots of tiles begin, in floats
};

// Throws kInternalError for a spec that contradicts itself.
ChainPlan PlanChain(ChainSpec spec);

}  // namespace foothold
