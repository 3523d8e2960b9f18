// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

void MapElu(NodeImport& node) {
  node.Out(0, node.Op("Elu", {node.In(0)}).Set("alpha", node.Float("alpha", 1.0f)));
}

void MapCelu(NodeImport& node) {
  node.Out(0, node.Op("CeluV2", {node.In(0)}).Set("alpha", node.Float("alpha", 1.0f)));
}

void MapSelu(NodeImport& node) {
  constexpr float kAlpha = 1.67326319217681884765625f, kGamma = 1.05070102214813232421875f;
  const bool old = node.version() < 6;
  const float alpha = node.Float("alpha", old ? 1.6732f : kAlpha);
  const float gamma = node.Float("gamma", old ? 1.0507f : kGamma);
  const OutputRef x = node.In(0);
  if (alpha == kAlpha && gamma == kGamma) return node.Out(0, node.Op("Selu", {x}));
  node.Out(0, node.Op("Muls", {node.Op("Elu", {x}).Set("alpha", alpha)}).Set("value", gamma));
}

void MapHardSigmoid(NodeImport& node) {
  node.Out(0, node.Op("HardSigmoid", {node.In(0)})
                  .Set("alpha", node.Float("alpha", 0.2f))
                  .Set("beta", node.Float("beta", 0.5f)));
}

void MapLeakyRelu(NodeImport& node) {
  node.Out(0, node.Op("LeakyRelu", {node.In(0)}).Set("negative_slope", node.Float("alpha", 0.01f)));
}

void MapThresholdedRelu(NodeImport& node) {
  node.Out(0, node.Op("ThresholdedRelu", {node.In(0)}).Set("alpha", node.Float("alpha", 1.0f)));
}

void MapShrink(NodeImport& node) {
  node.Out(0, node.Op("Shrink", {node.In(0)})
                  .Set("lambd", node.Float("lambd", 0.5f))
                  .Set("bias", node.Float("bias", 0.0f)));
}

void MapGelu(NodeImport& node) {
  node.Out(0, node.Op("GeluV2", {node.In(0)}).Set("approximate", node.Text("approximate", "none")));
}

void MapPlain(NodeImport& node) {
  node.Out(0, node.Op(node.op(), {node.In(0)}));
}

bool IsPerChannel(const ValueType& x, const ValueType& slope) {
  if (!x.RankKnown() || !slope.RankKnown() || x.dims.size() < 2) return false;
  if (slope.dims.size() != x.dims.size() - 1 || slope.dims[0] != x.dims[1]) return false;
  for (std::size_t i = 1; i < slope.dims.size(); ++i)
    if (slope.dims[i] != 1) return false;
  return slope.dims[0] > 0;
}

// The operator of the Graph Engine takes one number per channel; ONNX broadcasts.
void MapPRelu(NodeImport& node) {
  const OutputRef x = node.In(0), slope = node.In(1);
  if (node.version() < 7 || IsPerChannel(node.TypeOf(0), node.TypeOf(1)))
    return node.Out(0, node.Op("PRelu", {x, ReshapeTo(node, slope, {-1})}));
  const OutputRef zero = node.builder().Number(node.ElementType(0), 0);
  node.Out(0, node.Op("SelectV2", {node.Op("Less", {x, zero}), node.Op("Mul", {x, slope}), x}));
}

// Before version 13 all axes from the given one on are one.
std::optional<Ints> SoftmaxAxes(const NodeImport& node) {
  const bool one = node.version() >= 13;
  std::int64_t axis = node.Int("axis", one ? -1 : 1);
  if (one || axis == -1) return Ints{axis};
  const auto rank = node.KnownRank(0);
  if (!rank) return std::nullopt;
  axis = node.AxisWithin(axis, *rank);
  Ints axes;
  for (std::int64_t i = axis; i < static_cast<std::int64_t>(*rank); ++i)
    axes.push_back(i);
  return axes.empty() ? Ints{-1} : axes;
}

// Applied to rows: the dimensions before and after the axis as one each.
OutputRef OnRows(NodeImport& node, OutputRef x, const std::string& type, const char* attribute,
                 Attribute value) {
  const OutputRef rows = node.Op("Flatten", {x}).Set("axis", node.Int("axis", 1));
  const OutputRef y = node.Op(type, {rows}).Set(attribute, std::move(value));
  return node.Op("Reshape", {y, ShapeOf(node, x)});
}

void MapSoftmax(NodeImport& node) {
  const std::string type = node.op() == "Softmax" ? "SoftmaxV2" : "LogSoftmaxV2";
  const OutputRef x = node.In(0);
  if (const auto axes = SoftmaxAxes(node)) return node.Out(0, node.Op(type, {x}).Set("axes", *axes));
  node.Out(0, OnRows(node, x, type, "axes", Ints{-1}));
}

void MapHardmax(NodeImport& node) {
  const OutputRef x = node.In(0);
  if (node.version() >= 13) return node.Out(0, node.Op("HardMax", {x}).Set("axis", node.Int("axis", -1)));
  node.Out(0, OnRows(node, x, "HardMax", "axis", std::int64_t{1}));
}

const RegisterMapping elu("Elu", MapElu);
const RegisterMapping celu("Celu", MapCelu);
const RegisterMapping selu("Selu", MapSelu);
const RegisterMapping hard_sigmoid("HardSigmoid", MapHardSigmoid);
const RegisterMapping leaky_relu("LeakyRelu", MapLeakyRelu);
const RegisterMapping thresholded_relu("ThresholdedRelu", MapThresholdedRelu);
const RegisterMapping shrink("Shrink", MapShrink);
const RegisterMapping gelu("Gelu", MapGelu);
const RegisterMapping plain({"HardSwish", "Softplus", "Mish"}, MapPlain);
const RegisterMapping prelu("PRelu", MapPRelu);
const RegisterMapping softmax({"Softmax", "LogSoftmax"}, MapSoftmax);
const RegisterMapping hardmax("Hardmax", MapHardmax);

}  // namespace
}  // namespace foothold::onnx
