// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

// Values for some axes as values for all; the others keep `filler`.
OutputRef ForAllAxes(NodeImport& node, int input, float filler) {
  const Ints axes = node.IntList("axes");
  if (axes.empty() || IsEmptyList(node, input))
    return IsEmptyList(node, input) ? OutputRef() : node.In(input);
  const TensorValue* value = node.Known(input);
  const auto rank = static_cast<std::int64_t>(node.Rank(0));
  if (value == nullptr || value->type().type != DataType::kFloat ||
      ElementCount(value->dims()) != static_cast<std::int64_t>(axes.size()))
    node.Unsupported("scales for some axes must be constants, one for each");
  std::vector<float> all(static_cast<std::size_t>(rank), filler);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (axis < 0 || axis >= rank) node.Unsupported("there is no axis {}", axis);
    all[static_cast<std::size_t>(axis)] = value->As<float>()[i];
  }
  return node.builder().Const(TensorValue::Of<float>(DataType::kFloat, {rank}, all));
}

// The part of some axes as a part of all: begins, then ends; the others are whole.
OutputRef PartOfAllAxes(NodeImport& node) {
  const Ints axes = node.IntList("axes");
  if (axes.empty() || IsEmptyList(node, 1)) return IsEmptyList(node, 1) ? OutputRef() : node.In(1);
  const TensorValue* part = node.Known(1);
  if (part == nullptr || part->type().type != DataType::kFloat ||
      ElementCount(part->dims()) != static_cast<std::int64_t>(2 * axes.size()))
    node.Unsupported("roi for some axes must be constant floats, a begin and an end for each");
  const std::size_t rank = node.Rank(0);
  std::vector<float> all(rank, 0.0f);
  all.resize(2 * rank, 1.0f);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t axis = axes[i] < 0 ? axes[i] + static_cast<std::int64_t>(rank) : axes[i];
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) node.Unsupported("there is no axis {}", axes[i]);
    all[static_cast<std::size_t>(axis)] = part->As<float>()[i];
    all[static_cast<std::size_t>(axis) + rank] = part->As<float>()[i + axes.size()];
  }
  return node.builder().Const(
      TensorValue::Of<float>(DataType::kFloat, {static_cast<std::int64_t>(2 * rank)}, all));
}

OutputRef SizesForAllAxes(NodeImport& node) {
  const Ints axes = node.IntList("axes");
  if (axes.empty() || IsEmptyList(node, 3)) return IsEmptyList(node, 3) ? OutputRef() : node.In(3);
  const auto sizes = node.KnownInts(3);
  Ints all = node.TypeOf(0).dims;
  if (!sizes || sizes->size() != axes.size() || !IsStatic(all))
    node.Unsupported("sizes for some axes must be constants, and the shape of input 0 known");
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t axis = axes[i] < 0 ? axes[i] + static_cast<std::int64_t>(all.size()) : axes[i];
    if (axis < 0 || axis >= static_cast<std::int64_t>(all.size()))
      node.Unsupported("there is no axis {}", axis);
    all[static_cast<std::size_t>(axis)] = (*sizes)[i];
  }
  return node.builder().Ints(all);
}

void SetInterpolation(NodeImport& node, OpBuilder& op) {
  op.Set("mode", node.Text("mode", "nearest"))
      .Set("coordinate_transformation_mode", node.Text("coordinate_transformation_mode", "half_pixel"))
      .Set("nearest_mode", node.Text("nearest_mode", "round_prefer_floor"))
      .Set("cubic_coeff_a", node.Float("cubic_coeff_a", -0.75f))
      .Set("exclude_outside", node.Int("exclude_outside", 0))
      .Set("extrapolation_value", node.Float("extrapolation_value", 0));
}

void MapResize(NodeImport& node) {
  if (node.Int("antialias", 0) != 0) node.Unsupported("antialias is not supported");
  if (node.Text("keep_aspect_ratio_policy", "stretch") != "stretch")
    node.Unsupported("keep_aspect_ratio_policy '{}' is not supported",
                     node.Text("keep_aspect_ratio_policy", ""));
  OpBuilder op =
      node.Op("Resize", {node.In(0), PartOfAllAxes(node), ForAllAxes(node, 2, 1.0f), SizesForAllAxes(node)});
  SetInterpolation(node, op);
  node.Out(0, op);
}

// Before version 11 there was one way: corners stay, and the nearest is the one below.
void MapOldResize(NodeImport& node) {
  OutputRef scales;
  if (node.HasAttribute("scales")) {
    const Floats list = node.FloatList("scales");
    scales = node.builder().Const(
        TensorValue::Of<float>(DataType::kFloat, {static_cast<std::int64_t>(list.size())}, list));
  } else {
    scales = node.In(1);
  }
  node.Out(0, node.Op("Resize", {node.In(0), OutputRef(), scales})
                  .Set("mode", node.Text("mode", "nearest"))
                  .Set("coordinate_transformation_mode", "asymmetric")
                  .Set("nearest_mode", "floor"));
}

const RegisterMapping resize("Resize", MapResize, 11);
const RegisterMapping old_resize("Resize", MapOldResize, 10, 10);
const RegisterMapping upsample("Upsample", MapOldResize, 7);

}  // namespace
}  // namespace foothold::onnx
