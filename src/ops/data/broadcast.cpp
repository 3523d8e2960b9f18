// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Repeating a tensor: Tile by numbers of copies, BroadcastTo and Expand to a shape.
#include <algorithm>

#include "ops/data/broadcast_copy.h"
#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

std::unique_ptr<Kernel> LowerRepeat(OpContext& context) {
  Ignore(context, {"multiples", "shape"});
  ByteSize(context.Out(0));
  const std::size_t size = ElementBytes(context, context.In(0).type);
  return std::make_unique<CopyKernel>(
      std::vector<PortCopy>{{0, 0, RepeatingCopy(context.InDims(0), context.Out(0).dims, size)}});
}

void InferTile(OpContext& context) {
  const std::vector<std::int64_t> multiples = IntsArgument(context, "multiples");
  const std::size_t rank = context.InDims(0).size();
  if (multiples.size() < rank)
    context.Refuse("multiples has {} numbers for {} dimensions", multiples.size(), rank);
  Dims dims = WithLeadingOnes(context.InDims(0), multiples.size());
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (multiples[i] < 0 || __builtin_mul_overflow(dims[i], multiples[i], &dims[i]))
      context.Refuse("a dimension of {} cannot be repeated {} times", dims[i], multiples[i]);
  context.SetOut(0, context.In(0).type, std::move(dims), context.In(0).format);
}

void RefuseBroadcast(const OpContext& context, const Dims& shape) {
  context.Refuse("x {} does not broadcast to {}", ToString(context.InDims(0)), ToString(shape));
}

// -1 keeps the dimension of x.
void InferBroadcastTo(OpContext& context) {
  const Dims shape = IntsArgument(context, "shape");
  if (shape.size() < context.InDims(0).size()) RefuseBroadcast(context, shape);
  const Dims dims = WithLeadingOnes(context.InDims(0), shape.size());
  Dims result = shape;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (shape[i] == -1) result[i] = dims[i];
    if (result[i] < 0 || (dims[i] != 1 && dims[i] != result[i])) RefuseBroadcast(context, shape);
  }
  context.SetOut(0, context.In(0).type, std::move(result), context.In(0).format);
}

// Both ways: a 1 of the shape keeps the dimension of x too.
void InferExpand(OpContext& context) {
  const Dims wanted = IntsArgument(context, "shape");
  const std::size_t rank = std::max(wanted.size(), context.InDims(0).size());
  const Dims shape = WithLeadingOnes(wanted, rank);
  const Dims dims = WithLeadingOnes(context.InDims(0), rank);
  Dims result = shape;
  for (std::size_t i = 0; i < rank; ++i) {
    if (shape[i] == -1 || shape[i] == 1) result[i] = dims[i];
    if (result[i] < 0 || (dims[i] != 1 && dims[i] != result[i])) RefuseBroadcast(context, wanted);
  }
  context.SetOut(0, context.In(0).type, std::move(result), context.In(0).format);
}

// Nothing where a tile of more than one element is repeated.
std::optional<StridedView> SelectRepeated(const OpContext& context, int, const StridedView& x) {
  return Repeated(x, context.Out(0).dims);
}

OpDef Repeating(const char* type, void (*infer)(OpContext&)) {
  return OpDef(type).Infer(infer).Lower(LowerRepeat).Selects("x", SelectRepeated).Types(WholeByteTypes());
}

const RegisterOp repeats({
    Repeating("Tile", InferTile),
    Repeating("TileD", InferTile),
    Repeating("BroadcastTo", InferBroadcastTo),
    Repeating("BroadcastToD", InferBroadcastTo),
    Repeating("Expand", InferExpand),
    Repeating("ExpandD", InferExpand),
});

}  // namespace
}  // namespace foothold
