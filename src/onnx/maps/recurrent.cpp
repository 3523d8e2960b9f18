// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

// Layout 1 has the batch first; the operators want it second.
OutputRef BatchSecond(NodeImport& node, OutputRef x) {
  return x && node.Int("layout", 0) != 0 ? TransposeTo(node, x, {1, 0, 2}) : x;
}

void OutStates(NodeImport& node, const OpBuilder& op) {
  const bool batch_first = node.Int("layout", 0) != 0;
  // [time, direction, batch, hidden] to [batch, time, direction, hidden]
  node.Out(0, batch_first ? TransposeTo(node, op.Out(0), {2, 0, 1, 3}) : op.Out(0));
  for (int i = 1; i < node.outputs(); ++i)
    node.Out(i, batch_first ? TransposeTo(node, op.Out(i), {1, 0, 2}) : op.Out(i));
}

std::int64_t HiddenSize(const NodeImport& node) {
  if (node.HasAttribute("hidden_size")) return node.Int("hidden_size", 0);
  const Dims dims = node.TypeOf(2).dims;
  if (dims.size() != 3 || dims[2] < 0) node.Unsupported("attribute 'hidden_size' is missing");
  return dims[2];
}

void SetActivations(NodeImport& node, OpBuilder& op) {
  std::vector<std::string> activations;
  const auto found = node.node().attributes.find("activations");
  if (found != node.node().attributes.end())
    if (const auto* list = std::get_if<std::vector<std::string>>(&found->second)) activations = *list;
  op.Set("hidden_size", HiddenSize(node))
      .Set("direction", node.Text("direction", "forward"))
      .Set("activations", activations)
      .Set("activation_alpha", node.FloatList("activation_alpha"))
      .Set("activation_beta", node.FloatList("activation_beta"))
      .Set("clip", node.Float("clip", -1.0f));
}

void MapLstm(NodeImport& node) {
  OpBuilder op = node.Op("CommonLSTM",
                         {BatchSecond(node, node.In(0)), node.In(1), node.In(2), node.InOr(3), node.InOr(4),
                          BatchSecond(node, node.InOr(5)), BatchSecond(node, node.InOr(6)), node.InOr(7)});
  SetActivations(node, op);
  op.Set("input_forget", node.Int("input_forget", 0));
  OutStates(node, op);
}

void MapGru(NodeImport& node) {
  OpBuilder op = node.Op("CommonGRU", {BatchSecond(node, node.In(0)), node.In(1), node.In(2), node.InOr(3),
                                       node.InOr(4), BatchSecond(node, node.InOr(5))});
  SetActivations(node, op);
  op.Set("linear_before_reset", node.Int("linear_before_reset", 0));
  OutStates(node, op);
}

// The RNN of the Graph Engine is another one; this one is named after its relatives.
void MapRnn(NodeImport& node) {
  OpBuilder op = node.Op("CommonRNN");
  op.In("x", BatchSecond(node, node.In(0)))
      .In("w", node.In(1))
      .In("r", node.In(2))
      .In("b", node.InOr(3))
      .In("sequence_lens", node.InOr(4))
      .In("initial_h", BatchSecond(node, node.InOr(5)));
  op.node().AddOutput("y_h", PortKind::kRequired);
  SetActivations(node, op);
  OutStates(node, op);
}

const RegisterMapping lstm("LSTM", MapLstm);
const RegisterMapping gru("GRU", MapGru);
const RegisterMapping rnn("RNN", MapRnn);

}  // namespace
}  // namespace foothold::onnx
