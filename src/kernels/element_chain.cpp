// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_chain.h"

#include <algorithm>
#include <cstring>

#include "base/thread_pool.h"

namespace foothold {

using Placing = ChainPlan::Placing;

// What one thread works with.
struct ElementChain::Frame {
  std::byte* const* outputs;
  const float* values[kMaxChainValues];
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
    for (std::size_t row = 0; row < tile.rows; ++row) {
      PlaceRow(tile, row, inputs, frame);
      for (const auto& written : plan_.written)
        rows[written.output] =
            outputs[written.output] + (TileWalk::Offset(tile, written.strides) +
                                       static_cast<std::int64_t>(row) * written.strides.end()[-2]) *
                                          static_cast<std::int64_t>(sizeof(float));
      RunSteps(plan_.steps, frame, 0, tile.columns);
      StoreRow(tile, row, outputs, frame);
    }
  }
}

void ElementChain::TurnTile(const TileWalk::Tile& tile, const std::byte* const* inputs, Frame& frame) const {
  for (const auto& operand : plan_.operands) {
    if (operand.placing != Placing::kTile) continue;
    const std::size_t size = SizeOf(operand.type), count = tile.rows * tile.columns;
    const std::byte* const from =
        inputs[operand.input] + TileWalk::Offset(tile, operand.strides) * static_cast<std::int64_t>(size);
    float* const to =
        frame.scratch + plan_.tile_scratch + operand.slot * plan_.walk->rows() * plan_.walk->columns();
    alignas(64) std::byte turned[kMostTileElements * sizeof(std::uint16_t)];
    const bool wide = size == sizeof(float);
    std::byte* const packed = wide ? reinterpret_cast<std::byte*>(to) : turned;
    GatherTile(from, operand.strides.end()[-2], operand.strides.back(), packed, tile.columns, tile.rows,
               tile.columns, size);
    if (operand.type != ElementType::kFloat) LoadFloats(operand.type, packed, 1, to, count);
  }
}

void ElementChain::PlaceRow(const TileWalk::Tile& tile, std::size_t row, const std::byte* const* inputs,
                            Frame& frame) const {
  const auto down = static_cast<std::int64_t>(row);
  for (std::size_t i = 0; i < plan_.operands.size(); ++i) {
    const auto& operand = plan_.operands[i];
    if (operand.placing == Placing::kOnce) continue;
    if (operand.placing == Placing::kTile) {
      frame.values[i] = frame.scratch + plan_.tile_scratch +
                        operand.slot * plan_.walk->rows() * plan_.walk->columns() + row * tile.columns;
      continue;
    }
    const std::int64_t offset = TileWalk::Offset(tile, operand.strides) + down * operand.strides.end()[-2];
    const std::byte* const from =
        inputs[operand.input] + offset * static_cast<std::int64_t>(SizeOf(operand.type));
    if (operand.placing == Placing::kDirect) {
      frame.values[i] = reinterpret_cast<const float*>(from);
      continue;
    }
    float* const slot = frame.scratch + operand.slot * plan_.block;
    LoadFloats(operand.type, from, operand.strides.back(), slot, tile.columns);
    frame.values[i] = slot;
  }
}

void ElementChain::StoreRow(const TileWalk::Tile& tile, std::size_t row, std::byte* const* outputs,
                            Frame& frame) const {
  for (const auto& result : plan_.results) {
    const std::size_t size = SizeOf(result.type);
    const std::int64_t offset =
        TileWalk::Offset(tile, result.strides) + static_cast<std::int64_t>(row) * result.strides.end()[-2];
    std::byte* const to = outputs[result.output] + offset * static_cast<std::int64_t>(size);
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
