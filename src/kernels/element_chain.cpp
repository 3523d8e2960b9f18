// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_chain.h"

#include <algorithm>

#include "base/thread_pool.h"

namespace foothold {

using Placing = ChainPlan::Placing;

// What one thread works with.
struct ElementChain::Frame {
  std::byte* const* outputs;
  const float* values[kMaxChainValues];
  alignas(64) float scratch[kChainScratchFloats];
};

void ElementChain::Run(const std::byte* const* inputs, std::byte* const* outputs) const {
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
