// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_chain.h"

#include <algorithm>
#include <cstring>

#include "base/thread_pool.h"
#include "kernels/chain_tile.h"

namespace foothold {

using Placing = ChainPlan::Placing;

// What one thread works with.
struct ElementChain::Frame {
  std::byte* const* outputs;
  const float* values[kMaxChainValues];
  const std::byte* at[kMaxChainValues];  // of operands, in a tile
  std::byte* results[kMaxChainValues];   // the same of what is stored
  alignas(64) float scratch[kChainScratchFloats];
};

namespace {

// Packed elements to places `stride` elements apart.
void Scatter(const std::byte* from, std::byte* to, std::int64_t stride, std::size_t count, std::size_t size) {
  const std::int64_t step = stride * static_cast<std::int64_t>(size);
  for (std::size_t i = 0; i < count; ++i, from += size, to += step)
    std::memcpy(to, from, size);
}

}  // namespace

void ElementChain::Run(const std::byte* const* inputs, std::byte* const* outputs) const {
  if (plan_.walk) {
    ParallelFor(plan_.walk->tiles(), plan_.grain,
                [&](std::size_t begin, std::size_t end) { RunTiles(inputs, outputs, begin, end); });
    return;
  }
  ParallelFor(plan_.count, plan_.grain,
              [&](std::size_t begin, std::size_t end) { RunPiece(inputs, outputs, begin, end); });
}

void ElementChain::RunPiece(const std::byte* const* inputs, std::byte* const* outputs, std::size_t begin,
                            std::size_t end) const {
  Frame frame;
  frame.outputs = outputs;
  const std::size_t first = std::min(plan_.block, end - begin);
  PlaceOperands(Placing::kOnce, inputs, frame, begin, first);
  RunSteps(plan_.uniform, frame, 0, first);
  for (std::size_t at = begin; at < end; at += plan_.block) {
    const std::size_t count = std::min(plan_.block, end - at);
    PlaceOperands(Placing::kBlock, inputs, frame, at, count);
    RunSteps(plan_.steps, frame, at, count);
    for (const auto& result : plan_.results)
      StoreFloats(result.type, frame.values[result.value], outputs[result.output] + at * SizeOf(result.type),
                  count);
  }
}

void ElementChain::RunTiles(const std::byte* const* inputs, std::byte* const* outputs, std::size_t begin,
                            std::size_t end) const {
  Frame frame;
  std::byte* rows[kMaxChainValues];
  frame.outputs = rows;
  for (std::size_t i = 0; i < plan_.operands.size(); ++i) {
    const auto& operand = plan_.operands[i];
    if (operand.placing != Placing::kOnce) continue;
    float* const slot = frame.scratch + operand.slot * plan_.block;
    LoadFloats(operand.type, inputs[operand.input], 0, slot, plan_.block);
    frame.values[i] = slot;
  }
  RunSteps(plan_.uniform, frame, 0, plan_.block);
  for (std::size_t i = begin; i < end; ++i) {
    const TileWalk::Tile tile = plan_.walk->At(i);
    TurnTile(tile, inputs, frame);
    for (const auto& written : plan_.written)
      rows[written.output] = outputs[written.output] + TileWalk::Offset(tile, written.strides) *
                                                           static_cast<std::int64_t>(sizeof(float));
    for (std::size_t k = 0; k < plan_.results.size(); ++k)
      frame.results[k] =
          outputs[plan_.results[k].output] + TileWalk::Offset(tile, plan_.results[k].strides) *
                                                 static_cast<std::int64_t>(SizeOf(plan_.results[k].type));
    for (std::size_t row = 0; row < tile.rows; ++row) {
      PlaceRow(tile, row, inputs, frame);
      RunSteps(plan_.steps, frame, 0, tile.columns);
      StoreRow(tile, row, outputs, frame);
      for (const auto& written : plan_.written)
        rows[written.output] += written.strides.end()[-2] * static_cast<std::int64_t>(sizeof(float));
    }
  }
}

// Finds where operands begin, and turns those that lie the other way round.
void ElementChain::TurnTile(const TileWalk::Tile& tile, const std::byte* const* inputs, Frame& frame) const {
  float* turned = frame.scratch + plan_.tile_scratch;
  for (std::size_t i = 0; i < plan_.operands.size(); ++i) {
    const auto& operand = plan_.operands[i];
    if (operand.placing == Placing::kOnce) continue;
    const std::size_t size = SizeOf(operand.type);
    frame.at[i] =
        inputs[operand.input] + TileWalk::Offset(tile, operand.strides) * static_cast<std::int64_t>(size);
    if (operand.placing != Placing::kTile) continue;
    GatherTile(frame.at[i], operand.strides.end()[-2], operand.strides.back(),
               reinterpret_cast<std::byte*>(turned), tile.columns, tile.rows, tile.columns, size);
    frame.at[i] = reinterpret_cast<const std::byte*>(turned);
    turned += TurnedFloats(plan_.walk->rows() * plan_.walk->columns(), size);
  }
}

void ElementChain::PlaceRow(const TileWalk::Tile& tile, std::size_t row, const std::byte* const*,
                            Frame& frame) const {
  const auto down = static_cast<std::int64_t>(row);
  for (std::size_t i = 0; i < plan_.operands.size(); ++i) {
    const auto& operand = plan_.operands[i];
    switch (operand.placing) {
      case Placing::kOnce:
        break;
      case Placing::kTile: {
        const std::byte* const turned = frame.at[i] + row * tile.columns * SizeOf(operand.type);
        float* const slot = frame.scratch + operand.slot * plan_.block;
        const bool floats = operand.type == ElementType::kFloat;
        if (!floats) LoadFloats(operand.type, turned, 1, slot, tile.columns);
        frame.values[i] = floats ? reinterpret_cast<const float*>(turned) : slot;
        break;
      }
      case Placing::kDirect:
        frame.values[i] = reinterpret_cast<const float*>(frame.at[i]) + down * operand.strides.end()[-2];
        break;
      case Placing::kBlock: {
        const std::int64_t offset = down * operand.strides.end()[-2];
        float* const slot = frame.scratch + operand.slot * plan_.block;
        frame.values[i] = slot;
        if (row > 0 && operand.strides.end()[-2] == 0) break;  // the same again
        LoadFloats(operand.type, frame.at[i] + offset * static_cast<std::int64_t>(SizeOf(operand.type)),
                   operand.strides.back(), slot, tile.columns);
        break;
      }
    }
  }
}

void ElementChain::StoreRow(const TileWalk::Tile& tile, std::size_t row, std::byte* const*,
                            Frame& frame) const {
  for (std::size_t k = 0; k < plan_.results.size(); ++k) {
    const auto& result = plan_.results[k];
    const std::size_t size = SizeOf(result.type);
    std::byte* const to = frame.results[k] + static_cast<std::int64_t>(row) * result.strides.end()[-2] *
                                                 static_cast<std::int64_t>(size);
    const float* const from = frame.values[result.value];
    if (result.strides.back() == 1) {
      StoreFloats(result.type, from, to, tile.columns);
      continue;
    }
    std::byte packed[kMostTileElements * sizeof(float)];
    StoreFloats(result.type, from, packed, tile.columns);
    Scatter(packed, to, result.strides.back(), tile.columns, size);
  }
}

// Direct operands move with the blocks.
void ElementChain::PlaceOperands(Placing placing, const std::byte* const* inputs, Frame& frame,
                                 std::size_t begin, std::size_t count) const {
  for (std::size_t i = 0; i < plan_.operands.size(); ++i) {
    const auto& operand = plan_.operands[i];
    const std::byte* const from = inputs[operand.input];
    if (operand.placing == Placing::kDirect) {
      frame.values[i] = reinterpret_cast<const float*>(from) + begin;
    } else if (operand.placing == placing) {
      frame.values[i] = Expand(operand, from, frame.scratch + operand.slot * plan_.block, begin, count);
    }
  }
}

void ElementChain::RunSteps(const std::vector<ChainPlan::Step>& steps, Frame& frame, std::size_t begin,
                            std::size_t count) const {
  for (const auto& step : steps) {
    float* const to = step.output < 0 ? frame.scratch + step.slot * plan_.block
                                      : reinterpret_cast<float*>(frame.outputs[step.output]) + begin;
    const auto& from = step.operands;
    if (!step.links.empty()) {
      RunLinks(step, frame, to, count);
      continue;
    }
    step.loop(frame.values[from[0]], frame.values[from[1]], frame.values[from[2]], to, count,
              step.params.data());
    frame.values[step.value] = to;
  }
}

void ElementChain::RunLinks(const ChainPlan::Step& step, Frame& frame, float* to, std::size_t count) const {
  SequenceStep sequence[kMaxSequence];
  for (std::size_t i = 0; i < step.links.size(); ++i)
    sequence[i] = {step.links[i].function, frame.values[step.links[i].other], step.links[i].params.data()};
  RunElementSequence(frame.values[step.operands[0]], sequence, step.links.size(), to, count);
  frame.values[step.value] = to;
}

// Where the elements stand in a row already, that is the answer.
const float* ElementChain::Expand(const ChainPlan::Operand& operand, const std::byte* from, float* to,
                                  std::size_t begin, std::size_t count) const {
  const auto& dims = plan_.dims;
  const std::size_t inner = dims.size() - 1;
  const auto size = static_cast<std::int64_t>(SizeOf(operand.type));
  std::int64_t position[kMaxChainDims];
  std::int64_t offset = 0;
  auto rest = static_cast<std::int64_t>(begin);
  for (std::size_t axis = dims.size(); axis-- > 0; rest /= dims[axis]) {
    position[axis] = rest % dims[axis];
    offset += position[axis] * operand.strides[axis];
  }
  const std::int64_t stride = operand.strides[inner];
  for (std::size_t done = 0; done < count;) {
    const std::size_t run = std::min(static_cast<std::size_t>(dims[inner] - position[inner]), count - done);
    const std::byte* const start = from + offset * size;
    if (run == count && stride == 1 && operand.type == ElementType::kFloat)
      return reinterpret_cast<const float*>(start);
    LoadFloats(operand.type, start, stride, to + done, run);
    done += run;
    offset -= position[inner] * stride;
    position[inner] = 0;
    for (std::size_t axis = inner; axis-- > 0;) {
      offset += operand.strides[axis];
      if (++position[axis] < dims[axis]) break;
      offset -= dims[axis] * operand.strides[axis];
      position[axis] = 0;
    }
  }
  return to;
}

}  // namespace foothold
