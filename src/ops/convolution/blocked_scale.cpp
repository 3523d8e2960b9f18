// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// BlockedScale: an image in blocks of channels times a factor for each channel, itself an image of one pixel.
// Programs do not make it, the pass that blocks channels does.
#include "kernels/channel_blocks.h"
#include "kernels/channel_scale.h"
#include "ops/convolution/blocked_conv2d.h"
#include "ops/op.h"

namespace foothold {
namespace {

void InferScale(OpContext& context) {
  const TensorType &x = context.In(0), &factors = context.In(1);
  const bool fits = IsBlocked(x) && IsBlocked(factors) && x.type == DataType::kFloat &&
                    factors.type == DataType::kFloat &&
                    factors.dims == Dims{x.dims[0], x.dims[1], 1, 1, x.dims[4]} &&
                    x.dims[4] == static_cast<std::int64_t>(ChannelBlock());
  if (!fits)
    context.Refuse("x is {} and its factors {}; expected float in blocks of channels and one pixel",
                   ToString(x), ToString(factors));
  context.SetOut(0, x);
}

class ScaleKernel : public Kernel {
 public:
  explicit ScaleKernel(const Dims& dims)
      : planes_(static_cast<std::size_t>(dims[0] * dims[1])),
        pixels_(static_cast<std::size_t>(dims[2] * dims[3])) {}

  void Run(const RunArgs& args) const override {
    ScaleChannels(planes_, pixels_, args.In<float>(0), args.In<float>(1), args.Out<float>(0));
  }

 private:
  std::size_t planes_, pixels_;
};

const RegisterOp scale(OpDef("BlockedScale")
                           .Infer(InferScale)
                           .Lower([](OpContext& context) -> std::unique_ptr<Kernel> {
                             return std::make_unique<ScaleKernel>(context.InDims(0));
                           })
                           .InPlace(0, 0)
                           .Types({DataType::kFloat}));

}  // namespace
}  // namespace foothold
