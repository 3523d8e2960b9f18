// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own that write where they stand. AclnnCacheUpdate: into slice b of x, from place
// indices[b] of 'axis' on, slice b of updates; with two columns, indices[b] are b and the place. With 'item',
// x is one slice, that of this number. AclnnFillDiagonal: one value into the diagonal, which begins anew
// below square parts of a high matrix if it 'wrap's.
#include <cstring>

#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"
#include "ops/norm/channels.h"

namespace foothold {
namespace {

struct Update {
  Update(const OpContext& context)
      : indices(context, context.Port("indices")),
        mask(context.Has("mask") ? context.Port("mask") : -1),
        item(context.node().Int("item", -1)),
        name(context.node().Description()) {
    const Dims& x = context.InDims(0);
    const Dims& given = context.In("indices").dims;
    axis = AxisIn(context, RequiredInt(context, "axis"), x.size(), "attribute 'axis'");
    pairs = given.size() == 2;
    slices = static_cast<std::size_t>(x[0]);
    updates = item >= 0 ? 1 : static_cast<std::size_t>(context.In("updates").dims[0]);
    lines = Product(x, 1, axis);
    length = static_cast<std::size_t>(x[axis]);
    count = static_cast<std::size_t>(context.In("updates").dims[axis]);
    block = Product(x, axis + 1, x.size()) * ElementBytes(context, context.In(0).type);
  }
  IndexReader indices;
  int mask;
  std::int64_t item;
  std::string name;
  std::size_t axis, slices, updates, lines, length, count, block;
  bool pairs;
};

void InferUpdate(OpContext& context) {
  const TensorType &x = context.In(0), &updates = context.In("updates");
  const Dims& indices = context.In("indices").dims;
  if (x.dims.size() < 2 || updates.dims.size() != x.dims.size() || updates.type != x.type)
    context.Refuse("x is {} and updates {}, expected as many dimensions", ToString(x), ToString(updates));
  const std::size_t axis = AxisIn(context, RequiredInt(context, "axis"), x.dims.size(), "attribute 'axis'");
  if (context.node().Int("item", -1) >= updates.dims[0])
    context.Refuse("update {} is asked for; updates is {}", context.node().Int("item", -1),
                   ToString(updates));
  if (axis == 0) context.Refuse("attribute 'axis' is the first dimension, expected another");
  for (std::size_t i = 1; i < x.dims.size(); ++i)
    if (updates.dims[i] > x.dims[i] || (i != axis && updates.dims[i] != x.dims[i]))
      context.Refuse("updates is {} for x {}", ToString(updates), ToString(x));
  const bool pairs = indices.size() == 2 && indices[1] == 2;
  if ((indices.size() != 1 && !pairs) || indices[0] != updates.dims[0])
    context.Refuse("indices is {}, expected a place, or two numbers, for each of {} updates",
                   ToString(indices), updates.dims[0]);
  context.SetOut(0, x);
}

// Which slice, and where.
std::pair<std::size_t, std::size_t> PlaceOf(const Update& u, const RunArgs& args, std::size_t from) {
  const bool named = u.pairs && u.item < 0;
  const std::size_t slice = named ? u.indices.At(args, 2 * from, u.slices) : u.item >= 0 ? 0 : from;
  const std::int64_t at = u.indices.Raw(args, u.pairs ? 2 * from + (named ? 1 : 0) : from);
  if (slice >= u.slices || at < 0 || static_cast<std::size_t>(at) + u.count > u.length)
    Fail(kInvalidParam, "{}: {} elements from {} on of slice {}; there are {} of {}", u.name, u.count, at,
         slice, u.slices, u.length);
  return {slice, static_cast<std::size_t>(at)};
}

std::unique_ptr<Kernel> LowerUpdate(OpContext& context) {
  const Update u(context);
  const std::size_t bytes = ByteSize(context.In(0));
  const int updates = context.Port("updates");
  return KernelOf([=](const RunArgs& args) {
    std::byte* y = args.outputs[0];
    if (bytes > 0 && y != args.inputs[0]) std::memcpy(y, args.inputs[0], bytes);
    for (std::size_t i = 0; u.block > 0 && i < u.updates; ++i) {
      const std::size_t from = u.item >= 0 ? static_cast<std::size_t>(u.item) : i;
      if (u.mask >= 0 && args.In<std::uint8_t>(u.mask)[from] == 0) continue;
      const auto [slice, at] = PlaceOf(u, args, from);
      for (std::size_t line = 0; line < u.lines; ++line)
        std::memcpy(y + ((slice * u.lines + line) * u.length + at) * u.block,
                    args.inputs[updates] + (from * u.lines + line) * u.count * u.block, u.count * u.block);
    }
  });
}

void InferDiagonal(OpContext& context) {
  const Dims& x = context.InDims(0);
  if (x.size() < 2) context.Refuse("x is {}, expected two dimensions or more", ToString(context.In(0)));
  for (const std::int64_t size : x)
    if (x.size() > 2 && size != x[0]) context.Refuse("x is {}, expected one size", ToString(context.In(0)));
  context.SetOut(0, context.In(0));
}

std::unique_ptr<Kernel> LowerDiagonal(OpContext& context) {
  const Dims x = context.InDims(0);
  const bool wraps = context.node().Bool("wrap", false);
  const std::size_t count = static_cast<std::size_t>(ElementCount(x));
  std::size_t step = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    step += Product(x, i + 1, x.size());
  const auto width = static_cast<std::size_t>(x.back()), height = static_cast<std::size_t>(x[0]);
  const std::size_t end = x.size() == 2 && height > width && !wraps ? width * width : count;
  return MovingKernel(context, context.In(0).type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([=](const RunArgs& args) {
      T* y = args.Out<T>(0);
      if (count > 0 && args.outputs[0] != args.inputs[0]) std::memcpy(y, args.inputs[0], count * sizeof(T));
      for (std::size_t i = 0; i < end; i += step)
        y[i] = args.In<T>(1)[0];
    });
  });
}

const RegisterOp updates({
    OpDef("AclnnCacheUpdate").Infer(InferUpdate).Lower(LowerUpdate).InPlace(0, 0),
    OpDef("AclnnFillDiagonal").Infer(InferDiagonal).Lower(LowerDiagonal).InPlace(0, 0),
});

}  // namespace
}  // namespace foothold
