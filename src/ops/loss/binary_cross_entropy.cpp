// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The cross entropy of probabilities and labels between 0 and 1, and its gradient, as PyTorch has them:
// logarithms are at least -100, and the gradient is finite where the probability is 0 or 1.
#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "ops/data/broadcast_copy.h"
#include "ops/loss/reduction.h"
#include "ops/through_float.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 14;

void CheckInputs(const OpContext& context) {
  const TensorType &x = context.In("x"), &y = context.In("y");
  if (y.dims != x.dims || y.type != x.type)
    context.Refuse("y is {}, expected {} as x is", ToString(y), ToString(x));
  if (!context.Has("weight")) return;
  const TensorType& weight = context.In("weight");
  if (weight.type != x.type || BroadcastDims(context, x.dims, weight.dims) != x.dims)
    context.Refuse("weight is {}, which does not repeat to x, {}", ToString(weight), ToString(x));
}

void InferLoss(OpContext& context) {
  CheckInputs(context);
  const TensorType& x = context.In("x");
  const bool whole = ReductionOf(context) == LossReduction::kNone;
  context.SetOut(0, x.type, whole ? x.dims : Dims{}, whole ? x.format : Format::kNd);
}

void InferGradient(OpContext& context) {
  CheckInputs(context);
  const TensorType &x = context.In("x"), &gradient = context.In("grad_output");
  const bool whole = ReductionOf(context) == LossReduction::kNone;
  if (gradient.type != x.type || (gradient.dims != x.dims && ElementCount(gradient.dims) != 1) ||
      (!whole && ElementCount(gradient.dims) != 1))
    context.Refuse("grad_output is {}, expected {} of {}", ToString(gradient),
                   whole ? "one for each element" : "one number", DataTypeName(x.type));
  context.SetOut(0, x);
}

// What both kernels know of the inputs.
struct Entropy {
  explicit Entropy(const OpContext& context)
      : reduction(ReductionOf(context)),
        count(static_cast<std::size_t>(ElementCount(context.In("x").dims))),
        x(context.Port("x")),
        y(context.Port("y")),
        weight(context.Has("weight") ? context.Port("weight") : -1) {
    if (weight < 0 || context.InDims(weight) == context.InDims(x)) return;
    repeats = true;
    repeat = RepeatingCopy(context.InDims(weight), context.InDims(x), sizeof(float));
  }

  std::size_t WeightBytes() const { return repeats ? count * sizeof(float) : 0; }
  // Null: all are 1. `room` holds WeightBytes().
  const float* Weights(const RunArgs& args, std::byte* room) const {
    if (weight < 0) return nullptr;
    if (!repeats) return args.In<float>(weight);
    repeat.Run(args.inputs[weight], room);
    return reinterpret_cast<const float*>(room);
  }

  LossReduction reduction;
  std::size_t count;
  int x, y, weight;
  bool repeats = false;
  StridedCopy repeat{1, {}};
};

double LossOf(float x, float y) {
  const auto probability = static_cast<double>(x), label = static_cast<double>(y);
  const double hit = std::max(std::log(probability), -100.0),
               miss = std::max(std::log1p(-probability), -100.0);
  return -(label * hit + (1 - label) * miss);
}

// The pieces, and so the sum, do not depend on the number of threads.
class LossKernel : public Kernel {
 public:
  explicit LossKernel(const OpContext& context) : e_(context), pieces_((e_.count + kPiece - 1) / kPiece) {}

  std::size_t WorkspaceBytes() const override { return pieces_ * sizeof(double) + e_.WeightBytes(); }

  void Run(const RunArgs& args) const override {
    auto* sums = reinterpret_cast<double*>(args.workspace);
    const float* weights = e_.Weights(args, args.workspace + pieces_ * sizeof(double));
    ParallelFor(pieces_, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t piece = begin; piece < end; ++piece)
        sums[piece] = RunPiece(args, weights, piece);
    });
    if (e_.reduction == LossReduction::kNone) return;
    double total = 0;
    for (std::size_t piece = 0; piece < pieces_; ++piece)
      total += sums[piece];
    if (e_.reduction == LossReduction::kMean) total /= static_cast<double>(e_.count);
    *args.Out<float>(0) = static_cast<float>(total);
  }

 private:
  double RunPiece(const RunArgs& args, const float* weights, std::size_t piece) const {
    double sum = 0;
    for (std::size_t i = piece * kPiece; i < std::min(e_.count, (piece + 1) * kPiece); ++i) {
      const double weight = weights == nullptr ? 1 : static_cast<double>(weights[i]);
      const double loss = weight * LossOf(args.In<float>(e_.x)[i], args.In<float>(e_.y)[i]);
      if (e_.reduction == LossReduction::kNone) args.Out<float>(0)[i] = static_cast<float>(loss);
      sum += loss;
    }
    return sum;
  }

  Entropy e_;
  std::size_t pieces_;
};

class GradientKernel : public Kernel {
 public:
  explicit GradientKernel(const OpContext& context)
      : e_(context),
        gradient_(context.Port("grad_output")),
        one_(ElementCount(context.In("grad_output").dims) == 1) {}

  std::size_t WorkspaceBytes() const override { return e_.WeightBytes(); }

  void Run(const RunArgs& args) const override {
    const float* weights = e_.Weights(args, args.workspace);
    const float share = e_.reduction == LossReduction::kMean ? 1.0f / static_cast<float>(e_.count) : 1.0f;
    ParallelFor(e_.count, kPiece, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const float x = args.In<float>(e_.x)[i], y = args.In<float>(e_.y)[i];
        const float slope = (x - y) / std::max((1.0f - x) * x, 1e-12f);
        const float arriving = args.In<float>(gradient_)[one_ ? 0 : i] * share;
        args.Out<float>(0)[i] = arriving * slope * (weights == nullptr ? 1.0f : weights[i]);
      }
    });
  }

 private:
  Entropy e_;
  int gradient_;
  bool one_;
};

template <class EntropyKernel>
std::unique_ptr<Kernel> LowerEntropy(OpContext& context) {
  const DataType type = context.In("x").type;
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
  return ThroughFloat(context, std::make_unique<EntropyKernel>(context));
}

const RegisterOp entropies({
    OpDef("BinaryCrossEntropy").Infer(InferLoss).Lower(LowerEntropy<LossKernel>).Types(FloatTypes()),
    OpDef("BinaryCrossEntropyGrad")
        .Infer(InferGradient)
        .Lower(LowerEntropy<GradientKernel>)
        .Types(FloatTypes()),
});

}  // namespace
}  // namespace foothold
