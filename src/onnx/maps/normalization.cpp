// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

OpBuilder BatchNorm(NodeImport& node, bool training) {
  OpBuilder op =
      node.Op("BatchNorm", {node.In(0), node.In(1), node.In(2), training ? OutputRef() : node.In(3),
                            training ? OutputRef() : node.In(4)});
  return op.Set("epsilon", node.Float("epsilon", 1e-5f))
      .Set("data_format", "NCHW")
      .Set("is_training", training);
}

// What was before, mixed with what this batch says.
OutputRef Running(NodeImport& node, OutputRef before, OutputRef batch) {
  const float momentum = node.Float("momentum", 0.9f);
  return node.Op("Add", {node.Op("Muls", {before}).Set("value", momentum),
                         node.Op("Muls", {batch}).Set("value", 1 - momentum)});
}

void MapBatchNormalization(NodeImport& node) {
  if (node.version() < 9 && node.Int("spatial", 1) == 0)
    node.Unsupported("statistics of single elements (spatial=0) are not supported");
  const bool training = node.version() >= 14 ? node.Int("training_mode", 0) != 0 : false;
  if (!training && node.Wants(1)) node.Unsupported("statistics are only given back in training mode");
  const OpBuilder op = BatchNorm(node, training);
  node.Out(0, op.Out(0));
  if (!training) return;
  constexpr int kBatchMean = 3, kPopulationVariance = 4;
  node.Out(1, Running(node, node.In(3), op.Out(kBatchMean)));
  node.Out(2, Running(node, node.In(4), op.Out(kPopulationVariance)));
}

void MapInstanceNormalization(NodeImport& node) {
  node.Out(0, node.Op("InstanceNorm", {node.In(0), node.In(1), node.In(2)})
                  .Set("data_format", "ND")
                  .Set("epsilon", node.Float("epsilon", 1e-5f)));
}

void MapLayerNormalization(NodeImport& node) {
  const OutputRef scale = node.In(1);
  const OutputRef bias = node.Has(2) ? node.In(2) : node.Op("ZerosLike", {scale}).Out();
  const std::int64_t axis = node.Int("axis", -1);
  const OpBuilder op = node.Op("LayerNormV3", {node.In(0), scale, bias})
                           .Set("begin_norm_axis", axis)
                           .Set("begin_params_axis", axis)
                           .Set("epsilon", node.Float("epsilon", 1e-5f));
  for (int i = 0; i < 3; ++i)
    node.Out(i, op.Out(i));
}

// A window of even size reaches further to the end: summed as a pooling over the channels.
OutputRef EvenLrn(NodeImport& node, std::int64_t size) {
  const DataType type = node.ElementType(0);
  const OutputRef x = node.In(0);
  const OutputRef squares = UnsqueezeAxes(node, node.Op("Square", {x}), {1});
  const OutputRef mean = node.Op("AvgPool3D", {squares})
                             .Set("ksize", Ints{1, 1, size, 1, 1})
                             .Set("strides", Ints{1, 1, 1, 1, 1})
                             .Set("pads", Ints{(size - 1) / 2, size / 2, 0, 0, 0, 0})
                             .Set("count_include_pad", true)
                             .Set("data_format", "NCDHW");
  const OutputRef base =
      node.Op("Adds",
              {node.Op("Muls", {SqueezeAxes(node, mean, {1})}).Set("value", node.Float("alpha", 1e-4f))})
          .Set("value", node.Float("bias", 1.0f));
  const OutputRef power = node.Op("Pow", {base, node.builder().Number(type, node.Float("beta", 0.75f))});
  return node.Op("Div", {x, power});
}

void MapLrn(NodeImport& node) {
  const std::int64_t size = node.Int("size", 0);
  if (size <= 0) node.Unsupported("the window has the size {}", size);
  if (size % 2 == 0) return node.Out(0, EvenLrn(node, size));
  node.Out(0, node.Op("LRN", {node.In(0)})
                  .Set("depth_radius", (size - 1) / 2)
                  .Set("alpha", node.Float("alpha", 1e-4f) / static_cast<float>(size))
                  .Set("beta", node.Float("beta", 0.75f))
                  .Set("bias", node.Float("bias", 1.0f)));
}

// Zero where the norm is zero.
void MapLpNormalization(NodeImport& node) {
  const OutputRef x = node.In(0);
  const bool absolute = node.Int("p", 2) == 1;
  const OutputRef sum = node.Op("ReduceSum", {node.Op(absolute ? "Abs" : "Square", {x}),
                                              node.builder().Ints({node.Int("axis", -1)})})
                            .Set("keep_dims", true);
  const OutputRef norm = absolute ? sum : node.Op("Sqrt", {sum}).Out();
  node.Out(0, node.Op("DivNoNan", {x, norm}));
}

// Since version 21 scale and bias are per channel, before that per group.
void MapGroupNormalization(NodeImport& node) {
  const std::int64_t groups = node.Int("num_groups", 0);
  if (groups < 1) node.Unsupported("attribute 'num_groups' is {}", groups);
  const DataType type = node.ElementType(0);
  const OutputRef x = node.In(0), scale = node.In(1), bias = node.In(2);
  const bool per_group = node.version() < 21;
  const auto ones = [&](double value) { return node.builder().Const(Filled(type, {groups}, value)); };
  const OutputRef grouped = ReshapeTo(node, x, {0, groups, -1});
  const OutputRef normal =
      node.Op("InstanceNorm", {grouped, per_group ? scale : ones(1), per_group ? bias : ones(0)})
          .Set("data_format", "ND")
          .Set("epsilon", node.Float("epsilon", 1e-5f));
  const OutputRef y = node.Op("Reshape", {normal, ShapeOf(node, x)});
  if (per_group) return node.Out(0, y);
  Ints shape(node.Rank(0) < 2 ? 1 : node.Rank(0) - 1, 1);
  shape[0] = -1;
  node.Out(
      0, node.Op("Add", {node.Op("Mul", {y, ReshapeTo(node, scale, shape)}), ReshapeTo(node, bias, shape)}));
}

const RegisterMapping group_normalization("GroupNormalization", MapGroupNormalization, 18);
const RegisterMapping batch_normalization("BatchNormalization", MapBatchNormalization);
const RegisterMapping instance_normalization("InstanceNormalization", MapInstanceNormalization);
const RegisterMapping layer_normalization("LayerNormalization", MapLayerNormalization);
const RegisterMapping lrn("LRN", MapLrn);
const RegisterMapping lp_normalization("LpNormalization", MapLpNormalization);

}  // namespace
}  // namespace foothold::onnx
