// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Blocks of pixels into channels and back: some axes are split, reordered and joined with others.
#include "ops/data/reorder.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

// An image of four dimensions as the block operators see it.
struct Image {
  bool channels_last;
  std::int64_t n, c, h, w;
  Dims Of(std::int64_t channels, std::int64_t height, std::int64_t width) const {
    return channels_last ? Dims{n, height, width, channels} : Dims{n, channels, height, width};
  }
};

Image ImageOf(const OpContext& context) {
  const TensorType& x = context.In(0);
  const Dims& d = x.dims;
  if (d.size() != 4) context.Refuse("x is {}, expected 4 dimensions", ToString(x));
  for (const std::int64_t dim : d)
    if (dim > INT32_MAX) context.Refuse("x is {}, which has a dimension over 2^31", ToString(x));
  std::string layout = context.node().Text("data_format", "NHWC");
  if (x.format == Format::kNchw) layout = "NCHW";
  if (x.format == Format::kNhwc) layout = "NHWC";
  if (layout == "NHWC") return {true, d[0], d[3], d[1], d[2]};
  if (layout != "NCHW") context.Refuse("attribute 'data_format' is '{}', expected NHWC or NCHW", layout);
  return {false, d[0], d[1], d[2], d[3]};
}

std::int64_t BlockSize(const OpContext& context) {
  const std::int64_t block = RequiredInt(context, "block_size");
  constexpr std::int64_t kLargest = 1 << 15;  // its square still counts channels
  if (block < 1 || block > kLargest)
    context.Refuse("attribute 'block_size' is {}, expected 1 to {}", block, kLargest);
  return block;
}

bool IsCrd(const OpContext& context) {
  const std::string mode = context.node().Text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") context.Refuse("attribute 'mode' is '{}', expected DCR or CRD", mode);
  return mode == "CRD";
}

void InferDepthToSpace(OpContext& context) {
  const Image x = ImageOf(context);
  const std::int64_t block = BlockSize(context);
  IsCrd(context);
  if (x.c % (block * block) != 0)
    context.Refuse("{} channels are no multiple of block_size {} squared", x.c, block);
  context.SetOut(0, context.In(0).type, x.Of(x.c / (block * block), x.h * block, x.w * block),
                 context.In(0).format);
}

std::unique_ptr<Kernel> LowerDepthToSpace(OpContext& context) {
  const Image x = ImageOf(context);
  const std::int64_t b = BlockSize(context);
  const std::int64_t c = x.c / (b * b);
  const bool crd = IsCrd(context);
  if (x.channels_last)
    return crd ? LowerReorder(context, {x.n, x.h, x.w, c, b, b}, {0, 1, 4, 2, 5, 3})
               : LowerReorder(context, {x.n, x.h, x.w, b, b, c}, {0, 1, 3, 2, 4, 5});
  return crd ? LowerReorder(context, {x.n, c, b, b, x.h, x.w}, {0, 1, 4, 2, 5, 3})
             : LowerReorder(context, {x.n, b, b, c, x.h, x.w}, {0, 3, 4, 1, 5, 2});
}

void InferSpaceToDepth(OpContext& context) {
  const Image x = ImageOf(context);
  const std::int64_t block = BlockSize(context);
  if (x.h % block != 0 || x.w % block != 0)
    context.Refuse("height {} or width {} is no multiple of block_size {}", x.h, x.w, block);
  context.SetOut(0, context.In(0).type, x.Of(x.c * block * block, x.h / block, x.w / block),
                 context.In(0).format);
}

std::unique_ptr<Kernel> LowerSpaceToDepth(OpContext& context) {
  const Image x = ImageOf(context);
  const std::int64_t b = BlockSize(context);
  if (x.channels_last) return LowerReorder(context, {x.n, x.h / b, b, x.w / b, b, x.c}, {0, 1, 3, 2, 4, 5});
  return LowerReorder(context, {x.n, x.c, x.h / b, b, x.w / b, b}, {0, 3, 5, 1, 2, 4});
}

const RegisterOp blocks({
    OpDef("DepthToSpace").Infer(InferDepthToSpace).Lower(LowerDepthToSpace).Types(WholeByteTypes()),
    OpDef("SpaceToDepth").Infer(InferSpaceToDepth).Lower(LowerSpaceToDepth).Types(WholeByteTypes()),
});

}  // namespace
}  // namespace foothold
