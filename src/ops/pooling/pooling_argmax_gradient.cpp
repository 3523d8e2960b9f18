// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// MaxPoolGradWithArgmaxV1: gradients go back to where the maxima were found, row * width + column within
// their planes. How the windows lay does not matter any more.
#include <algorithm>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/through_float.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

void InferArgmaxGradient(OpContext& context) {
  const TensorType &x = context.In("x"), &grad = context.In("grad"), &argmax = context.In("argmax");
  const bool last = x.format == Format::kNhwc;
  const ImageDims image = ImageDimsOf(context, x.dims, last, "x");
  const ImageDims pooled = ImageDimsOf(context, grad.dims, last, "grad");
  if (grad.type != x.type || pooled.batch != image.batch || pooled.channels != image.channels)
    context.Refuse("grad is {}, expected the planes of x, {}", ToString(grad), ToString(x));
  if (argmax.dims != grad.dims)
    context.Refuse("argmax is {}, expected a place for each element of grad, {}", ToString(argmax),
                   ToString(grad));
  context.SetOut(0, x);
}

template <typename T>
class ArgmaxGradient : public Kernel {
 public:
  explicit ArgmaxGradient(const OpContext& context)
      : places_(context, context.Port("argmax")), gradient_(context.Port("grad")) {
    last_ = context.In("x").format == Format::kNhwc;
    const ImageDims image = ImageDimsOf(context, context.In("x").dims, last_, "x");
    const ImageDims pooled = ImageDimsOf(context, context.In("grad").dims, last_, "grad");
    planes_ = Product({image.batch, image.channels}, 0, 2);
    channels_ = static_cast<std::size_t>(image.channels);
    pixels_ = Product({image.height, image.width}, 0, 2);
    windows_ = Product({pooled.height, pooled.width}, 0, 2);
  }

  void Run(const RunArgs& args) const override {
    ParallelFor(planes_, 1 + 16384 / (1 + pixels_), [&](std::size_t begin, std::size_t end) {
      for (std::size_t plane = begin; plane < end; ++plane)
        RunPlane(args, plane);
    });
  }

 private:
  std::size_t First(std::size_t plane, std::size_t size) const {
    return last_ ? plane / channels_ * size * channels_ + plane % channels_ : plane * size;
  }

  void RunPlane(const RunArgs& args, std::size_t plane) const {
    const std::size_t step = last_ ? channels_ : 1, first = First(plane, windows_);
    T* y = args.Out<T>(0) + First(plane, pixels_);
    for (std::size_t i = 0; i < pixels_; ++i)
      y[i * step] = T{};
    for (std::size_t i = 0; i < windows_; ++i)
      y[places_.At(args, first + i * step, pixels_) * step] += args.In<T>(gradient_)[first + i * step];
  }

  IndexReader places_;
  int gradient_;
  bool last_;
  std::size_t planes_, channels_, pixels_, windows_;
};

std::unique_ptr<Kernel> LowerArgmaxGradient(OpContext& context) {
  const DataType type = context.In("x").type;
  context.SetUnused(context.Port("x"));
  if (type == DataType::kDouble) return std::make_unique<ArgmaxGradient<double>>(context);
  if (ComputesInFloat(type)) return ThroughFloat(context, std::make_unique<ArgmaxGradient<float>>(context));
  context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one", DataTypeName(type));
}

const RegisterOp argmax_gradient(OpDef("MaxPoolGradWithArgmaxV1")
                                     .Infer(InferArgmaxGradient)
                                     .Lower(LowerArgmaxGradient)
                                     .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                                             DataType::kDouble}));

}  // namespace
}  // namespace foothold
