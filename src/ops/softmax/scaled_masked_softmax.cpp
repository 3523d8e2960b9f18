// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Softmax of scores that are scaled and masked, over the last dimension, and its gradient. What is masked
// counts as kMasked; with a triangle for a mask, what lies above the diagonal.
#include <memory>
#include <optional>

#include "base/thread_pool.h"
#include "kernels/softmax.h"
#include "ops/data/broadcast_copy.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

constexpr float kMasked = -10000.0f;
constexpr std::size_t kGrain = 4096;  // elements

struct Scores {
  std::size_t rows = 0, count = 0;
  std::size_t queries = 1;  // rows of one matrix
  float scale = 1;
  bool triangle = false;
  int mask_port = -1;
  std::optional<StridedCopy> repeat;  // of the mask

  std::size_t elements() const { return rows * count; }
};

Scores ScoresOf(const OpContext& context, int mask_port) {
  const Dims& x = context.InDims(0);
  if (x.size() < 2)
    context.Refuse("'{}' is {}, expected 2 dimensions or more", context.node().inputs()[0].name, ToString(x));
  Scores s;
  s.count = static_cast<std::size_t>(x.back());
  s.queries = static_cast<std::size_t>(x[x.size() - 2]);
  s.rows = s.count == 0 ? 0 : static_cast<std::size_t>(ElementCount(x)) / s.count;
  s.scale = context.node().Float("scale", 1.0f);
  s.triangle = context.node().Bool("fixed_triu_mask", false);
  if (s.triangle || !context.Has(mask_port)) return s;
  const TensorType& mask = context.In(mask_port);
  if (mask.type != DataType::kBool)
    context.Unsupported("no kernel for a mask of {}; bool would run", DataTypeName(mask.type));
  if (BroadcastDims(context, mask.dims, x) != x)
    context.Refuse("'mask' is {}, which does not broadcast to {}", ToString(mask.dims), ToString(x));
  s.mask_port = mask_port;
  s.repeat = RepeatingCopy(WithLeadingOnes(mask.dims, x.size()), x, 1);
  return s;
}

class MaskedKernel : public Kernel {
 public:
  explicit MaskedKernel(Scores scores) : s_(std::move(scores)) {}
  std::size_t WorkspaceBytes() const override { return s_.repeat ? s_.elements() : 0; }

 protected:
  // Calls body(index, masked) for every element, several at a time.
  template <typename Body>
  void ForElements(const RunArgs& args, const Body& body) const {
    if (s_.repeat) s_.repeat->Run(args.In<std::byte>(s_.mask_port), args.workspace);
    const std::byte* const mask = s_.repeat ? args.workspace : nullptr;
    ParallelFor(s_.rows, 1 + kGrain / (s_.count + 1), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        for (std::size_t column = 0; column < s_.count; ++column) {
          const std::size_t i = row * s_.count + column;
          body(i, s_.triangle ? column > row % s_.queries : mask != nullptr && mask[i] != std::byte{0});
        }
    });
  }

  const Scores s_;
};

class SoftmaxKernel final : public MaskedKernel {
 public:
  using MaskedKernel::MaskedKernel;
  void Run(const RunArgs& args) const override {
    const float* const x = args.In<float>(0);
    float* const y = args.Out<float>(0);
    ForElements(args, [&](std::size_t i, bool masked) { y[i] = masked ? kMasked : x[i] * s_.scale; });
    SoftmaxFloats(SoftmaxKind::kSoftmax, y, s_.rows, s_.count, 1, y);
  }
};

class GradientKernel final : public MaskedKernel {
 public:
  using MaskedKernel::MaskedKernel;
  void Run(const RunArgs& args) const override {
    float* const dx = args.Out<float>(0);
    SoftmaxGradientRows(SoftmaxKind::kSoftmax, args.In<float>(1), args.In<float>(0), s_.rows, s_.count, dx);
    ForElements(args, [&](std::size_t i, bool masked) { dx[i] = masked ? 0 : dx[i] * s_.scale; });
  }
};

template <typename Masked>
OpDef Def(const char* type, int mask_port) {
  return OpDef(type)
      .Infer([mask_port](OpContext& context) {
        ScoresOf(context, mask_port);
        context.SetOut(0, context.In(0));
      })
      .Lower([mask_port](OpContext& context) -> std::unique_ptr<Kernel> {
        if (!ComputesInFloat(context.In(0).type))
          context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                              DataTypeName(context.In(0).type));
        Scores scores = ScoresOf(context, mask_port);
        if (scores.triangle && context.Has(mask_port)) context.SetUnused(mask_port);
        return ThroughFloat(context, std::make_unique<Masked>(std::move(scores)));
      })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp scaled_masked_softmax({Def<SoftmaxKernel>("ScaledMaskedSoftmax", 1),
                                        Def<GradientKernel>("ScaledMaskedSoftmaxGrad", 2)});

}  // namespace
}  // namespace foothold
