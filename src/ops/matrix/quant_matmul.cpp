// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// QuantBatchMatmulV3 and QuantBatchMatmulV4: products of int8 matrices with exact sums, times a scale for
// each column and, if there is one, for each row. A bias of int32 is added to the sums, one of floats to the
// result. V4 knows many forms more; the one that V3 has under other names is here.
#include <algorithm>

#include "ops/data/rule_arguments.h"
#include "ops/matrix/integer_product.h"
#include "ops/matrix/sum_scaler.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// What the two call their inputs.
struct Names {
  const char* scale;
  const char* row_scale;
  const char* offset;
};
constexpr Names kThird{"scale", "pertoken_scale", "offset"};
constexpr Names kFourth{"x2_scale", "x1_scale", ""};

// -1: not connected.
int PortOf(const OpContext& context, const char* name) {
  const int port = context.node().InputIndex(name);
  return port >= 0 && context.Has(port) ? port : -1;
}

MatMulShape ShapeOf(const OpContext& context) {
  const Node& node = context.node();
  return MatMulShapeOf(context, context.Port("x1"), node.Bool("transpose_x1", false), context.Port("x2"),
                       node.Bool("transpose_x2", false));
}

bool BiasIsInteger(const OpContext& context, int bias) {
  return bias >= 0 && context.In(bias).type == DataType::kInt32;
}

ScalePorts PortsOf(const OpContext& context, const Names& names) {
  const int bias = PortOf(context, "bias");
  return {PortOf(context, names.scale), PortOf(context, names.row_scale),
          BiasIsInteger(context, bias) ? -1 : bias, PortOf(context, names.offset)};
}

SumScaler ScalerOf(const OpContext& context, const Names& names, const MatMulShape& shape) {
  const std::size_t rows = shape.left_of.size() * shape.size.rows;
  return {context, PortsOf(context, names), rows, shape.size.rows, shape.size.columns};
}

void CheckOperands(const OpContext& context) {
  for (const char* name : {"x1", "x2"})
    if (const TensorType& type = context.In(name); type.type != DataType::kInt8)
      context.Unsupported("'{}' is {}; int8 would run", name, ToString(type));
}

void CheckResult(const OpContext& context, const ScalePorts& ports, DataType type) {
  if (type != DataType::kInt8 && !ComputesInFloat(type))
    context.Unsupported("no kernel for results of {}; int8, float16, bfloat16 and float have one",
                        DataTypeName(type));
  if (ports.offset >= 0 && type != DataType::kInt8)
    context.Refuse("'offset' is given and the result is {}, expected int8", DataTypeName(type));
}

void InferWith(OpContext& context, const Names& names) {
  CheckOperands(context);
  const MatMulShape shape = ShapeOf(context);
  const ScalePorts ports = PortsOf(context, names);
  if (ports.scale < 0) context.Refuse("'{}' is not connected", names.scale);
  const DataType type = TypeAttribute(context, "dtype", DataType::kFloat16);
  CheckResult(context, ports, type);
  const int bias = PortOf(context, "bias");
  if (BiasIsInteger(context, bias) && !BroadcastsTo(context.InDims(bias), shape.out))
    context.Refuse("'bias' is {} and does not broadcast to {}", ToString(context.In(bias)),
                   ToString(shape.out));
  context.SetOut(0, type, shape.out, context.In("x1").format);
  ScalerOf(context, names, shape);
}

class QuantMatMul : public Kernel {
 public:
  QuantMatMul(std::unique_ptr<Kernel> product, SumScaler scaler, std::size_t results)
      : product_(std::move(product)),
        scaler_(std::move(scaler)),
        sums_(RoundUp(results * sizeof(std::int32_t), kTensorAlignment)) {}

  std::size_t WorkspaceBytes() const override {
    return sums_ + std::max(product_->WorkspaceBytes(), scaler_.WorkspaceBytes());
  }
  void Run(const RunArgs& args) const override {
    std::byte* const sums = args.workspace;
    product_->Run({args.inputs, &sums, args.workspace + sums_});
    scaler_.Run(args, reinterpret_cast<const std::int32_t*>(sums), args.workspace + sums_);
  }

 private:
  std::unique_ptr<Kernel> product_;
  SumScaler scaler_;
  std::size_t sums_;  // bytes
};

std::unique_ptr<Kernel> LowerWith(OpContext& context, const Names& names) {
  IntegerProduct product;
  product.shape = ShapeOf(context);
  const int bias = PortOf(context, "bias");
  if (BiasIsInteger(context, bias)) {
    product.bias_port = bias;
    product.bias = BroadcastBias(context.InDims(bias), product.shape.out);
  }
  SumScaler scaler = ScalerOf(context, names, product.shape);
  const auto results = static_cast<std::size_t>(ElementCount(product.shape.out));
  return std::make_unique<QuantMatMul>(LowerIntegerProduct(context, std::move(product)), std::move(scaler),
                                       results);
}

// What V4 has beyond V3.
void RefuseMore(const OpContext& context) {
  for (const char* name : {"y_scale", "x1_offset", "x2_offset", "y_offset", "x2_table"})
    if (PortOf(context, name) >= 0) context.Unsupported("'{}' is given; no kernel takes it", name);
  if (const std::int64_t group = context.node().Int("group_size", 0); group != 0)
    context.Unsupported("attribute 'group_size' is {}; no kernel for scales of groups", group);
}

OpDef Def(const char* type, const Names& names, void (*check)(const OpContext&)) {
  return OpDef(type)
      .Infer([=](OpContext& context) {
        check(context);
        InferWith(context, names);
      })
      .Lower([=](OpContext& context) { return LowerWith(context, names); })
      .Types({DataType::kInt8});
}

const RegisterOp quant_matmul({Def("QuantBatchMatmulV3", kThird, [](const OpContext&) {}),
                               Def("QuantBatchMatmulV4", kFourth, RefuseMore)});

}  // namespace
}  // namespace foothold
