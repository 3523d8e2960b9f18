// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// DequantSwigluQuant: sums of products of int8 back to floats, one half activated times the other, and the
// result to int8 again, with the scale each row asks for ("dynamic") or the one that is given ("static").
// With 'group_index', which counts the rows of each group, every group has a row of scales; rows after the
// last group are zeros.
#include <algorithm>
#include <optional>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/experts/group_list.h"
#include "ops/input_checks.h"
#include "ops/quantized/quantized_row.h"
#include "ops/through_float.h"
#include "ops/transform/swiglu_row.h"

namespace foothold {
namespace {

bool IsDynamic(const OpContext& context) {
  const std::string mode = context.node().Text("quant_mode", "static");
  if (mode == "dynamic") return true;
  if (mode == "static") return false;
  context.Refuse("attribute 'quant_mode' is '{}', expected static or dynamic", mode);
}

// Rows of scales, one for each group; one for all if there are no more.
struct ScaleRows {
  int port = -1;
  std::size_t width = 0, step = 0;

  const float* Of(const RunArgs& args, std::size_t group) const {
    return port < 0 ? nullptr : args.In<float>(port) + group * step;
  }
};

ScaleRows ScaleRowsOf(const OpContext& context, const char* name, std::size_t width, std::size_t groups) {
  const int port = OptionalPort(context, name);
  if (port < 0) return {};
  const auto count = static_cast<std::size_t>(ElementCount(context.InDims(port)));
  if (count == width) return {port, width, 0};
  if (count != groups * width)
    context.Refuse("'{}' is {}, expected {} numbers, or that many for each of {} groups", name,
                   ToString(context.In(port)), width, groups);
  return {port, width, width};
}

class DequantSwigluQuantKernel : public Kernel {
 public:
  explicit DequantSwigluQuantKernel(const OpContext& context)
      : whole_(context.In(0).type == DataType::kInt32),
        left_(context.node().Bool("activate_left", false)),
        dynamic_(IsDynamic(context)),
        tokens_(OptionalPort(context, "activation_scale")) {
    const Dims& x = context.InDims(0);
    count_ = Product(x, 0, x.size() - 1), half_ = static_cast<std::size_t>(x.back()) / 2;
    if (const int port = OptionalPort(context, "group_index"); port >= 0)
      groups_.emplace(context, port, GroupListKind::kCounts, count_);
    const std::size_t groups = groups_ ? groups_->size() : 1;
    weights_ = ScaleRowsOf(context, "weight_scale", 2 * half_, groups);
    smooth_ = ScaleRowsOf(context, "quant_scale", half_, groups);
  }

  std::size_t WorkspaceBytes() const override { return count_ * 2 * half_ * sizeof(float); }

  void Run(const RunArgs& args) const override {
    std::size_t used = count_;
    if (groups_)
      used = groups_->ForEach(args, groups_->size(), [&](const RowGroup& group) { RunGroup(args, group); });
    else
      RunGroup(args, {0, 0, count_});
    std::fill_n(args.Out<std::int8_t>(0) + used * half_, (count_ - used) * half_, std::int8_t{0});
    std::fill_n(args.Out<float>(1) + used, count_ - used, 0.0f);
  }

 private:
  void RunGroup(const RunArgs& args, const RowGroup& group) const {
    ParallelFor(group.rows, 1 + 4096 / (1 + half_), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = group.begin + begin; row < group.begin + end; ++row)
        RunRow(args, group.index, row);
    });
  }

  void RunRow(const RunArgs& args, std::size_t group, std::size_t row) const {
    float* x = Dequantized(args, group, row);
    float* y = left_ ? x : x + half_;
    swiglu_.Run(y, left_ ? x + half_ : x, y, half_);
    if (const float* smooth = smooth_.Of(args, group))
      for (std::size_t i = 0; i < half_; ++i)
        y[i] *= smooth[i];
    std::int8_t* to = args.Out<std::int8_t>(0) + row * half_;
    args.Out<float>(1)[row] = dynamic_ ? QuantizeRowToInt8(y, half_, to) : 0.0f;
    for (std::size_t i = 0; !dynamic_ && i < half_; ++i)
      to[i] = ToInt8(y[i]);
  }

  float* Dequantized(const RunArgs& args, std::size_t group, std::size_t row) const {
    float* x = reinterpret_cast<float*>(args.workspace) + 2 * row * half_;
    const float* weights = weights_.Of(args, group);
    const float token = tokens_ < 0 ? 1.0f : args.In<float>(tokens_)[row];
    for (std::size_t i = 0; i < 2 * half_; ++i) {
      const std::size_t at = 2 * row * half_ + i;
      const float value = whole_ ? static_cast<float>(args.In<std::int32_t>(0)[at]) : args.In<float>(0)[at];
      x[i] = value * (weights == nullptr ? 1.0f : weights[i]) * token;
    }
    return x;
  }

  bool whole_, left_, dynamic_;
  int tokens_;
  std::size_t count_ = 0, half_ = 0;
  std::optional<GroupList> groups_;
  ScaleRows weights_, smooth_;
  SwiGluRow swiglu_;
};

void CheckForm(const OpContext& context) {
  CheckAbsent(context, {"bias"}, "where a bias is added is not published");
  CheckAbsent(context, {"quant_offset"}, "how an offset is applied is not published");
  if (const std::int64_t mode = context.node().Int("swiglu_mode", 0); mode != 0)
    context.Unsupported("no kernel for swiglu_mode {}; 0 would run", mode);
  if (!IsDynamic(context) && context.Has("group_index"))
    context.Refuse("groups of rows are for quant_mode 'dynamic'");
  if (!IsDynamic(context) && !context.Has("quant_scale"))
    context.Refuse("quant_mode is 'static' and there is no 'quant_scale'");
}

void InferDequantSwigluQuant(OpContext& context) {
  const TensorType& x = context.In(0);
  if (x.dims.empty() || x.dims.back() % 2 != 0)
    context.Refuse("x is {}; its last dimension must be even", ToString(x));
  CheckForm(context);
  if (x.type == DataType::kInt32 && !context.Has("weight_scale"))
    context.Refuse("x is int32 and there is no 'weight_scale'");
  CheckCount(context, "activation_scale", Product(x.dims, 0, x.dims.size() - 1), "row of x");
  Dims out = x.dims;
  out.back() /= 2;
  context.SetOut(1, DataType::kFloat, Dims(out.begin(), out.end() - 1), Format::kNd);
  context.SetOut(0, DataType::kInt8, std::move(out), x.format);
}

const RegisterOp dequant_swiglu_quant(
    OpDef("DequantSwigluQuant")
        .Infer(InferDequantSwigluQuant)
        .Lower([](OpContext& context) {
          if (context.In(0).type != DataType::kInt32) CheckFloats(context, {"x"});
          CheckFloats(context, {"weight_scale", "activation_scale", "quant_scale"});
          return ThroughFloat(context, std::make_unique<DequantSwigluQuantKernel>(context));
        })
        .Types({DataType::kInt32, DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
