// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// WeightQuantBatchMatmulV2: x times (weight + antiquant_offset) * antiquant_scale, plus bias, with weights of
// 4 or 8 bits. There is one scale for all weights, one for each column, or one for each column and each group
// of antiquant_group_size elements of the depth: [groups, columns], or [columns, groups] where the attribute
// _transpose_scale, which is ours, is true.
#include <algorithm>

#include "kernels/quantized_product.h"
#include "kernels/transpose_tile.h"
#include "kernels/workspace_parts.h"
#include "ops/op.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

constexpr const char* kX = "x";
constexpr const char* kWeight = "weight";
constexpr const char* kScale = "antiquant_scale";
constexpr const char* kOffset = "antiquant_offset";
constexpr const char* kBias = "bias";

bool IsGiven(const OpContext& context, const char* name) {
  const int port = context.node().InputIndex(name);
  return port >= 0 && context.Has(port);
}

// How x lies: rows of `depth` elements, or, transposed, one matrix whose columns are the rows.
struct Rows {
  std::size_t count = 1, depth = 0;
  bool transposed = false;
};

Rows RowsOf(const OpContext& context) {
  const Dims& dims = context.In(kX).dims;
  const bool transposed = context.node().Bool("transpose_x", false);
  if (dims.size() < 2 || (transposed && dims.size() != 2))
    context.Refuse("'x' is {}, expected {}", ToString(context.In(kX)),
                   transposed ? "a matrix, as transpose_x is true" : "at least two dimensions");
  const auto last = static_cast<std::size_t>(dims.back());
  if (transposed) return {last, static_cast<std::size_t>(dims[0]), true};
  const Dims before(dims.begin(), dims.end() - 1);
  return {static_cast<std::size_t>(ElementCount(before)), last, false};
}

std::size_t GroupOf(const OpContext& context, std::size_t depth) {
  const std::int64_t group = context.node().Int("antiquant_group_size", 0);
  if (group < 0)
    context.Refuse("attribute 'antiquant_group_size' is {}, expected 0 or the size of a group", group);
  const std::size_t whole = std::max<std::size_t>(1, depth);
  return group == 0 ? whole : std::min(whole, static_cast<std::size_t>(group));
}

bool IsFloat(DataType type) {
  return ComputesInFloat(type);
}

std::optional<HalfKind> HalfOf(DataType type) {
  if (type == DataType::kFloat) return std::nullopt;
  return type == DataType::kFloat16 ? HalfKind::kFloat16 : HalfKind::kBfloat16;
}

ScaleOrder OrderOf(const OpContext& context, const QuantizedForm& form) {
  const TensorType& scale = context.In(kScale);
  const auto columns = static_cast<std::int64_t>(form.columns);
  const auto groups = static_cast<std::int64_t>(form.Groups());
  const bool swapped = context.node().Bool("_transpose_scale", false);
  if (groups <= 1 && ElementCount(scale.dims) == 1) return ScaleOrder::kOne;
  if (groups <= 1 && ElementCount(scale.dims) == columns) return ScaleOrder::kGroupsByColumns;
  const Dims expected = swapped ? Dims{columns, groups} : Dims{groups, columns};
  if (groups > 1 && scale.dims == expected)
    return swapped ? ScaleOrder::kColumnsByGroups : ScaleOrder::kGroupsByColumns;
  if (groups > 1)
    context.Refuse("'{}' is {}, expected {} for groups of {}", kScale, ToString(scale), ToString(expected),
                   form.group);
  context.Refuse("'{}' is {}, expected one number or {}, one for each column", kScale, ToString(scale),
                 columns);
}

QuantizedForm FormOf(const OpContext& context, std::size_t depth) {
  const TensorType& weight = context.In(kWeight);
  const bool transposed = context.node().Bool("transpose_weight", false);
  const auto expected = static_cast<std::int64_t>(depth);
  if (weight.dims.size() != 2 || weight.dims[transposed ? 1 : 0] != expected)
    context.Refuse("'weight' is {}, expected a matrix with {} {}, as x has", ToString(weight), depth,
                   transposed ? "columns" : "rows");
  QuantizedForm form;
  form.depth = depth;
  form.columns = static_cast<std::size_t>(weight.dims[transposed ? 0 : 1]);
  form.bits = weight.type == DataType::kInt4 ? WeightBits::kFour : WeightBits::kEight;
  form.by_column = transposed;
  form.group = GroupOf(context, depth);
  form.order = OrderOf(context, form);
  form.scale_type = HalfOf(context.In(kScale).type);
  return form;
}

void CheckFloat(const OpContext& context, const char* input) {
  if (!IsGiven(context, input) || IsFloat(context.In(input).type)) return;
  context.Refuse("'{}' is {}, expected float16, bfloat16 or float", input, ToString(context.In(input)));
}

void CheckTypes(const OpContext& context) {
  for (const char* input : {kX, kScale, kOffset, kBias})
    CheckFloat(context, input);
  const TensorType& weight = context.In(kWeight);
  if (weight.type != DataType::kInt8 && weight.type != DataType::kInt4)
    context.Refuse("'weight' is {}, expected int8 or int4", ToString(weight));
  if (!IsGiven(context, kOffset)) return;
  const TensorType &scale = context.In(kScale), &offset = context.In(kOffset);
  if (offset.type != scale.type || offset.dims != scale.dims)
    context.Refuse("'{}' is {}, expected {}, as '{}' is", kOffset, ToString(offset), ToString(scale), kScale);
}

void InferProduct(OpContext& context) {
  CheckTypes(context);
  for (const char* input : {"quant_scale", "quant_offset"})
    if (IsGiven(context, input))
      context.Unsupported("'{}' is given, but results are not quantised here: leave it out", input);
  const Rows rows = RowsOf(context);
  const QuantizedForm form = FormOf(context, rows.depth);
  const auto columns = static_cast<std::int64_t>(form.columns);
  if (IsGiven(context, kBias) && ElementCount(context.In(kBias).dims) != columns)
    context.Refuse("'bias' is {}, expected {}, one for each column", ToString(context.In(kBias)), columns);
  Dims out = context.In(kX).dims;
  out[out.size() - 2] = rows.transposed ? static_cast<std::int64_t>(rows.count) : out[out.size() - 2];
  out.back() = columns;
  context.SetOut(0, context.In(kX).type, out, context.In(kX).format);
}

struct Ports {
  int x, weight, scale, offset, bias;  // -1: not connected
};

class WeightQuantMatMul : public Kernel {
 public:
  WeightQuantMatMul(const OpContext& context, const Rows& rows, const QuantizedForm& form)
      : rows_(rows),
        columns_(form.columns),
        ports_{context.Port(kX), context.Port(kWeight), context.Port(kScale),
               IsGiven(context, kOffset) ? context.Port(kOffset) : -1,
               IsGiven(context, kBias) ? context.Port(kBias) : -1},
        type_(HalfOf(context.In(kX).type)),
        bias_type_(ports_.bias < 0 ? std::nullopt : HalfOf(context.In(kBias).type)),
        plan_(rows.count, form, ports_.offset >= 0, !type_.has_value()) {}

  std::size_t WorkspaceBytes() const override {
    WorkspaceParts parts(nullptr);
    Scratch(*this, parts);
    return parts.bytes();
  }

  void Run(const RunArgs& args) const override {
    WorkspaceParts parts(args.workspace);
    const Scratch scratch(*this, parts);
    if (ports_.bias >= 0) ReadFloats(bias_type_, args.inputs[ports_.bias], 0, columns_, scratch.bias);
    const QuantizedWeights weights{args.inputs[ports_.weight], args.inputs[ports_.scale],
                                   ports_.offset < 0 ? nullptr : args.inputs[ports_.offset]};
    plan_.Run(Dense(args.inputs[ports_.x], scratch), weights, ports_.bias < 0 ? nullptr : scratch.bias,
              {args.outputs[0], type_}, scratch.plan);
  }

 private:
  struct Scratch {
    Scratch(const WeightQuantMatMul& of, WorkspaceParts& parts)
        : x(parts.Take<float>(of.type_ ? of.rows_.count * of.rows_.depth : 0)),
          turned(parts.Take<float>(of.rows_.transposed ? of.rows_.count * of.rows_.depth : 0)),
          bias(parts.Take<float>(of.ports_.bias < 0 ? 0 : of.columns_)),
          plan(parts.Take<std::byte>(of.plan_.WorkspaceBytes())) {}
    float *x, *turned, *bias;
    std::byte* plan;
  };

  // x as rows of floats.
  const float* Dense(const std::byte* x, const Scratch& scratch) const {
    const std::size_t count = rows_.count * rows_.depth;
    if (type_) ReadFloats(type_, x, 0, count, scratch.x);
    const float* const floats = type_ ? scratch.x : reinterpret_cast<const float*>(x);
    if (!rows_.transposed) return floats;
    TransposeTile(
        reinterpret_cast<const std::byte*>(floats), static_cast<std::ptrdiff_t>(rows_.count * sizeof(float)),
        reinterpret_cast<std::byte*>(scratch.turned),
        static_cast<std::ptrdiff_t>(rows_.depth * sizeof(float)), rows_.count, rows_.depth, sizeof(float));
    return scratch.turned;
  }

  Rows rows_;
  std::size_t columns_;
  Ports ports_;
  std::optional<HalfKind> type_, bias_type_;  // of x and y, and of the bias; nothing: float
  QuantizedProductPlan plan_;
};

std::unique_ptr<Kernel> LowerProduct(OpContext& context) {
  const Rows rows = RowsOf(context);
  return std::make_unique<WeightQuantMatMul>(context, rows, FormOf(context, rows.depth));
}

const RegisterOp weight_quant_matmul(OpDef("WeightQuantBatchMatmulV2")
                                         .Infer(InferProduct)
                                         .Lower(LowerProduct)
                                         .Types({DataType::kFloat16, DataType::kBfloat16, DataType::kFloat}));

}  // namespace
}  // namespace foothold
