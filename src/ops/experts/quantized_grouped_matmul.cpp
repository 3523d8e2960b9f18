// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of int8 rows with the int8 matrix of their group that are scaled back to floats:
// GroupedMatmulSwigluQuantV2 gates the result and quantises it again, QuantGroupedMatmulDequant takes floats,
// which it quantises first. Rows after the last group are zeros.
#include <algorithm>
#include <memory>

#include "ops/data/rule_arguments.h"
#include "ops/experts/group_list.h"
#include "ops/experts/group_product.h"
#include "ops/input_checks.h"
#include "ops/quantized/quantized_row.h"
#include "ops/through_float.h"
#include "ops/transform/swiglu_row.h"

namespace foothold {
namespace {

struct Sizes {
  std::size_t rows, depth, columns, groups;
};

// Of x [rows, depth] and matrices [groups, depth, columns], which may be transposed. `scale` is a row of
// scales for each group.
Sizes SizesOf(const OpContext& context, int weight, int scale, bool transposed) {
  const Dims& x = context.InDims(0);
  const Dims& matrices = context.InDims(weight);
  if (context.In(weight).type != DataType::kInt8)
    context.Unsupported("no kernel for weights of {}; int8 would run", DataTypeName(context.In(weight).type));
  if (x.size() != 2 || matrices.size() != 3 || x[1] != matrices[transposed ? 2 : 1])
    context.Refuse("x is {} and the weights {}, expected [rows, depth] and [groups, {}]",
                   ToString(context.In(0)), ToString(context.In(weight)),
                   transposed ? "columns, depth" : "depth, columns");
  const auto size = [](std::int64_t dim) { return static_cast<std::size_t>(dim); };
  const Sizes sizes{size(x[0]), size(x[1]), size(matrices[transposed ? 1 : 2]), size(matrices[0])};
  if (context.In(scale).type != DataType::kFloat ||
      static_cast<std::size_t>(ElementCount(context.InDims(scale))) != sizes.groups * sizes.columns)
    context.Refuse("the scales of the weights are {}, expected {} floats for each of {} groups",
                   ToString(context.In(scale)), sizes.columns, sizes.groups);
  return sizes;
}

std::size_t Aligned(std::size_t bytes) {
  return RoundUp(bytes, kTensorAlignment);
}

// What both have in common: groups, their matrices and scales.
class GroupsKernel : public Kernel {
 public:
  GroupsKernel(const OpContext& context, int weight, int scale, bool transposed, GroupListKind kind)
      : sizes_(SizesOf(context, weight, scale, transposed)),
        product_(sizes_.rows, sizes_.depth, sizes_.columns, transposed),
        list_(context, context.Port("group_list"), kind, sizes_.rows),
        weight_(weight),
        scale_(scale) {}

  std::size_t WorkspaceBytes() const override { return Aligned(product_.WorkspaceBytes()); }

 protected:
  // Calls finish(row of x, sums, scales) for all rows of all groups; returns how many there are.
  template <typename Finish>
  std::size_t ForEachRow(const RunArgs& args, const std::int8_t* x, Finish&& finish) const {
    return list_.ForEach(args, sizes_.groups, [&](const RowGroup& group) {
      const std::int8_t* right = args.In<std::int8_t>(weight_) + group.index * sizes_.depth * sizes_.columns;
      const float* scales = args.In<float>(scale_) + group.index * sizes_.columns;
      product_.Run(
          x + group.begin * sizes_.depth, group.rows, right, args.workspace,
          [&](std::size_t row, const std::int32_t* sums) { finish(group.begin + row, sums, scales); });
    });
  }

  const Sizes sizes_;

 private:
  GroupIntegerProduct product_;
  GroupList list_;
  int weight_, scale_;
};

struct Ports {
  int weight, scale;
};

// The one matrix tensor of a list, with all groups.
Ports SwigluPorts(const OpContext& context) {
  const std::vector<int> weights = DataPorts(context, "weight"), scales = DataPorts(context, "weight_scale");
  if (weights.size() != 1 || scales.size() != 1)
    context.Unsupported(
        "no kernel for lists of {} weights and {} scales; one of each, with all groups, would run",
        weights.size(), scales.size());
  return {weights[0], scales[0]};
}

bool IsTransposed(const OpContext& context, bool otherwise) {
  return context.node().Bool("transpose_weight", otherwise);
}

class SwigluKernel final : public GroupsKernel {
 public:
  explicit SwigluKernel(const OpContext& context)
      : GroupsKernel(context, SwigluPorts(context).weight, SwigluPorts(context).scale,
                     IsTransposed(context, false), GroupListKindOf(context, "group_list_type")),
        tokens_(context.Port("x_scale")) {}

  std::size_t WorkspaceBytes() const override {
    return GroupsKernel::WorkspaceBytes() + sizes_.rows * sizes_.columns * sizeof(float);
  }

  void Run(const RunArgs& args) const override {
    auto* floats = reinterpret_cast<float*>(args.workspace + GroupsKernel::WorkspaceBytes());
    const std::size_t half = sizes_.columns / 2;
    const std::size_t used = ForEachRow(
        args, args.In<std::int8_t>(0), [&](std::size_t row, const std::int32_t* sums, const float* scales) {
          float* y = floats + row * sizes_.columns;
          for (std::size_t i = 0; i < sizes_.columns; ++i)
            y[i] = static_cast<float>(sums[i]) * scales[i] * args.In<float>(tokens_)[row];
          swiglu_.Run(y, y + half, y, half);
          args.Out<float>(1)[row] = QuantizeRowToInt8(y, half, args.Out<std::int8_t>(0) + row * half);
        });
    std::fill_n(args.Out<std::int8_t>(0) + used * half, (sizes_.rows - used) * half, std::int8_t{0});
    std::fill_n(args.Out<float>(1) + used, sizes_.rows - used, 0.0f);
  }

 private:
  int tokens_;
  SwiGluRow swiglu_;
};

void CheckSwigluForm(const OpContext& context) {
  CheckAbsent(context, {"bias", "smooth_scale"}, "how it is applied is not published");
  if (!context.node().InputGroup("weight_assist_matrix").empty())
    context.Unsupported("no kernel with 'weight_assist_matrix'; it is for weights of 4 bits");
  for (const char* name : {"dequant_mode", "dequant_dtype", "quant_mode", "quant_dtype"})
    if (const std::int64_t value = context.node().Int(name, 0); value != 0)
      context.Unsupported("no kernel for {} {}; 0 would run", name, value);
  if (GroupListKindOf(context, "group_list_type") == GroupListKind::kPairs)
    context.Refuse("attribute 'group_list_type' is 2; 0 (ends) and 1 (counts) are possible");
}

void InferSwiglu(OpContext& context) {
  CheckSwigluForm(context);
  const Ports ports = SwigluPorts(context);
  const Sizes sizes = SizesOf(context, ports.weight, ports.scale, IsTransposed(context, false));
  if (context.In(0).type != DataType::kInt8)
    context.Unsupported("no kernel for x of {}; int8 would run", DataTypeName(context.In(0).type));
  if (sizes.columns % 2 != 0)
    context.Refuse("the products have {} columns, expected two halves", sizes.columns);
  CheckCount(context, "x_scale", sizes.rows, "row of x");
  if (context.In("x_scale").type != DataType::kFloat)
    context.Refuse("'x_scale' is {}, expected float", ToString(context.In("x_scale")));
  context.SetOut(0, DataType::kInt8, {context.InDims(0)[0], static_cast<std::int64_t>(sizes.columns / 2)},
                 context.In(0).format);
  context.SetOut(1, DataType::kFloat, {context.InDims(0)[0]}, Format::kNd);
}

bool IsForAllRows(const OpContext& context) {
  const std::string mode = context.node().Text("x_quant_mode", "pertoken");
  if (mode == "pertensor") return true;
  if (mode == "pertoken") return false;
  context.Refuse("attribute 'x_quant_mode' is '{}', expected pertoken or pertensor", mode);
}

class DequantKernel final : public GroupsKernel {
 public:
  explicit DequantKernel(const OpContext& context)
      : GroupsKernel(context, context.Port("quantized_weight"), context.Port("weight_scale"),
                     IsTransposed(context, true), GroupListKind::kEnds),
        scale_step_(IsForAllRows(context) ? 0 : 1),
        scale_(OptionalPort(context, "x_scale")),
        smooth_(OptionalPort(context, "smooth_scale")) {}

  // x as int8, the scale of each row, and x smoothed.
  std::size_t WorkspaceBytes() const override {
    return GroupsKernel::WorkspaceBytes() + Aligned(sizes_.rows * sizes_.depth) +
           sizes_.rows * (1 + sizes_.depth) * sizeof(float);
  }

  void Run(const RunArgs& args) const override {
    auto* x = reinterpret_cast<std::int8_t*>(args.workspace + GroupsKernel::WorkspaceBytes());
    auto* tokens = reinterpret_cast<float*>(x + Aligned(sizes_.rows * sizes_.depth));
    ParallelFor(sizes_.rows, 1 + 8192 / (1 + sizes_.depth), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        tokens[row] =
            QuantizeToken(args, row, tokens + sizes_.rows + row * sizes_.depth, x + row * sizes_.depth);
    });
    const std::size_t used =
        ForEachRow(args, x, [&](std::size_t row, const std::int32_t* sums, const float* scales) {
          for (std::size_t i = 0; i < sizes_.columns; ++i)
            args.Out<float>(0)[row * sizes_.columns + i] =
                static_cast<float>(sums[i]) * scales[i] * tokens[row];
        });
    std::fill_n(args.Out<float>(0) + used * sizes_.columns, (sizes_.rows - used) * sizes_.columns, 0.0f);
  }

 private:
  float QuantizeToken(const RunArgs& args, std::size_t row, float* smoothed, std::int8_t* to) const {
    const float* x = args.In<float>(0) + row * sizes_.depth;
    for (std::size_t i = 0; i < sizes_.depth; ++i)
      smoothed[i] = smooth_ < 0 ? x[i] : x[i] * args.In<float>(smooth_)[i];
    if (scale_ < 0) return QuantizeRowToInt8(smoothed, sizes_.depth, to);
    const float scale = args.In<float>(scale_)[row * scale_step_];
    for (std::size_t i = 0; i < sizes_.depth; ++i)
      to[i] = ToInt8(smoothed[i] / scale);
    return scale;
  }

  std::size_t scale_step_;
  int scale_, smooth_;
};

void InferDequant(OpContext& context) {
  CheckAbsent(context, {"bias", "x_offset"}, "how it is applied is not published");
  const Sizes sizes = SizesOf(context, context.Port("quantized_weight"), context.Port("weight_scale"),
                              IsTransposed(context, true));
  const bool all = IsForAllRows(context);
  if (all && !context.Has("x_scale")) context.Refuse("x_quant_mode is 'pertensor' and there is no 'x_scale'");
  CheckCount(context, "x_scale", all ? 1 : sizes.rows, all ? "tensor" : "row of x");
  CheckCount(context, "smooth_scale", sizes.depth, "column of x");
  context.SetOut(0, context.In(0).type, {context.InDims(0)[0], static_cast<std::int64_t>(sizes.columns)},
                 context.In(0).format);
}

const RegisterOp quantized_grouped_matmul({
    OpDef("GroupedMatmulSwigluQuantV2")
        .Infer(InferSwiglu)
        .Lower([](OpContext& context) { return std::make_unique<SwigluKernel>(context); })
        .Types({DataType::kInt8}),
    OpDef("QuantGroupedMatmulDequant")
        .Infer(InferDequant)
        .Lower([](OpContext& context) {
          CheckFloats(context, {"x", "x_scale", "smooth_scale"});
          return ThroughFloat(context, std::make_unique<DequantKernel>(context));
        })
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}),
});

}  // namespace
}  // namespace foothold
