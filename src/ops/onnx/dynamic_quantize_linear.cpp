// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// OnnxDynamicQuantizeLinear: floats to uint8, with the scale and zero point that their range, made to reach
// 0, asks for. Outputs: the bytes, the scale, the zero point. Where all are 0, or too small for a scale, the
// scale is 1. What is no number is quantised like the least one.
#include <algorithm>
#include <cmath>

#include "kernels/quantize_bytes.h"
#include "ops/op.h"

namespace foothold {
namespace {

class DynamicQuantize : public Kernel {
 public:
  explicit DynamicQuantize(std::size_t count) : count_(count) {}

  std::size_t WorkspaceBytes() const override { return RangeWorkspace(count_); }

  void Run(const RunArgs& args) const override {
    const FloatRange range = RangeOfFloats(args.In<float>(0), count_, args.workspace);
    const float low = std::min(range.low, 0.0f), high = std::max(range.high, 0.0f);
    const float found = (high - low) / 255.0f, scale = found > 0 ? found : 1.0f;
    const float zero = std::nearbyint(std::min(std::max(0.0f, 0.0f - low / scale), 255.0f));
    *args.Out<float>(1) = scale;
    *args.Out<std::uint8_t>(2) = static_cast<std::uint8_t>(zero);
    QuantizeToBytes(args.In<float>(0), count_, scale, zero, args.Out<std::uint8_t>(0));
  }

 private:
  std::size_t count_;
};

void InferDynamicQuantize(OpContext& context) {
  if (context.In(0).type != DataType::kFloat)
    context.Refuse("x is {}, expected float", ToString(context.In(0)));
  if (context.outputs() != 3) context.Refuse("there are {} outputs, expected 3", context.outputs());
  context.SetOut(0, DataType::kUint8, context.InDims(0), context.In(0).format);
  context.SetOut(1, DataType::kFloat, {}, Format::kNd);
  context.SetOut(2, DataType::kUint8, {}, Format::kNd);
}

std::unique_ptr<Kernel> LowerDynamicQuantize(OpContext& context) {
  return std::make_unique<DynamicQuantize>(static_cast<std::size_t>(ElementCount(context.InDims(0))));
}

const RegisterOp dynamic_quantize_linear(OpDef("OnnxDynamicQuantizeLinear")
                                             .Infer(InferDynamicQuantize)
                                             .Lower(LowerDynamicQuantize)
                                             .Types({DataType::kFloat}));

}  // namespace
}  // namespace foothold
