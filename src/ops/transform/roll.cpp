// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements moved along axes, those that fall off one end coming back at the other. Without axes the tensor
// is one line.
#include <algorithm>

#include "ops/data/copy_kernel.h"
#include "ops/data/indexed_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

// The same under the names of the two operators.
struct Moves {
  std::vector<std::int64_t> shifts, axes;
};

Moves MovesOf(const OpContext& context) {
  if (context.Has("shift")) return {context.NeededInts("shift"), context.NeededInts("axes")};
  return {RequiredInts(context, "shifts"), context.node().Ints("dims")};
}

// How far each axis moves, from 0 to its length. Moves of one axis add up.
std::vector<std::int64_t> Distances(const OpContext& context, const Moves& moves) {
  const Dims& dims = context.InDims(0);
  if (moves.shifts.size() != moves.axes.size())
    context.Refuse("there are {} shifts for {} axes", moves.shifts.size(), moves.axes.size());
  std::vector<std::int64_t> distances(dims.size(), 0);
  for (std::size_t i = 0; i < moves.axes.size(); ++i) {
    const std::size_t axis = AxisIn(context, moves.axes[i], dims.size(), "an axis to roll");
    const std::int64_t length = std::max<std::int64_t>(1, dims[axis]);
    distances[axis] = (distances[axis] + moves.shifts[i] % length + length) % length;
  }
  return distances;
}

bool WholeLine(const OpContext& context, const Moves& moves) {
  if (!moves.axes.empty() || moves.shifts.empty()) return false;
  if (moves.shifts.size() != 1) context.Refuse("there are {} shifts and no axes", moves.shifts.size());
  return true;
}

void InferRoll(OpContext& context) {
  const Moves moves = MovesOf(context);
  if (!WholeLine(context, moves)) Distances(context, moves);
  context.SetOut(0, context.In(0));
}

std::unique_ptr<Kernel> RollLine(const OpContext& context, std::int64_t shift) {
  const std::size_t size = ElementBytes(context, context.In(0).type);
  const std::int64_t count = ElementCount(context.InDims(0));
  const std::int64_t length = std::max<std::int64_t>(1, count);
  const std::int64_t distance = (shift % length + length) % length;
  const auto unit = static_cast<std::ptrdiff_t>(size);
  const auto part = [&](std::int64_t steps, std::int64_t from, std::int64_t to) {
    return PortCopy{
        0, 0, StridedCopy(size, {{static_cast<std::size_t>(steps), unit, unit}}, from * unit, to * unit)};
  };
  if (count == 0) return std::make_unique<CopyKernel>(std::vector<PortCopy>());
  return std::make_unique<CopyKernel>(
      std::vector<PortCopy>{part(count - distance, 0, distance), part(distance, count - distance, 0)});
}

std::unique_ptr<Kernel> LowerRoll(OpContext& context) {
  const Moves moves = MovesOf(context);
  Ignore(context, {"shift", "axes"});
  if (WholeLine(context, moves)) return RollLine(context, moves.shifts[0]);
  const Dims& dims = context.InDims(0);
  const std::vector<std::int64_t> distances = Distances(context, moves);
  std::vector<std::vector<std::int64_t>> picks(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i)
    for (std::int64_t k = 0; distances[i] != 0 && k < dims[i]; ++k)
      picks[i].push_back((k - distances[i] + dims[i]) % dims[i]);
  return LowerPicks(context, picks);
}

const RegisterOp rolls({OpDef("Roll").Infer(InferRoll).Lower(LowerRoll).Types(WholeByteTypes()),
                        OpDef("RollV2").Infer(InferRoll).Lower(LowerRoll).Types(WholeByteTypes())});

}  // namespace
}  // namespace foothold
