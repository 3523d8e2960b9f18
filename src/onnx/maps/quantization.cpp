// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Quantised operators. Between floats and bytes there are operators of our own, which passes look for; the
// others are written with operators on plain numbers. Sums of products are exact: those of convolutions are
// computed in double.
#include <algorithm>

#include "onnx/mapping.h"
#include "onnx/maps/convolve.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

struct Limits {
  double low, high;
};

Limits LimitsOf(const NodeImport& node, DataType type) {
  if (type == DataType::kInt8) return {-128, 127};
  if (type == DataType::kUint8) return {0, 255};
  if (type == DataType::kInt16) return {-32768, 32767};
  if (type == DataType::kUint16) return {0, 65535};
  node.Unsupported("quantised values of type {} are not supported", DataTypeName(type));
}

// A number per slice along `axis` so that it broadcasts; one number stays as it is.
OutputRef AlongAxis(NodeImport& node, OutputRef values, int input, std::int64_t axis, std::size_t rank) {
  const Dims dims = node.TypeOf(input).dims;
  if (RankKnown(dims) && (dims.empty() || rank == 0)) return values;
  const auto all = static_cast<std::int64_t>(rank);
  const std::int64_t at = axis < 0 ? axis + all : axis;
  if (at < 0 || at >= all) node.Unsupported("there is no axis {}", axis);
  if (RankKnown(dims) && dims == Dims{1}) return ReshapeTo(node, values, {});
  Ints shape(rank, 1);
  shape[static_cast<std::size_t>(at)] = -1;
  return ReshapeTo(node, values, shape);
}

OutputRef Saturated(NodeImport& node, OutputRef x, OutputRef zero, DataType computed, DataType type) {
  const Limits limits = LimitsOf(node, type);
  GraphBuilder& graph = node.builder();
  OutputRef y = node.Op("Round", {x});
  if (zero) y = node.Op("Add", {y, zero});
  y = node.Op("ClipByValue", {y, graph.Number(computed, limits.low), graph.Number(computed, limits.high)});
  return node.Cast(y, type);
}

void RefuseBlocks(const NodeImport& node) {
  if (node.Int("block_size", 0) != 0) node.Unsupported("quantisation in blocks is not supported");
}

bool IsByte(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUint8;
}

OutputRef AsFloat(NodeImport& node, int input) {
  return node.TypeOf(input).type == DataType::kFloat ? node.In(input)
                                                     : node.Cast(node.In(input), DataType::kFloat);
}

void MapQuantizeLinear(NodeImport& node) {
  RefuseBlocks(node);
  const std::int64_t axis = node.Int("axis", 1);
  const std::int64_t asked = node.Int("output_dtype", 0);  // since version 21; 0: not said
  const DataType type = node.Has(2)  ? node.ElementType(2)
                        : asked != 0 ? node.TypeOfNumber(asked)
                                     : DataType::kUint8;
  if (IsByte(type))
    return node.Out(0, node.Op("OnnxQuantizeLinear", {AsFloat(node, 0), AsFloat(node, 1), node.InOr(2)})
                           .Set("axis", axis)
                           .Set("type", static_cast<std::int64_t>(type)));
  const std::size_t rank = node.TypeOf(1).dims.empty() ? 0 : node.Rank(0);
  const OutputRef scale = AlongAxis(node, AsFloat(node, 1), 1, axis, rank);
  const OutputRef zero =
      node.Has(2) ? AlongAxis(node, node.Cast(node.In(2), DataType::kFloat), 2, axis, rank) : OutputRef();
  node.Out(0, Saturated(node, node.Op("Div", {AsFloat(node, 0), scale}), zero, DataType::kFloat, type));
}

void MapDequantizeLinear(NodeImport& node) {
  RefuseBlocks(node);
  const std::int64_t axis = node.Int("axis", 1);
  const DataType type = node.TypeOf(0).type;
  if (node.TypeOf(1).type == DataType::kFloat && (IsByte(type) || type == DataType::kInt32))
    return node.Out(
        0, node.Op("OnnxDequantizeLinear", {node.In(0), node.In(1), node.InOr(2)}).Set("axis", axis));
  const std::size_t rank = node.TypeOf(1).dims.empty() ? 0 : node.Rank(0);
  OutputRef x = node.Cast(node.In(0), DataType::kFloat);
  if (node.Has(2))
    x = node.Op("Sub", {x, AlongAxis(node, node.Cast(node.In(2), DataType::kFloat), 2, axis, rank)});
  const OutputRef scale = AlongAxis(node, node.Cast(node.In(1), DataType::kFloat), 1, axis, rank);
  const OutputRef y = node.Op("Mul", {x, scale});
  node.Out(0, node.ElementType(1) == DataType::kFloat ? y : node.Cast(y, node.ElementType(1)));
}

void MapDynamicQuantizeLinear(NodeImport& node) {
  OpBuilder op = node.Op("OnnxDynamicQuantizeLinear", {node.In(0)});
  for (const char* name : {"scale", "zero"})
    op.node().AddOutput(name, PortKind::kRequired);
  for (int i = 0; i < 3; ++i)
    node.Out(i, op.Out(i));
}

// A tensor minus its zero point, which may be one number per slice along an axis.
OutputRef Centred(NodeImport& node, int input, int zero, std::int64_t axis, DataType computed) {
  const OutputRef x = node.Cast(node.In(input), computed);
  if (!node.Has(zero)) return x;
  return node.Op("Sub",
                 {x, AlongAxis(node, node.Cast(node.In(zero), computed), zero, axis, node.Rank(input))});
}

void MapMatMulInteger(NodeImport& node) {
  node.Out(0, node.Op("OnnxMatMulInteger", {node.In(0), node.In(1), node.InOr(2), node.InOr(3)}));
}

OutputRef ScaleOf(NodeImport& node, int input, std::int64_t axis, std::size_t rank) {
  return AlongAxis(node, node.Cast(node.In(input), DataType::kDouble), input, axis, rank);
}

void MapQLinearMatMul(NodeImport& node) {
  const OutputRef sums = node.Op("OnnxMatMulInteger", {node.In(0), node.In(3), node.In(2), node.In(5)});
  const std::size_t rank = std::max(node.Rank(0), node.Rank(3));
  const OutputRef scales = node.Op("Mul", {ScaleOf(node, 1, -2, rank), ScaleOf(node, 4, -1, rank)});
  const OutputRef product = node.Op("Mul", {node.Cast(sums, DataType::kDouble), scales});
  const OutputRef y = node.Op("Div", {product, ScaleOf(node, 6, -1, rank)});
  const OutputRef zero = AlongAxis(node, node.Cast(node.In(7), DataType::kDouble), 7, -1, rank);
  node.Out(0, Saturated(node, y, zero, DataType::kDouble, node.ElementType(7)));
}

void MapConvInteger(NodeImport& node) {
  const OutputRef x = Centred(node, 0, 2, 1, DataType::kDouble);
  const OutputRef filter = Centred(node, 1, 3, 0, DataType::kDouble);
  node.Out(0, node.Cast(Convolve(node, x, filter, {}, ConvolutionWindow(node, 1)), DataType::kInt32));
}

void MapQLinearConv(NodeImport& node) {
  const OutputRef x = Centred(node, 0, 2, 1, DataType::kDouble);
  const OutputRef filter = Centred(node, 3, 5, 0, DataType::kDouble);
  const OutputRef bias = node.Has(8) ? node.Cast(node.In(8), DataType::kDouble) : OutputRef();
  const OutputRef sums = Convolve(node, x, filter, bias, ConvolutionWindow(node, 3));
  const std::size_t rank = node.Rank(0);
  const OutputRef scales = node.Op("Mul", {ScaleOf(node, 1, 1, rank), ScaleOf(node, 4, 1, rank)});
  const OutputRef y = node.Op("Div", {node.Op("Mul", {sums, scales}), ScaleOf(node, 6, 1, rank)});
  const OutputRef zero = AlongAxis(node, node.Cast(node.In(7), DataType::kDouble), 7, 1, rank);
  node.Out(0, Saturated(node, y, zero, DataType::kDouble, node.ElementType(7)));
}

const RegisterMapping dynamic_quantize_linear("DynamicQuantizeLinear", MapDynamicQuantizeLinear);
const RegisterMapping conv_integer("ConvInteger", MapConvInteger);
const RegisterMapping qlinear_conv("QLinearConv", MapQLinearConv);
const RegisterMapping quantize_linear("QuantizeLinear", MapQuantizeLinear);
const RegisterMapping dequantize_linear("DequantizeLinear", MapDequantizeLinear);
const RegisterMapping matmul_integer("MatMulInteger", MapMatMulInteger);
const RegisterMapping qlinear_matmul("QLinearMatMul", MapQLinearMatMul);

}  // namespace
}  // namespace foothold::onnx
