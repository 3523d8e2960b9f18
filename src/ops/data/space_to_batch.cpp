// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// SpaceToBatchND takes a grid apart, one batch for every place in a block; BatchToSpaceND puts it together.
// Element s of the grid along an axis stands in batch part b at s', where s + before = s' * block + b.
#include <algorithm>

#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::int64_t kMostParts = 4096;

struct Grid {
  std::vector<std::int64_t> block, before, after;
  std::int64_t parts = 1;
  std::size_t rank() const { return block.size(); }
};

// `edges` names the paddings or crops: [rank, 2].
Grid Read(const OpContext& context, const char* edges) {
  Grid grid;
  grid.block = IntsArgument(context, "block_shape");
  const std::vector<std::int64_t> pairs = IntsArgument(context, edges);
  const std::size_t rank = grid.rank();
  if (pairs.size() != 2 * rank || context.InDims(0).size() < rank + 1)
    context.Refuse("block_shape has {} sides and {} {} numbers for x {}", rank, edges, pairs.size(),
                   ToString(context.InDims(0)));
  for (std::size_t i = 0; i < rank; ++i) {
    if (grid.block[i] < 1 || pairs[2 * i] < 0 || pairs[2 * i + 1] < 0)
      context.Refuse("a side of {} with {} {} and {} is no block", grid.block[i], edges, pairs[2 * i],
                     pairs[2 * i + 1]);
    if (grid.block[i] > kMostParts || (grid.parts *= grid.block[i]) > kMostParts)
      context.Unsupported("no kernel for blocks of more than {} elements", kMostParts);
    grid.before.push_back(pairs[2 * i]);
    grid.after.push_back(pairs[2 * i + 1]);
  }
  return grid;
}

void InferSpaceToBatch(OpContext& context) {
  const Grid grid = Read(context, "paddings");
  Dims dims = context.InDims(0);
  for (std::size_t i = 0; i < grid.rank(); ++i) {
    std::int64_t& dim = dims[i + 1];
    if (__builtin_add_overflow(dim, grid.before[i], &dim) ||
        __builtin_add_overflow(dim, grid.after[i], &dim) || dim % grid.block[i] != 0)
      context.Refuse("padded dimension {} is no multiple of {}", i + 1, grid.block[i]);
    dim /= grid.block[i];
  }
  if (__builtin_mul_overflow(dims[0], grid.parts, &dims[0]))
    context.Refuse("the batch does not fit into 64 bits");
  context.SetOut(0, context.In(0).type, std::move(dims), context.In(0).format);
}

void InferBatchToSpace(OpContext& context) {
  const Grid grid = Read(context, "crops");
  Dims dims = context.InDims(0);
  if (dims[0] % grid.parts != 0) context.Refuse("a batch of {} has no {} equal parts", dims[0], grid.parts);
  dims[0] /= grid.parts;
  for (std::size_t i = 0; i < grid.rank(); ++i) {
    std::int64_t& dim = dims[i + 1];
    const bool fits = !__builtin_mul_overflow(dim, grid.block[i], &dim);
    if (!fits || grid.before[i] > dim || grid.after[i] > dim - grid.before[i])
      context.Refuse("crops of {} and {} are more than dimension {} has", grid.before[i], grid.after[i],
                     i + 1);
    dim -= grid.before[i] + grid.after[i];
  }
  context.SetOut(0, context.In(0).type, std::move(dims), context.In(0).format);
}

// The steps s' of an axis whose element of the grid exists.
struct Steps {
  std::int64_t first, count;
};
Steps Existing(std::int64_t shift, std::int64_t block, std::int64_t grid_dim, std::int64_t steps) {
  const std::int64_t first = shift >= 0 ? 0 : (-shift + block - 1) / block;
  const std::int64_t end = shift >= grid_dim ? 0 : (grid_dim - shift - 1) / block + 1;
  return {first, std::max<std::int64_t>(std::min(end, steps) - first, 0)};
}

// What moves between the grid and its part number `part`; from and to as seen from the grid.
StridedCopy PartCopy(const Grid& grid, const Dims& whole, const Dims& parts, std::int64_t part,
                     std::size_t size, bool from_grid) {
  const auto of_grid = Strides(whole, size);
  const auto of_parts = Strides(parts, size);
  std::ptrdiff_t grid_offset = 0;
  std::ptrdiff_t part_offset = part * whole[0] * of_parts[0];
  std::vector<CopyAxis> axes;
  const auto add = [&](std::int64_t count, std::ptrdiff_t grid_stride, std::ptrdiff_t part_stride) {
    const auto steps = static_cast<std::size_t>(count);
    axes.push_back(from_grid ? CopyAxis{steps, grid_stride, part_stride}
                             : CopyAxis{steps, part_stride, grid_stride});
  };
  add(whole[0], of_grid[0], of_parts[0]);
  for (std::size_t i = whole.size() - 1; i > grid.rank(); --i)
    add(whole[i], of_grid[i], of_parts[i]);
  for (std::size_t i = grid.rank(); i > 0; --i) {
    const std::int64_t block = grid.block[i - 1];
    const std::int64_t shift = part % block - grid.before[i - 1];
    part /= block;
    const Steps steps = Existing(shift, block, whole[i], parts[i]);
    add(steps.count, block * of_grid[i], of_parts[i]);
    if (steps.count == 0) continue;
    grid_offset += (steps.first * block + shift) * of_grid[i];
    part_offset += steps.first * of_parts[i];
  }
  return from_grid ? StridedCopy(size, std::move(axes), grid_offset, part_offset)
                   : StridedCopy(size, std::move(axes), part_offset, grid_offset);
}

std::unique_ptr<Kernel> LowerSpaceToBatch(OpContext& context) {
  const Grid grid = Read(context, "paddings");
  Ignore(context, {"block_shape", "paddings"});
  const std::size_t size = ElementBytes(context, context.In(0).type);
  std::vector<PortCopy> copies;
  if (const std::size_t bytes = ByteSize(context.Out(0)); bytes > 0) {
    TensorValue zero(TensorType{DataType::kUint8, Format::kNd, {1}});
    *zero.mutable_data() = std::byte{0};
    copies.push_back({context.AddConstant(std::move(zero)), 0, StridedCopy(1, {{bytes, 0, 1}})});
    for (std::int64_t part = 0; part < grid.parts; ++part)
      copies.push_back({0, 0, PartCopy(grid, context.InDims(0), context.Out(0).dims, part, size, true)});
  }
  return std::make_unique<CopyKernel>(std::move(copies));
}

std::unique_ptr<Kernel> LowerBatchToSpace(OpContext& context) {
  const Grid grid = Read(context, "crops");
  Ignore(context, {"block_shape", "crops"});
  const std::size_t size = ElementBytes(context, context.In(0).type);
  std::vector<PortCopy> copies;
  if (ByteSize(context.Out(0)) > 0)
    for (std::int64_t part = 0; part < grid.parts; ++part)
      copies.push_back({0, 0, PartCopy(grid, context.Out(0).dims, context.InDims(0), part, size, false)});
  return std::make_unique<CopyKernel>(std::move(copies));
}

const RegisterOp grids({
    OpDef("SpaceToBatchND").Infer(InferSpaceToBatch).Lower(LowerSpaceToBatch).Types(WholeByteTypes()),
    OpDef("SpaceToBatchNDD").Infer(InferSpaceToBatch).Lower(LowerSpaceToBatch).Types(WholeByteTypes()),
    OpDef("BatchToSpaceND").Infer(InferBatchToSpace).Lower(LowerBatchToSpace).Types(WholeByteTypes()),
    OpDef("BatchToSpaceNDD").Infer(InferBatchToSpace).Lower(LowerBatchToSpace).Types(WholeByteTypes()),
});

}  // namespace
}  // namespace foothold
