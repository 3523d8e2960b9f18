// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AclnnScaleWords, an operator of our own: scales of products of integers as words of 64 bits. The low half
// is the scale as a float, the last 13 bits of it 0 ('rounds': to the nearest such, else cut off); bit 46 is
// set, and bits 37 to 45 are the offset, from -256 to 255.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "ops/function_kernel.h"

namespace foothold {
namespace {

constexpr std::uint32_t kKept = 0xFFFFE000u, kHalf = 0x1000u;

std::uint64_t WordOf(float scale, bool rounds) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(scale);
  if (rounds && std::isfinite(scale)) bits += kHalf - 1 + (bits >> 13 & 1);
  return (bits & kKept) | std::uint64_t{1} << 46;
}

std::uint64_t WithOffset(std::uint64_t word, float offset) {
  const float whole = std::isnan(offset) ? 0 : std::clamp(std::nearbyint(offset), -256.0f, 255.0f);
  const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(whole)) & 0x1FFu;
  return (word & 0x4000FFFFFFFFu) | bits << 37;
}

void Infer(OpContext& context) {
  const TensorType& scale = context.In("scale");
  Dims dims = scale.dims;
  if (scale.type != DataType::kFloat) context.Refuse("scale is {}, expected floats", ToString(scale));
  if (context.Has("offset")) {
    const TensorType& offset = context.In("offset");
    const std::int64_t scales = ElementCount(dims), offsets = ElementCount(offset.dims);
    if (offset.type != DataType::kFloat || (scales != offsets && scales != 1 && offsets != 1))
      context.Refuse("offset is {}, expected one float or as many as scale has, {}", ToString(offset),
                     ToString(scale));
    if (scales == 1 && offsets > 1) dims = offset.dims;
  }
  context.SetOut(0, DataType::kInt64, dims, Format::kNd);
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  const auto count = static_cast<std::size_t>(ElementCount(context.Out(0).dims));
  const bool one_scale = ElementCount(context.In("scale").dims) == 1,
             rounds = context.node().Bool("rounds", false);
  const int offset = context.Has("offset") ? context.Port("offset") : -1;
  const bool one_offset = offset >= 0 && ElementCount(context.In(offset).dims) == 1;
  return KernelOf([=](const RunArgs& args) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t word = WordOf(args.In<float>(0)[one_scale ? 0 : i], rounds);
      if (offset >= 0) word = WithOffset(word, args.In<float>(offset)[one_offset ? 0 : i]);
      args.Out<std::uint64_t>(0)[i] = word;
    }
  });
}

const RegisterOp scale_words(OpDef("AclnnScaleWords").Infer(Infer).Lower(Lower));

}  // namespace
}  // namespace foothold
