// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fold_batch_norm.h"

#include <cmath>
#include <optional>

#include "compiler/infer.h"
#include "compiler/node_effects.h"
#include "compiler/sources.h"
#include "ir/stored_weight.h"
#include "ops/convolution/blocked_conv2d.h"
#include "ops/convolution/convolution_rules.h"

namespace foothold {
namespace {

struct Affine {
  std::vector<float> scale, shift;  // by channel
};

const float* KnownFloats(const OpContext& context, std::string_view port, std::size_t count) {
  if (context.node().InputIndex(port) < 0 || !context.Has(port)) return nullptr;
  const TensorValue* value = context.Value(port);
  const bool fits = value != nullptr && value->type().type == DataType::kFloat &&
                    ElementCount(value->dims()) == static_cast<std::int64_t>(count);
  if (fits) LoadWeight(*value);
  return fits ? value->As<float>() : nullptr;
}

bool OnlyFirstOutputIsRead(const Node& node) {
  for (std::size_t i = 1; i < node.outputs().size(); ++i)
    if (!node.outputs()[i].consumers.empty()) return false;
  return true;
}

// What the normalization does to each channel, if that is known.
std::optional<Affine> AffineOf(const OpContext& context, std::size_t channels) {
  const Node& node = context.node();
  const bool batch_norm = node.type() == "BatchNorm";
  if (!batch_norm && node.type() != "BNInfer") return std::nullopt;
  if (batch_norm && (node.Bool("is_training", true) || !OnlyFirstOutputIsRead(node))) return std::nullopt;
  const float* mean = KnownFloats(context, "mean", channels);
  const float* variance = KnownFloats(context, "variance", channels);
  const float* scale = KnownFloats(context, "scale", channels);
  const float* offset = KnownFloats(context, "offset", channels);
  if (mean == nullptr || variance == nullptr || scale == nullptr || offset == nullptr) return std::nullopt;
  const float epsilon = node.Float("epsilon", batch_norm ? 1e-4f : 1e-5f);
  Affine affine;
  for (std::size_t c = 0; c < channels; ++c) {
    affine.scale.push_back(scale[c] / std::sqrt(variance[c] + epsilon));
    affine.shift.push_back(offset[c] - mean[c] * affine.scale[c]);
  }
  return affine;
}

// Channels of a normalization are found as those of the convolution are.
bool NormalizesPlanes(const Node& node) {
  return node.InputType(0).format == Format::kNchw || node.Text("data_format", "NHWC") == "NCHW" ||
         node.type() == "BNInfer";
}

TensorValue Scaled(const TensorValue& filter, const FilterDims& dims, const std::vector<float>& scale) {
  TensorValue scaled = filter.Clone();
  auto* values = scaled.MutableAs<float>();
  for (std::size_t o = 0; o < scale.size(); ++o)
    for (std::int64_t i = 0; i < dims.in; ++i)
      for (std::int64_t y = 0; y < dims.height; ++y)
        for (std::int64_t x = 0; x < dims.width; ++x)
          values[o * dims.strides.out + static_cast<std::size_t>(i) * dims.strides.in +
                 static_cast<std::size_t>(y) * dims.strides.row +
                 static_cast<std::size_t>(x) * dims.strides.column] *= scale[o];
  return scaled;
}

TensorValue BiasOf(const OpContext& convolution, const Affine& affine) {
  const std::size_t channels = affine.shift.size();
  const float* bias = KnownFloats(convolution, "bias", channels);
  TensorValue value(TensorType{DataType::kFloat, Format::kNd, {static_cast<std::int64_t>(channels)}});
  for (std::size_t c = 0; c < channels; ++c)
    value.MutableAs<float>()[c] = affine.shift[c] + (bias == nullptr ? 0 : bias[c] * affine.scale[c]);
  return value;
}

void SetConstant(Graph& graph, Node& node, const char* port, TensorValue value) {
  if (node.InputIndex(port) < 0) node.AddInput(port, PortKind::kOptional);
  node.Connect(node.InputIndex(port), {&MakeConstant(graph, node.name() + "/" + port, std::move(value)), 0});
}

bool Fold(Graph& graph, Node& norm) {
  const int port = norm.InputIndex("x");
  if (port < 0 || !norm.inputs()[static_cast<std::size_t>(port)].source) return false;
  Node& node = *norm.inputs()[static_cast<std::size_t>(port)].source.node;
  if (node.type() != "Conv2D" || node.outputs()[0].consumers.size() != 1) return false;
  if (!IsInner(graph, node) || !IsInner(graph, norm) || !NormalizesPlanes(norm)) return false;
  const OpContext convolution(node, KnownValues(node)), normalization(norm, KnownValues(norm));
  const auto shape = BlockableConvolution(convolution);
  if (!shape) return false;
  const auto affine = AffineOf(normalization, shape->out_channels);
  if (!affine) return false;
  const FilterDims dims = FilterDimsOf(convolution, convolution.In("filter"), false, "filter");
  TensorValue filter = Scaled(*convolution.Value("filter"), dims, affine->scale);
  TensorValue bias = BiasOf(convolution, *affine);
  SetConstant(graph, node, "filter", std::move(filter));
  SetConstant(graph, node, "bias", std::move(bias));
  ReplaceUses({&norm, 0}, {&node, 0});
  const std::string name = norm.name();
  graph.Drop(norm);
  node.set_name(name);
  return true;
}

}  // namespace

bool FoldBatchNorm(Graph& graph) {
  bool any = false;
  for (Node* node : graph.Order()) {
    if (node->type() == "BatchNorm" || node->type() == "BNInfer") {
      const WeightUses uses;  // one filter at a time
      any |= Fold(graph, *node);
    }
  }
  graph.Sweep();
  return any;
}

}  // namespace foothold
