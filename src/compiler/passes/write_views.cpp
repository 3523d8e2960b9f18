// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/write_views.h"

#include <algorithm>

#include "compiler/infer.h"
#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "compiler/passes/patterns.h"
#include "compiler/passes/turned_views.h"
#include "compiler/sources.h"
#include "ops/data/view_copy.h"
#include "ops/op.h"

namespace foothold {
namespace {

// The node whose only output is copied, if it may write elsewhere.
Node* Writer(const Graph& graph, const OutputRef& copied) {
  Node* node = copied.node;
  const OpDef* op = node == nullptr ? nullptr : FindOp(node->type());
  if (op == nullptr || !op->writes_views() || node->outputs().size() != 1) return nullptr;
  const Output& output = node->outputs()[0];
  const bool only = output.consumers.size() == 1 && !output.view && node->InputIndex(output.name) < 0;
  return only && IsInner(graph, *node) && !IsStateful(*node) ? node : nullptr;
}

// Memory of the caller that nothing else of the graph reads.
bool IsOnlyWritten(const OutputRef& value) {
  return value && IsData(*value.node) &&
         value.node->outputs()[static_cast<std::size_t>(value.port)].consumers.size() == 1;
}

}  // namespace

bool FoldsWrite(const Graph& graph, Node& node) {
  if (node.type() != "ViewCopy" || KeepsNode(node)) return false;
  const OutputRef into = Operand(node, node.InputIndex("dst")),
                  copied = Operand(node, node.InputIndex("src"));
  Node* writer = Writer(graph, copied);
  if (writer == nullptr || !IsOnlyWritten(into)) return false;
  const OpContext context(node, KnownValues(node));
  const auto view = WrittenByCopy(context);
  if (!view || IsTurned(*view) || view->dims != TypeOf(copied).dims || ElementCount(view->dims) == 0)
    return false;
  Output& output = writer->outputs()[0];
  output.view = std::make_shared<const StridedView>(*view);
  output.into = into;
  writer->AddControlInput(*into.node);  // so that its place is known
  node.attributes[kWrittenBefore] = true;
  return true;
}

}  // namespace foothold
