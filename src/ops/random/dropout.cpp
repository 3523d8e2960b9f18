// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dropout does nothing when a model is used; DropoutV2 draws a mask from its seed, DropOutDoMask applies one.
#include <algorithm>
#include <bit>

#include "base/thread_pool.h"
#include "kernels/random.h"
#include "ops/element_types.h"
#include "ops/op.h"
#include "ops/through_float.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

float DropShare(const OpContext& context) {
  const float share = context.node().Float("p", 0.0f);
  if (!(share >= 0.0f && share <= 1.0f)) context.Refuse("p is {}; it must be from 0 to 1", share);
  return share;
}

void InferDropoutV2(OpContext& context) {
  DropShare(context);
  const TensorType& x = context.In("x");
  if (context.outputs() != 3) context.Refuse("there are {} outputs, expected 3", context.outputs());
  const TensorType& seed = context.In("seed");
  if (seed.type != DataType::kFloat || ElementCount(seed.dims) < 1)
    context.Refuse("seed is {}, expected floats", ToString(seed));
  context.SetOut(0, x);
  context.SetOut(1, DataType::kFloat, x.dims, x.format);
  context.SetOut(2, seed);
}

// The first number of the seed says what is drawn; it is one further for the next run.
class DropoutV2Kernel : public Kernel {
 public:
  DropoutV2Kernel(std::size_t count, std::size_t seeds, float share)
      : count_(count), seeds_(seeds), share_(share) {}

  void Run(const RunArgs& args) const override {
    const float* seed = args.In<float>(1);
    float* mask = args.Out<float>(1);
    RandomUniform(mask, count_, RandomType::kFloat32, 0.0, 1.0, {std::bit_cast<std::uint32_t>(seed[0]), 0});
    const float scale = share_ < 1.0f ? 1.0f / (1.0f - share_) : 0.0f;
    ParallelFor(count_, 1 << 15, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        mask[i] = mask[i] >= share_ ? 1.0f : 0.0f;
        args.Out<float>(0)[i] = mask[i] == 0.0f ? 0.0f : args.In<float>(0)[i] * scale;
      }
    });
    const float next = seed[0] + 1.0f;
    if (args.outputs[2] != args.inputs[1]) std::copy_n(seed, seeds_, args.Out<float>(2));
    args.Out<float>(2)[0] = next;
  }

 private:
  std::size_t count_, seeds_;
  float share_;
};

std::unique_ptr<Kernel> LowerDropoutV2(OpContext& context) {
  const DataType type = context.In("x").type;
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
  return ThroughFloat(
      context, std::make_unique<DropoutV2Kernel>(
                   static_cast<std::size_t>(ElementCount(context.InDims(0))),
                   static_cast<std::size_t>(ElementCount(context.In("seed").dims)), DropShare(context)));
}

enum class MaskForm { kBits, kBytes };

void InferDoMask(OpContext& context, MaskForm form) {
  const TensorType& x = context.In("x");
  const TensorType& mask = context.In("mask");
  const std::int64_t count = ElementCount(x.dims);
  const bool one_bit = mask.type == DataType::kUint1 || form == MaskForm::kBytes;
  const std::int64_t needed = one_bit ? count : (count + 7) / 8;
  if (BytesPerElement(mask.type) != 1 || ElementCount(mask.dims) < needed)
    context.Refuse("mask is {}; {} elements of a byte were expected", ToString(mask), needed);
  if (ElementCount(context.In("keep_prob").dims) != 1)
    context.Refuse("keep_prob is {}, expected one element", ToString(context.In("keep_prob")));
  context.SetOut(0, x);
}

class DoMaskKernel : public Kernel {
 public:
  DoMaskKernel(std::size_t count, MaskForm form) : count_(count), form_(form) {}

  void Run(const RunArgs& args) const override {
    const auto* mask = args.In<std::uint8_t>(1);
    const float scale = 1.0f / args.In<float>(2)[0];
    ParallelFor(count_, 1 << 15, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const bool kept = form_ == MaskForm::kBytes ? mask[i] != 0 : (mask[i / 8] >> i % 8 & 1) != 0;
        args.Out<float>(0)[i] = kept ? args.In<float>(0)[i] * scale : 0.0f;
      }
    });
  }

 private:
  std::size_t count_;
  MaskForm form_;
};

OpDef DoMask(const char* type, MaskForm form) {
  return OpDef(type)
      .Infer([form](OpContext& context) { InferDoMask(context, form); })
      .Lower([form](OpContext& context) {
        if (!ComputesInFloat(context.In("x").type) || !ComputesInFloat(context.In("keep_prob").type))
          context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                              DataTypeName(context.In("x").type));
        return ThroughFloat(context, std::make_unique<DoMaskKernel>(
                                         static_cast<std::size_t>(ElementCount(context.InDims(0))), form));
      })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp dropout({
    OpDef("Dropout").Infer(SameAsInput).View().Types(FixedSizeTypes()),
    OpDef("DropoutV2")
        .Infer(InferDropoutV2)
        .Lower(LowerDropoutV2)
        .Stateful()
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}),
    DoMask("DropOutDoMask", MaskForm::kBits),
    DoMask("DropOutDoMaskV3", MaskForm::kBytes),
});

}  // namespace
}  // namespace foothold
