// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

std::int64_t TilesOf(const OpContext& context) {
  const std::int64_t tiles = RequiredInt(context, "tiles");
  if (tiles < 0 || tiles > kMostExtent) context.Refuse("tiles is {}, which is out of range", tiles);
  return tiles;
}

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, context.node().Int("axis", 1), context.InDims(0).size(), "attribute 'axis'");
}

void InferTile(OpContext& context) {
  Dims dims = context.InDims(0);
  std::int64_t& extent = dims[AxisOf(context)];
  extent = ElementCount({extent, TilesOf(context)});
  ElementCount(dims);
  context.SetOut(0, context.In(0).type, dims, context.In(0).format);
}

std::unique_ptr<Kernel> LowerTile(OpContext& context) {
  const Dims& dims = context.InDims(0);
  const std::size_t axis = AxisOf(context), size = ElementBytes(context, context.In(0).type);
  const auto tiles = static_cast<std::size_t>(TilesOf(context));
  const std::size_t outer = Product(dims, 0, axis), row = Product(dims, axis, dims.size());
  const auto bytes = static_cast<std::ptrdiff_t>(row * size), unit = static_cast<std::ptrdiff_t>(size);
  return std::make_unique<CopyKernel>(
      std::vector<PortCopy>{{0, 0,
                             StridedCopy(size, {{outer, bytes, bytes * static_cast<std::ptrdiff_t>(tiles)},
                                                {tiles, 0, bytes},
                                                {row, unit, unit}})}});
}

const RegisterOp tile(OpDef("TileWithAxis").Infer(InferTile).Lower(LowerTile).Types(WholeByteTypes()));

}  // namespace
}  // namespace foothold
