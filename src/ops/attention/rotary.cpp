// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rotary position embeddings (kernels/rotary_rows.h) over the last dimension. Cosine and sine broadcast.
#include "base/thread_pool.h"
#include "kernels/float_memory.h"
#include "kernels/rotary_rows.h"
#include "ops/float_type.h"
#include "ops/matrix/broadcast_bias.h"
#include "ops/strided_view.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// One tensor that is turned. Its rows are cut into runs along the dimension before the last; where a run
// begins follows from its index.
struct Turned {
  int input, output;
  std::size_t length, run;
  ViewParts x, angles;
  std::size_t x_stride, angle_stride;  // along a run
};

// Cosine and sine as if they had the dimensions of x.
StridedView Broadcast(const Dims& angles, const Dims& dims) {
  StridedView view = DenseView(angles);
  for (std::size_t i = 0; i < angles.size(); ++i)
    if (angles[i] == 1) view.strides[i] = 0;
  view.strides.insert(view.strides.begin(), dims.size() - angles.size(), 0);
  view.dims = dims;
  return view;
}

Turned TurnedOf(const OpContext& context, int input, int output, const Dims& angle_dims) {
  const StridedView x = ViewOf(context, input), angles = Broadcast(angle_dims, x.dims);
  const std::size_t last = x.dims.size() - 1, outer = last == 0 ? 0 : last - 1;
  const auto run = last == 0 ? std::size_t{1} : static_cast<std::size_t>(x.dims[outer]);
  return {input,
          output,
          static_cast<std::size_t>(x.dims[last]),
          run,
          ViewParts(x, outer),
          ViewParts(angles, outer),
          last == 0 ? 0 : x.strides[outer],
          last == 0 ? 0 : angles.strides[outer]};
}

class RotaryKernel : public Kernel {
 public:
  RotaryKernel(std::vector<Turned> tensors, int cosine, int sine, Turn turn, ElementType type)
      : tensors_(std::move(tensors)), cosine_(cosine), sine_(sine), turn_(turn), type_(type) {}

  void Run(const RunArgs& args) const override {
    for (const Turned& tensor : tensors_)
      ParallelFor(tensor.x.count(), 1 + 16384 / (1 + tensor.length * tensor.run),
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i)
                      TurnRun(args, tensor, i);
                  });
  }

 private:
  void TurnRun(const RunArgs& args, const Turned& tensor, std::size_t i) const {
    const std::size_t angle = tensor.angles.Offset(i);
    TurnRows({.type = type_,
              .turn = turn_,
              .count = tensor.run,
              .length = tensor.length,
              .x = ElementAt(type_, args.inputs[tensor.input], tensor.x.Offset(i)),
              .cosine = ElementAt(type_, args.inputs[cosine_], angle),
              .sine = ElementAt(type_, args.inputs[sine_], angle),
              .out = ElementAt(type_, args.outputs[tensor.output], i * tensor.run * tensor.length),
              .x_stride = tensor.x_stride,
              .angle_stride = tensor.angle_stride,
              .out_stride = tensor.length});
  }

  std::vector<Turned> tensors_;
  int cosine_, sine_;
  Turn turn_;
  ElementType type_;
};

void CheckTurned(const OpContext& context, int port, const Dims& angles) {
  const Dims& x = context.InDims(port);
  if (x.empty() || x.back() % 2 != 0)
    context.Refuse("input {} is {}; its last dimension must be even", port, ToString(x));
  if (!HasDenseRows(context, port, ViewOf(context, port)))
    context.Unsupported("no kernel for a view of {} whose last dimension is not dense", ToString(x));
  if (angles.empty() || angles.back() != x.back() || !BroadcastsTo(angles, x))
    context.Refuse("angles of {} do not go with {}", ToString(angles), ToString(x));
}

void CheckAngles(const OpContext& context, int cosine, int sine) {
  if (context.InDims(cosine) != context.InDims(sine))
    context.Refuse("cosine is {} and sine {}; they must have one shape", ToString(context.In(cosine)),
                   ToString(context.In(sine)));
}

std::unique_ptr<Kernel> LowerRotary(OpContext& context, const std::vector<int>& turned, int cosine, int sine,
                                    Turn turn) {
  std::vector<Turned> tensors;
  for (const int port : turned)
    tensors.push_back(TurnedOf(context, port, port, context.InDims(cosine)));
  bool same = true;
  for (int i = 0; i < context.inputs(); ++i) {
    FloatTypeOf(context, i);
    same = same && context.In(i).type == context.In(0).type;
  }
  const ElementType type = same ? FloatTypeOf(context, 0) : ElementType::kFloat;
  auto kernel = std::make_unique<RotaryKernel>(std::move(tensors), cosine, sine, turn, type);
  if (same) return kernel;
  return ThroughFloat(context, std::move(kernel));
}

Turn TurnOf(const OpContext& context) {
  const std::int64_t mode = context.node().Int("mode", 0);
  if (mode == 0) return Turn::kHalves;
  if (mode == 1) return Turn::kPairs;
  context.Unsupported("no kernel for mode {}; 0, which turns halves, and 1, pairs, have one", mode);
}

// Rows of which nothing is widened first.
bool ReadsRows(const OpContext& context, int port, const StridedView& x) {
  for (int i = 0; i < context.inputs(); ++i)
    if (context.In(i).type != context.In(port).type) return false;
  return HasDenseRows(context, port, x);
}

OpDef Rotary(const char* type) {
  return OpDef(type)
      .Infer([](OpContext& context) {
        CheckAngles(context, 1, 2);
        CheckTurned(context, 0, context.InDims(1));
        TurnOf(context);
        context.SetOut(0, context.In(0).type, context.InDims(0), context.In(0).format);
      })
      .Lower([](OpContext& context) { return LowerRotary(context, {0}, 1, 2, TurnOf(context)); })
      .InPlace(0, 0)
      .ReadsViews({"x"}, ReadsRows)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

// Query and key, where they stand.
Turn AppliedTurn(const OpContext& context) {
  const std::string mode = context.node().Text("rotary_mode", "half");
  if (mode == "half") return Turn::kHalves;
  if (mode == "interleave") return Turn::kPairs;
  context.Refuse("rotary_mode is '{}'; half and interleave are possible", mode);
}

void InferApply(OpContext& context) {
  const std::int64_t layout = context.node().Int("layout", 1);
  if (layout < 1 || layout > 3) context.Refuse("layout is {}; 1, 2 and 3 are possible", layout);
  AppliedTurn(context);
  CheckAngles(context, 2, 3);
  for (int i = 0; i < 2; ++i) {
    CheckTurned(context, i, context.InDims(2));
    context.SetOut(i, context.In(i).type, context.InDims(i), context.In(i).format);
  }
}

OpDef InterleaveRope() {
  return OpDef("InterleaveRope")
      .Infer([](OpContext& context) {
        CheckAngles(context, 1, 2);
        CheckTurned(context, 0, context.InDims(1));
        context.SetOut(0, context.In(0).type, context.InDims(0), context.In(0).format);
      })
      .Lower([](OpContext& context) { return LowerRotary(context, {0}, 1, 2, Turn::kPairsToHalves); })
      .ReadsViews({"x"}, ReadsRows)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp rotary({
    InterleaveRope(),
    Rotary("RotaryMul"),
    Rotary("RotaryPositionEmbedding"),
    OpDef("ApplyRotaryPosEmb")
        .Infer(InferApply)
        .Lower([](OpContext& context) {
          return LowerRotary(context, {0, 1}, 2, 3, AppliedTurn(context));
        })
        .Stateful()
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}),
});

}  // namespace
}  // namespace foothold
