// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"
#include "onnx/maps/inner_graph.h"

namespace foothold::onnx {
namespace {

void ImportBranch(GraphImport& branch) {
  ImportInner(branch);
  for (const NamedValue& output : branch.from().outputs)
    branch.builder().graph()->outputs.push_back(branch.Find(output.value));
}

// Also those that only the other branch reads.
void AddCapturedInputs(GraphImport& branch, const Captures& captures) {
  for (std::size_t place = 0; place < captures.values().size(); ++place)
    branch.CapturedInput(place);
}

void MapIf(NodeImport& node) {
  Captures captures(0);
  const std::string name(node.node().name.empty() ? "If" : node.node().name);
  GraphImport then(node.Body("then_branch"), node.graph().report(), name + "/then_branch", &node.graph(),
                   &captures);
  GraphImport otherwise(node.Body("else_branch"), node.graph().report(), name + "/else_branch", &node.graph(),
                        &captures);
  ImportBranch(then);
  ImportBranch(otherwise);
  AddCapturedInputs(then, captures);
  AddCapturedInputs(otherwise, captures);
  const OutputRef condition = node.In(0);
  OpBuilder op = node.Op("If", {AsScalar(node.builder(), condition)});
  op.InList("input", captures.values()).Outputs("output", then.from().outputs.size());
  AddSubgraph(op.node(), "then_branch", then.builder().graph());
  AddSubgraph(op.node(), "else_branch", otherwise.builder().graph());
  for (int i = 0; i < node.outputs(); ++i)
    node.Out(i, op.Out(i));
}

const RegisterMapping if_mapping("If", MapIf);

}  // namespace
}  // namespace foothold::onnx
