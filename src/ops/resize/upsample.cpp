// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Every pixel repeated along height and width, times a factor.
#include "ops/data/indexed_kernel.h"
#include "ops/resize/resample_kernel.h"
#include "ops/type_lists.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

struct Repeats {
  std::size_t axis;  // the height; the width follows
  std::int64_t height, width;
};

Repeats RepeatsOf(const OpContext& context) {
  const Node& node = context.node();
  const TensorType& x = context.In(0);
  const bool last = ChannelsLast(context, x, "NCHW");
  const ImageDims image = ImageDimsOf(context, x.dims, last, "x");
  const Repeats repeats{last ? 1u : 2u, node.Int("stride_h", 2), node.Int("stride_w", 2)};
  for (const std::int64_t side : {image.height, image.width, repeats.height, repeats.width})
    if (side < 0 || side > kMostExtent)
      context.Refuse("{} is out of range for a side or its repetition", side);
  if (repeats.height < 1 || repeats.width < 1)
    context.Refuse("stride_h is {} and stride_w {}; they must be at least 1", repeats.height, repeats.width);
  return repeats;
}

void InferUpsample(OpContext& context) {
  const Repeats repeats = RepeatsOf(context);
  Dims dims = context.InDims(0);
  dims[repeats.axis] *= repeats.height;
  dims[repeats.axis + 1] *= repeats.width;
  ElementCount(dims);
  context.SetOut(0, context.In(0).type, dims, context.In(0).format);
}

std::vector<std::int64_t> Picks(std::int64_t count, std::int64_t repeat) {
  std::vector<std::int64_t> picks;
  for (std::int64_t i = 0; i < count * repeat; ++i)
    picks.push_back(i / repeat);
  return picks;
}

AxisResize Resized(std::size_t axis, const std::vector<std::int64_t>& picks, double factor) {
  AxisResize resize{axis, {}, {}};
  for (const std::int64_t pick : picks) {
    resize.taps.Add(static_cast<std::size_t>(pick), factor);
    resize.taps.EndResult();
  }
  return resize;
}

std::unique_ptr<Kernel> LowerUpsample(OpContext& context) {
  const Repeats repeats = RepeatsOf(context);
  const Dims& dims = context.InDims(0);
  const std::vector<std::int64_t> rows = Picks(dims[repeats.axis], repeats.height);
  const std::vector<std::int64_t> columns = Picks(dims[repeats.axis + 1], repeats.width);
  const float factor = context.node().Float("scale", 1.0f);
  if (factor != 1.0f) {
    std::vector<AxisResize> axes;
    axes.push_back(Resized(repeats.axis, rows, static_cast<double>(factor)));
    axes.push_back(Resized(repeats.axis + 1, columns, 1.0));
    return LowerResample(context, std::move(axes));
  }
  std::vector<std::vector<std::int64_t>> picks(4);
  picks[repeats.axis] = rows;
  picks[repeats.axis + 1] = columns;
  return LowerPicks(context, picks);
}

const RegisterOp upsample(
    OpDef("Upsample").Infer(InferUpsample).Lower(LowerUpsample).Types(NumberAndBoolTypes()));

}  // namespace
}  // namespace foothold
