// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cmath>

#include "kernels/normalize_gradient.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

enum Port { kGradient, kX, kSpread, kMean, kGamma };

// LayerNormGrad gets variances, LayerNormGradV3 the inverse deviations. The former has no epsilon of its own
// and uses the one LayerNorm has if nobody says.
enum class Spread { kVariance, kInverseDeviation };
constexpr float kEpsilon = 1e-7f;

struct Sizes {
  std::size_t rows, length, parameters;
};

Sizes SizesOf(const OpContext& context) {
  const auto elements = static_cast<std::size_t>(ElementCount(context.InDims(kX)));
  const auto rows = static_cast<std::size_t>(ElementCount(context.InDims(kMean)));
  const auto parameters = static_cast<std::size_t>(ElementCount(context.InDims(kGamma)));
  if (rows == 0 || parameters == 0 || elements % rows != 0 || elements % parameters != 0)
    context.Refuse("x is {}, mean {} and gamma {}; they are not of one normalisation",
                   ToString(context.In(kX)), ToString(context.In(kMean)), ToString(context.In(kGamma)));
  return {rows, elements / rows, parameters};
}

void InferLayerNormGrad(OpContext& context) {
  if (context.InDims(kGradient) != context.InDims(kX))
    context.Refuse("dy is {}; it must be like x, {}", ToString(context.In(kGradient)),
                   ToString(context.In(kX)));
  if (context.InDims(kSpread) != context.InDims(kMean))
    context.Refuse("mean is {} and the spread {}; they must be alike", ToString(context.In(kMean)),
                   ToString(context.In(kSpread)));
  SizesOf(context);
  context.SetOut(0, context.In(kX));
  for (int i = 1; i < context.outputs(); ++i)
    context.SetOut(i, context.In(kGamma));
}

class LayerNormGrad : public Kernel {
 public:
  LayerNormGrad(const Sizes& sizes, Spread spread, int outputs)
      : sizes_(sizes), spread_(spread), outputs_(outputs) {}

  // The deviations, and gradients of parameters nobody asks for.
  std::size_t WorkspaceBytes() const override {
    return (sizes_.rows + 2 * sizes_.parameters) * sizeof(float);
  }

  void Run(const RunArgs& args) const override {
    auto* deviation = reinterpret_cast<float*>(args.workspace);
    float* aside = deviation + sizes_.rows;
    for (std::size_t row = 0; row < sizes_.rows; ++row) {
      const float spread = args.In<float>(kSpread)[row];
      deviation[row] = spread_ == Spread::kVariance ? 1.0f / std::sqrt(spread + kEpsilon) : spread;
    }
    const RowNorm norm{sizes_.rows, sizes_.length, sizes_.parameters, args.In<float>(kMean), deviation};
    const float* gradient = args.In<float>(kGradient);
    const float* x = args.In<float>(kX);
    RowNormGradient(norm, gradient, x, args.In<float>(kGamma), args.Out<float>(0));
    if (outputs_ > 1)
      RowNormParameterGradient(norm, gradient, x, args.Out<float>(1),
                               outputs_ > 2 ? args.Out<float>(2) : aside);
  }

 private:
  Sizes sizes_;
  Spread spread_;
  int outputs_;
};

std::unique_ptr<Kernel> LowerLayerNormGrad(OpContext& context, Spread spread) {
  for (int port = 0; port < context.inputs(); ++port)
    if (!ComputesInFloat(context.In(port).type))
      context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                          DataTypeName(context.In(port).type));
  return ThroughFloat(context, std::make_unique<LayerNormGrad>(SizesOf(context), spread, context.outputs()));
}

OpDef LayerNormGradOp(const char* type, Spread spread) {
  return OpDef(type)
      .Infer(InferLayerNormGrad)
      .Lower([spread](OpContext& context) { return LowerLayerNormGrad(context, spread); })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp layer_norm_grads(std::vector<OpDef>{
    LayerNormGradOp("LayerNormGrad", Spread::kVariance),
    LayerNormGradOp("LayerNormGradV3", Spread::kInverseDeviation)});

}  // namespace
}  // namespace foothold
