// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/seen_through.h"

#include "compiler/infer.h"
#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "compiler/passes/patterns.h"
#include "compiler/sources.h"
#include "ops/op.h"

namespace foothold {
namespace {

bool HasWholeBytes(DataType type) {
  const std::size_t bits = BitsPerElement(type).value_or(0);
  return bits != 0 && bits % 8 == 0;
}

// The same bytes under another shape.
int InputOfSameBytes(const Node& node, const OpDef& op, int port) {
  for (const auto [input, output] : op.views()) {
    if (output != port) continue;
    const DataType from = node.InputType(input).type;
    const DataType to = node.outputs()[static_cast<std::size_t>(port)].desc.type;
    return BitsPerElement(from) == BitsPerElement(to) ? input : -1;
  }
  return -1;
}

}  // namespace

int SelectedInput(const Node& node, int port) {
  if (IsSource(node)) return -1;
  const OpDef* op = FindOp(node.type());
  if (op == nullptr || (!op->select() && op->views().empty())) return -1;
  const bool free = node.control_inputs().empty() && node.control_outputs().empty() && !KeepsNode(node) &&
                    !IsStateful(node) && !ReadsState(node);
  if (!free || !HasWholeBytes(node.outputs()[static_cast<std::size_t>(port)].desc.type)) return -1;
  const int input = op->select() ? node.InputIndex(op->selected_input()) : InputOfSameBytes(node, *op, port);
  const bool reads = input >= 0 && input < static_cast<int>(node.inputs().size());
  return reads && node.inputs()[static_cast<std::size_t>(input)].source ? input : -1;
}

std::optional<StridedView> Selected(Node& node, int port, const StridedView& from) {
  const OpDef& op = *FindOp(node.type());
  if (!op.select()) return Reshaped(from, node.outputs()[static_cast<std::size_t>(port)].desc.dims);
  const OpContext context(node, KnownValues(node));
  return op.select()(context, port, from);
}

const SeenValue& SeenThrough::Look(const OutputRef& value) {
  const std::pair<const Node*, int> key(value.node, value.port);
  if (const auto found = seen_.find(key); found != seen_.end()) return found->second;
  SeenValue found = Find(value);
  return seen_.emplace(key, std::move(found)).first->second;
}

SeenValue SeenThrough::Find(const OutputRef& value) {
  const SeenValue itself{value, DenseView(TypeOf(value).dims), false};
  const int input = SelectedInput(*value.node, value.port);
  if (input < 0) return itself;
  const Input& read = value.node->inputs()[static_cast<std::size_t>(input)];
  const OutputRef from = read.source;
  const bool copied = FindOp(value.node->type())->select() != nullptr;
  if (read.view) {
    auto view = Selected(*value.node, value.port, *read.view);
    return view ? SeenValue{from, std::move(*view), true} : itself;
  }
  const SeenValue& before = Look(from);
  if (IsConstant(*before.source.node)) return itself;
  if (auto view = Selected(*value.node, value.port, before.view))
    return {before.source, std::move(*view), copied || before.copied};
  if (auto view = Selected(*value.node, value.port, DenseView(TypeOf(from).dims)))
    return {from, std::move(*view), copied};
  return itself;
}

}  // namespace foothold
