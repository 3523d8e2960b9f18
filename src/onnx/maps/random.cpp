// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

DataType TypeOfNumbers(const NodeImport& node) {
  const DataType type = node.OutputType(0).type;
  if (type == DataType::kUndefined) node.Unsupported("the element type of the output is not known");
  return type;
}

// Without a seed every run differs.
std::int64_t Seed(const NodeImport& node) {
  return static_cast<std::int64_t>(node.Float("seed", 0));
}

OutputRef Random(NodeImport& node, const std::string& type, OutputRef shape, DataType of, std::int64_t seed) {
  return node.Op(type, {shape}).Set("dtype", of).Set("seed", seed).Set("seed2", std::int64_t{0});
}

OutputRef Affine(NodeImport& node, OutputRef x, DataType type, double scale, double shift) {
  GraphBuilder& graph = node.builder();
  return node.Op("Add", {node.Op("Mul", {x, graph.Number(type, scale)}), graph.Number(type, shift)});
}

OutputRef ShapeFor(NodeImport& node) {
  return node.HasAttribute("shape") ? node.builder().Ints(node.IntList("shape")) : ShapeOf(node, node.In(0));
}

void MapUniform(NodeImport& node) {
  const DataType type = TypeOfNumbers(node);
  const double low = node.Float("low", 0), high = node.Float("high", 1);
  node.Out(0, Affine(node, Random(node, "RandomUniform", ShapeFor(node), type, Seed(node)), type, high - low,
                     low));
}

void MapNormal(NodeImport& node) {
  const DataType type = TypeOfNumbers(node);
  const OutputRef numbers = Random(node, "RandomStandardNormal", ShapeFor(node), type, Seed(node));
  node.Out(0, Affine(node, numbers, type, node.Float("scale", 1), node.Float("mean", 0)));
}

void MapMultinomial(NodeImport& node) {
  const DataType type = node.Int("dtype", 6) == 7 ? DataType::kInt64 : DataType::kInt32;
  node.Out(0, node.Op("Multinomial", {node.In(0), node.builder().Int(node.Int("sample_size", 1))})
                  .Set("dtype", type)
                  .Set("seed", Seed(node)));
}

OutputRef Ones(NodeImport& node, OutputRef x, DataType type) {
  return node.Op("Fill", {ShapeOf(node, x), node.builder().Number(type, 1)});
}

void MapOldDropout(NodeImport& node) {
  const OutputRef x = node.In(0);
  node.Out(0, node.Op("Identity", {x}));
  const DataType mask = node.version() < 10 ? node.ElementType(0) : DataType::kBool;
  if (node.Wants(1)) node.Out(1, Ones(node, x, mask));
}

// Whether a run trains may be known only then: an element is kept if it does not, or if chance wants it.
void MapDropout(NodeImport& node) {
  const OutputRef x = node.In(0);
  const auto training = node.Has(2) ? node.KnownNumber(2) : std::optional<double>(0);
  const auto known_ratio = node.Has(1) ? node.KnownNumber(1) : std::optional<double>(0.5);
  if ((training && *training == 0) || (known_ratio && *known_ratio == 0)) {
    node.Out(0, node.Op("Identity", {x}));
    if (node.Wants(1)) node.Out(1, Ones(node, x, DataType::kBool));
    return;
  }
  GraphBuilder& graph = node.builder();
  const DataType type = node.ElementType(0);
  const OutputRef trains = node.In(2);
  const OutputRef given =
      node.Has(1) ? node.Cast(node.In(1), DataType::kFloat) : graph.Number(DataType::kFloat, 0.5);
  const OutputRef ratio = node.Op("Mul", {given, node.Cast(trains, DataType::kFloat)});
  const OutputRef chance =
      Random(node, "RandomUniform", ShapeOf(node, x), DataType::kFloat, node.Int("seed", 0));
  const OutputRef kept = node.Op("GreaterEqual", {chance, ratio});
  const OutputRef scale = node.Op("Reciprocal", {node.Op("Sub", {graph.Number(DataType::kFloat, 1), ratio})});
  const OutputRef scaled = node.Op("Mul", {x, node.Cast(scale, type)});
  node.Out(0, node.Op("Mul", {scaled, node.Cast(kept, type)}));
  node.Out(1, kept);
}

const RegisterMapping uniform({"RandomUniform", "RandomUniformLike"}, MapUniform);
const RegisterMapping normal({"RandomNormal", "RandomNormalLike"}, MapNormal);
const RegisterMapping multinomial("Multinomial", MapMultinomial);
const RegisterMapping old_dropout("Dropout", MapOldDropout, 1, 11);
const RegisterMapping dropout("Dropout", MapDropout, 12);

}  // namespace
}  // namespace foothold::onnx
