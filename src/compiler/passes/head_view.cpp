// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/head_view.h"

#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "compiler/passes/patterns.h"
#include "ops/op.h"

namespace foothold {
namespace {

bool MayLookThrough(const Node& node) {
  return !KeepsNode(node) && !IsStateful(node) && !ReadsState(node);
}

void LookThroughTransposition(HeadView& view) {
  const Node& node = *view.source.node;
  const auto order = OrderOf(node);
  if (!order || !MayLookThrough(node)) return;
  const HeadView before = *ViewOf(Operand(node, 0));
  view.source = before.source;
  view.offset = before.offset;
  for (std::size_t i = 0; i < order->size(); ++i)
    view.strides[i] = before.strides[(*order)[i]];
}

// The same bytes under another shape.
void LookThroughShapes(HeadView& view) {
  for (;;) {
    const Node& node = *view.source.node;
    const OpDef* op = FindOp(node.type());
    const bool is_view = op != nullptr && op->views().size() == 1 && node.outputs().size() == 1 &&
                         op->views()[0].input == 0 && MayLookThrough(node) && IsFloat(Operand(node, 0));
    if (!is_view) return;
    view.source = Operand(node, 0);
  }
}

// Where part `port` of a split along the last dimension begins; nothing if it is no such split.
std::optional<std::size_t> PartOffset(const Node& split, int port) {
  if (split.type() != "SplitV" || !MayLookThrough(split)) return std::nullopt;
  const auto axis = KnownScalar(Operand(split, 2));
  const auto rank = static_cast<double>(TypeOf(Operand(split, 0)).dims.size());
  if (!axis || (*axis != -1 && *axis != rank - 1)) return std::nullopt;
  std::size_t offset = 0;
  for (int i = 0; i < port; ++i)
    offset += static_cast<std::size_t>(split.outputs()[static_cast<std::size_t>(i)].desc.dims.back());
  return offset;
}

// Distances of whole rows become those of the longer rows that were split; the others stay within a row.
void LookThroughSplit(HeadView& view) {
  const Node& node = *view.source.node;
  const auto offset = PartOffset(node, view.source.port);
  if (!offset || view.offset != 0) return;
  const auto part = static_cast<std::size_t>(TypeOf(view.source).dims.back());
  const auto whole = static_cast<std::size_t>(TypeOf(Operand(node, 0)).dims.back());
  std::size_t within = 0;
  HeadView longer = view;
  for (std::size_t i = 0; i < view.strides.size(); ++i) {
    if (view.strides[i] % part == 0)
      longer.strides[i] = view.strides[i] / part * whole;
    else
      within += (view.extents[i] - 1) * view.strides[i];
  }
  if (within >= part) return;
  longer.offset = *offset;
  longer.source = Operand(node, 0);
  view = longer;
}

}  // namespace

std::optional<std::array<std::size_t, 4>> OrderOf(const Node& transpose) {
  if (transpose.type() != "Transpose" && transpose.type() != "TransposeD") return std::nullopt;
  std::vector<std::int64_t> perm = transpose.Ints("perm");
  if (const TensorValue* known = KnownValue(Operand(transpose, 1))) perm = Integers(*known);
  if (perm.size() != 4) return std::nullopt;
  std::array<std::size_t, 4> order{};
  for (std::size_t i = 0; i < perm.size(); ++i)
    order[i] = static_cast<std::size_t>(perm[i] < 0 ? perm[i] + 4 : perm[i]);
  return order;
}

std::optional<HeadView> ViewOf(const OutputRef& value) {
  const Dims& dims = TypeOf(value).dims;
  if (!IsFloat(value) || dims.size() != 4 || ElementCount(dims) <= 0) return std::nullopt;
  HeadView view{value, 0, {}, {}};
  std::size_t stride = 1;
  for (std::size_t i = dims.size(); i-- > 0; stride *= view.extents[i]) {
    view.extents[i] = static_cast<std::size_t>(dims[i]);
    view.strides[i] = stride;
  }
  LookThroughTransposition(view);
  LookThroughShapes(view);
  LookThroughSplit(view);
  return view;
}

}  // namespace foothold
