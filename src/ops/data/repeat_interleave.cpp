// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// RepeatInterleave: each slice along an axis several times in a row, all equally often or each as often as a
// list says.
#include <numeric>

#include "ops/data/copy_kernel.h"
#include "ops/data/indexed_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::int64_t kFlat = 1000;  // instead of an axis: x as one line

Dims LinesOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  return context.node().Int("axis", kFlat) == kFlat ? Dims{ElementCount(x)} : x;
}

std::size_t AxisOf(const OpContext& context, const Dims& lines) {
  const std::int64_t axis = context.node().Int("axis", kFlat);
  return axis == kFlat ? 0 : AxisIn(context, axis, lines.size(), "attribute 'axis'");
}

std::vector<std::int64_t> RepeatsOf(const OpContext& context, std::int64_t dim) {
  std::vector<std::int64_t> repeats = context.NeededInts("repeats");
  if (repeats.size() != 1 && repeats.size() != static_cast<std::size_t>(dim))
    context.Refuse("there are {} repeats, expected one or one for each of {} slices", repeats.size(), dim);
  for (const std::int64_t count : repeats)
    if (count < 0) context.Refuse("a slice is to be repeated {} times, expected 0 or more", count);
  return repeats;
}

void InferRepeat(OpContext& context) {
  Dims dims = LinesOf(context);
  std::int64_t& dim = dims[AxisOf(context, dims)];
  const std::vector<std::int64_t> repeats = RepeatsOf(context, dim);
  std::int64_t total = 0;
  bool wraps = repeats.size() == 1 && __builtin_mul_overflow(dim, repeats[0], &total);
  if (repeats.size() > 1)
    for (const std::int64_t count : repeats)
      wraps = wraps || __builtin_add_overflow(total, count, &total);
  if (wraps) context.Refuse("the slices are repeated more often than there can be elements");
  dim = total;
  context.SetOut(0, context.In(0).type, std::move(dims), Format::kNd);
}

// Every slice as often.
std::unique_ptr<Kernel> LowerEqually(const OpContext& context, const Dims& lines, std::size_t axis,
                                     std::int64_t repeats) {
  const std::size_t size = ElementBytes(context, context.In(0).type);
  const std::size_t block = Product(lines, axis + 1, lines.size());
  const auto step = static_cast<std::ptrdiff_t>(block * size);
  const std::vector<CopyAxis> axes{
      {Product(lines, 0, axis + 1), step, step * repeats},
      {static_cast<std::size_t>(repeats), 0, step},
      {block, static_cast<std::ptrdiff_t>(size), static_cast<std::ptrdiff_t>(size)}};
  return std::make_unique<CopyKernel>(std::vector<PortCopy>{{0, 0, StridedCopy(size, axes)}});
}

std::unique_ptr<Kernel> LowerRepeat(OpContext& context) {
  const Dims lines = LinesOf(context);
  const std::size_t axis = AxisOf(context, lines);
  const std::vector<std::int64_t> repeats = RepeatsOf(context, lines[axis]);
  Ignore(context, {"repeats"});
  ByteSize(context.Out(0));
  if (repeats.size() == 1) return LowerEqually(context, lines, axis, repeats[0]);
  std::vector<std::vector<std::int64_t>> picks(lines.size());
  for (std::size_t i = 0; i < repeats.size(); ++i)
    picks[axis].insert(picks[axis].end(), static_cast<std::size_t>(repeats[i]), static_cast<std::int64_t>(i));
  return LowerPicks(context, lines, picks);
}

const RegisterOp repeat_interleave(
    OpDef("RepeatInterleave").Infer(InferRepeat).Lower(LowerRepeat).Types(WholeByteTypes()));

}  // namespace
}  // namespace foothold
