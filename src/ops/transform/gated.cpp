// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One half of a tensor, activated, times the other half: SwiGlu and GeGluV2.
#include <algorithm>

#include "base/thread_pool.h"
#include "kernels/element_function.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// Of [outer, 2, count].
struct Halves {
  std::size_t outer, count;
  Dims dims;  // of one half
};

Halves HalvesOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  const std::size_t axis = AxisIn(context, context.node().Int("dim", -1), x.size(), "attribute 'dim'");
  if (x[axis] % 2 != 0) context.Refuse("x is {}; dimension {} must be even", ToString(x), axis);
  ElementCount(x);
  Halves halves{Product(x, 0, axis), Product(x, axis, x.size()) / 2, x};
  halves.dims[axis] /= 2;
  return halves;
}

struct Gate {
  const char* function;
  bool left;  // is activated
};

Gate SwiGluGate(const OpContext&) {
  return {"Swish", true};
}

Gate GeGluGate(const OpContext& context) {
  const std::int64_t approximate = context.node().Int("approximate", 1);
  if (approximate != 0 && approximate != 1)
    context.Refuse("approximate is {}; 0 and 1 are possible", approximate);
  return {approximate == 1 ? "Gelu" : "ErfGelu", context.node().Bool("activate_left", false)};
}

class GatedKernel : public Kernel {
 public:
  GatedKernel(const Halves& halves, const Gate& gate, bool keeps)
      : outer_(halves.outer),
        count_(halves.count),
        activate_(FindElementFunction(gate.function)),
        multiply_(FindElementFunction("Mul")),
        left_(gate.left),
        keeps_(keeps) {}

  void Run(const RunArgs& args) const override {
    const std::size_t piece = std::min(kPiece, std::max<std::size_t>(1, count_));
    const std::size_t pieces = (count_ + piece - 1) / piece;
    ParallelFor(outer_ * pieces, std::max<std::size_t>(1, kPiece / piece),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i) {
                    const std::size_t at = i % pieces * piece;
                    RunPiece(args, i / pieces, at, std::min(piece, count_ - at));
                  }
                });
  }

 private:
  static constexpr std::size_t kPiece = 4096;

  void RunPiece(const RunArgs& args, std::size_t row, std::size_t at, std::size_t count) const {
    const float* left = args.In<float>(0) + row * 2 * count_ + at;
    const float* right = left + count_;
    float* y = args.Out<float>(0) + row * count_ + at;
    float* activated = keeps_ ? args.Out<float>(1) + row * count_ + at : y;
    constexpr float kParams[kMaxElementParams] = {1.0f};
    activate_->loop(left_ ? left : right, nullptr, nullptr, activated, count, kParams);
    multiply_->loop(activated, left_ ? right : left, nullptr, y, count, kParams);
  }

  std::size_t outer_, count_;
  const ElementFunction* activate_;
  const ElementFunction* multiply_;
  bool left_, keeps_;
};

OpDef Gated(const char* type, Gate (*gate)(const OpContext&)) {
  return OpDef(type)
      .Infer([gate](OpContext& context) {
        gate(context);
        for (int i = 0; i < context.outputs(); ++i)
          context.SetOut(i, context.In(0).type, HalvesOf(context).dims, context.In(0).format);
      })
      .Lower([gate](OpContext& context) {
        if (!ComputesInFloat(context.In(0).type))
          context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                              DataTypeName(context.In(0).type));
        return ThroughFloat(
            context, std::make_unique<GatedKernel>(HalvesOf(context), gate(context), context.outputs() > 1));
      })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp gated({Gated("SwiGlu", SwiGluGate), Gated("GeGluV2", GeGluGate)});

}  // namespace
}  // namespace foothold
