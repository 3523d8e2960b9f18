// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cmath>

#include "ops/data/indexed_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/resize/resize_image.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

std::vector<std::int64_t> Nearest(PixelMap map, ResizeSide side) {
  std::vector<std::int64_t> picks;
  const float scale = map.Scale(side);
  for (std::int64_t i = 0; i < side.to; ++i) {
    const auto at = static_cast<float>(i);
    const float place = map.half_pixels     ? std::floor((at + 0.5f) * scale)
                        : map.align_corners ? std::round(at * scale)
                                            : std::floor(at * scale);
    picks.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(place), 0, side.from - 1));
  }
  return picks;
}

void InferNearest(OpContext& context) {
  ReadPixelMap(context);
  context.SetOut(0, context.In(0).type, ResizedDims(ReadResize(context)), context.In(0).format);
}

std::unique_ptr<Kernel> LowerNearest(OpContext& context) {
  const ResizeImage image = ReadResize(context);
  const PixelMap map = ReadPixelMap(context);
  Ignore(context, {"size"});
  ByteSize(context.Out(0));
  std::vector<std::vector<std::int64_t>> picks(4);
  const std::size_t height = image.channels_last ? 1 : 2;
  if (ElementCount(context.Out(0).dims) > 0) {
    picks[height] = Nearest(map, image.height);
    picks[height + 1] = Nearest(map, image.width);
  }
  return LowerPicks(context, picks);
}

const RegisterOp nearest({
    OpDef("ResizeNearestNeighborV2").Infer(InferNearest).Lower(LowerNearest).Types(WholeByteTypes()),
    OpDef("ResizeNearestNeighborV2D").Infer(InferNearest).Lower(LowerNearest).Types(WholeByteTypes()),
});

}  // namespace
}  // namespace foothold
