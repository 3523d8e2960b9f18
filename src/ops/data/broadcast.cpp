// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Repeating a tensor: Tile by numbers of copies, BroadcastTo and Expand to a shape.
#include <algorithm>

#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"

namespace foothold {
namespace {

// x with ones in front, so that it has as many dimensions as the result.
Dims Leading(const Dims& dims, std::size_t rank) {
  Dims leading(rank - dims.size(), 1);
  leading.insert(leading.end(), dims.begin(), dims.end());
  return leading;
}

// Each dimension of x, repeated as often as it takes to fill the result.
std::unique_ptr<Kernel> LowerRepeat(OpContext& context) {
  Ignore(context, {"multiples", "shape"});
  const Dims& out = context.Out(0).dims;
  const std::size_t size = ElementBytes(context, context.In(0).type);
  if (ByteSize(context.Out(0)) == 0) return std::make_unique<CopyKernel>(std::vector<PortCopy>());
  const Dims dims = Leading(context.InDims(0), out.size());
  const auto from = Strides(dims, size);
  const auto to = Strides(out, size);
  std::vector<CopyAxis> axes;
  for (std::size_t i = 0; i < out.size(); ++i) {
    axes.push_back({static_cast<std::size_t>(out[i] / dims[i]), 0, to[i] * dims[i]});
    axes.push_back({static_cast<std::size_t>(dims[i]), from[i], to[i]});
  }
  return std::make_unique<CopyKernel>(std::vector<PortCopy>{{0, 0, StridedCopy(size, std::move(axes))}});
}

void InferTile(OpContext& context) {
  const std::vector<std::int64_t> multiples = IntsArgument(context, "multiples");
  const std::size_t rank = context.InDims(0).size();
  if (multiples.size() < rank)
    context.Refuse("multiples has {} numbers for {} dimensions", multiples.size(), rank);
  Dims dims = Leading(context.InDims(0), multiples.size());
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
  const Dims dims = Leading(context.InDims(0), shape.size());
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
  const Dims shape = Leading(wanted, rank);
  const Dims dims = Leading(context.InDims(0), rank);
  Dims result = shape;
  for (std::size_t i = 0; i < rank; ++i) {
    if (shape[i] == -1 || shape[i] == 1) result[i] = dims[i];
    if (result[i] < 0 || (dims[i] != 1 && dims[i] != result[i])) RefuseBroadcast(context, wanted);
  }
  context.SetOut(0, context.In(0).type, std::move(result), context.In(0).format);
}

OpDef Repeating(const char* type, void (*infer)(OpContext&)) {
  return OpDef(type).Infer(infer).Lower(LowerRepeat);
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
