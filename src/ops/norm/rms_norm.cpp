// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// RmsNorm and AddRmsNorm: a tensor, or the sum of two, divided by the root of the mean square over its last
// dimensions.
#include "base/thread_pool.h"
#include "kernels/float_memory.h"
#include "kernels/rms_rows.h"
#include "ops/float_type.h"
#include "ops/norm/normalized_rows.h"
#include "ops/strided_view.h"

namespace foothold {
namespace {

// The rows of an input, which may lie apart.
struct RowsIn {
  int port;
  ViewParts places;
};

RowsIn RowsAt(const OpContext& context, int port, std::size_t axis) {
  const StridedView view = ViewOf(context, port);
  if (!view.DenseFrom(axis))
    context.Unsupported("no kernel for a view of {} that is not dense from dimension {} on",
                        ToString(view.dims), axis);
  return {port, ViewParts(view, axis)};
}

class RmsKernel : public Kernel {
 public:
  RmsKernel(const OpContext& context, const NormalizedRows& rows)
      : rows_(rows),
        type_(FloatTypeOf(context, 0)),
        gamma_(context.Port("gamma")),
        gamma_type_(FloatTypeOf(context, gamma_)),
        scale_(context.node().OutputIndex("rstd")),
        sum_(context.node().OutputIndex("x")),
        epsilon_(context.node().Float("epsilon", 1e-6f)) {
    inputs_.push_back(RowsAt(context, 0, rows.axis));
    if (const int second = OptionalInput(context, "x2"); second >= 0)
      inputs_.push_back(RowsAt(context, second, rows.axis));
  }

  // Gamma as floats.
  std::size_t WorkspaceBytes() const override {
    return gamma_type_ == ElementType::kFloat ? 0 : rows_.length * sizeof(float);
  }

  void Run(const RunArgs& args) const override {
    const float* gamma = Gamma(args);
    ParallelFor(rows_.count, 1 + 16384 / (1 + rows_.length), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        RunRow(args, row, gamma);
    });
  }

 private:
  const float* Gamma(const RunArgs& args) const {
    if (gamma_type_ == ElementType::kFloat) return args.In<float>(gamma_);
    auto* floats = reinterpret_cast<float*>(args.workspace);
    LoadFloats(gamma_type_, args.inputs[gamma_], 1, floats, rows_.length);
    return floats;
  }

  const std::byte* RowOf(const RunArgs& args, std::size_t input, std::size_t row) const {
    if (input >= inputs_.size()) return nullptr;
    return ElementAt(type_, args.inputs[inputs_[input].port], inputs_[input].places.Offset(row));
  }

  void RunRow(const RunArgs& args, std::size_t row, const float* gamma) const {
    const std::size_t at = row * rows_.length;
    const float scale = NormalizeRms({.type = type_,
                                      .count = rows_.length,
                                      .first = RowOf(args, 0, row),
                                      .second = RowOf(args, 1, row),
                                      .gamma = gamma,
                                      .out = ElementAt(type_, args.outputs[0], at),
                                      .sum = sum_ < 0 ? nullptr : ElementAt(type_, args.outputs[sum_], at)},
                                     epsilon_);
    if (scale_ >= 0) args.Out<float>(scale_)[row] = scale;
  }

  std::vector<RowsIn> inputs_;
  NormalizedRows rows_;
  ElementType type_;
  int gamma_;
  ElementType gamma_type_;
  int scale_, sum_;  // outputs
  float epsilon_;
};

void InferRmsNorm(OpContext& context) {
  const Dims& x = context.InDims(0);
  if (const int second = context.node().InputIndex("x2"); second >= 0) {
    const Dims& other = context.InDims(second);
    if (other != x || context.In(second).type != context.In(0).type)
      context.Refuse("x2 is {} of {}; it must be as the first input, {} of {}", ToString(other),
                     DataTypeName(context.In(second).type), ToString(x), DataTypeName(context.In(0).type));
  }
  SetStatistics(context, "rstd", NormalizedRowsOf(context, x));
  context.SetOut(0, context.In(0));
  if (const int sum = context.node().OutputIndex("x"); sum >= 0) context.SetOut(sum, context.In(0));
}

bool ReadsRows(const OpContext& context, int, const StridedView& view) {
  return view.DenseFrom(NormalizedRowsOf(context).axis);
}

OpDef RmsOp(const char* type) {
  return OpDef(type)
      .Infer(InferRmsNorm)
      .Lower(
          [](OpContext& context) { return std::make_unique<RmsKernel>(context, NormalizedRowsOf(context)); })
      .ReadsViews({"x", "x1", "x2"}, ReadsRows)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp rms_norms({RmsOp("RmsNorm"), RmsOp("AddRmsNorm")});

}  // namespace
}  // namespace foothold
