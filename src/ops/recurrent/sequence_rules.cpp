// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/recurrent/sequence_rules.h"

#include "ops/through_float.h"

namespace foothold {
namespace {

void RefuseUnsupported(const OpContext& context) {
  const Node& node = context.node();
  if (node.Float("keep_prob", 1.0f) != 1.0f)
    context.Unsupported("no kernel drops units out; 'keep_prob' 1 would run");
  if (node.Int("num_proj", 0) > 0 || PortIf(context, "project") >= 0)
    context.Unsupported("no kernel projects the state; 'num_proj' 0 without 'project' would run");
  if (node.Int("cell_depth", 1) != 1) context.Unsupported("no kernel for 'cell_depth' above 1");
  if (PortIf(context, "real_mask") >= 0) context.Unsupported("no kernel for 'real_mask'");
}

}  // namespace

// The candidate is j or c.
LstmOrder LstmOrderOf(const OpContext& context) {
  const std::string order = context.node().Text("gate_order", "ijfo");
  if (order == "ijfo" || order == "icfo") return {0, 3, 2, 1};
  if (order == "ifjo" || order == "ifco") return {0, 3, 1, 2};
  context.Refuse("attribute 'gate_order' is '{}', expected ijfo or ifjo", order);
}

GruOrder GruOrderOf(const OpContext& context) {
  const std::string order = context.node().Text("gate_order", "zrh");
  if (order == "zrh") return {0, 1, 2};
  if (order == "rzh") return {1, 0, 2};
  context.Refuse("attribute 'gate_order' is '{}', expected zrh or rzh", order);
}

bool GoesBackwards(const OpContext& context) {
  const std::string direction = context.node().Text("direction", "UNIDIRECTIONAL");
  if (direction == "UNIDIRECTIONAL") return false;
  if (direction == "REDIRECTIONAL") return true;
  if (direction == "BIDIRECTIONAL")
    context.Unsupported("no kernel for BIDIRECTIONAL; UNIDIRECTIONAL and REDIRECTIONAL would run");
  context.Refuse("attribute 'direction' is '{}', expected UNIDIRECTIONAL or REDIRECTIONAL", direction);
}

int PortIf(const OpContext& context, std::string_view name) {
  const int port = context.node().InputIndex(name);
  return port >= 0 && context.Has(port) ? port : -1;
}

Recurrence SequenceOf(const OpContext& context, CellKind cell, std::int64_t gates_width, std::int64_t gates) {
  const TensorType& x = context.In("x");
  const bool one_step = x.dims.size() == 2;
  if (!one_step && x.dims.size() != 3) context.Refuse("'x' is {}, expected 3 dimensions", ToString(x));
  if (gates_width <= 0 || gates_width % gates != 0)
    context.Refuse("the weights have {} columns, expected {} gates of the same size", gates_width, gates);
  Recurrence r;
  r.cell = cell;
  r.batch_first = !context.node().Bool("time_major", true);
  r.steps = one_step ? 1 : static_cast<std::size_t>(x.dims[r.batch_first ? 1 : 0]);
  r.batch = static_cast<std::size_t>(x.dims[one_step || r.batch_first ? 0 : 1]);
  r.input = static_cast<std::size_t>(x.dims.back());
  r.hidden = static_cast<std::size_t>(gates_width / gates);
  r.rules.resize(1);
  r.ports.x = context.Port("x");
  return r;
}

void ReadSequenceAttributes(const OpContext& context, Recurrence& r) {
  RefuseUnsupported(context);
  r.reversed = GoesBackwards(context);
  const float clip = context.node().Float("cell_clip", -1.0f);
  if (clip > 0) r.rules[0].cell_clip = clip;
  r.ports.h = PortIf(context, "init_h");
  r.ports.c = PortIf(context, "init_c");
  ExpectElements(context, "init_h", {r.batch, r.hidden});
  ExpectElements(context, "init_c", {r.batch, r.hidden});
  ReadLengths(context, r);
}

// A number in place of lengths or masks stands for none.
void ReadLengths(const OpContext& context, Recurrence& r) {
  const int port = PortIf(context, "seq_length");
  if (port < 0) return;
  const TensorType& lengths = context.In(port);
  if (lengths.dims.empty()) return;
  r.ports.lengths = port;
  if (ComputesInFloat(lengths.type)) {
    r.lengths = LengthForm::kMask;
    return ExpectElements(context, "seq_length", {r.steps, r.batch, r.hidden});
  }
  if (lengths.type != DataType::kInt32 && lengths.type != DataType::kInt64)
    context.Unsupported("no kernel for 'seq_length' of {}; one int32 for each sequence would run",
                        ToString(lengths));
  r.lengths = lengths.type == DataType::kInt64 ? LengthForm::kInt64 : LengthForm::kInt32;
  ExpectElements(context, "seq_length", {r.batch});
}

void SetStepOutputs(OpContext& context, const Recurrence& r) {
  const auto steps = static_cast<std::int64_t>(r.steps), batch = static_cast<std::int64_t>(r.batch);
  const auto hidden = static_cast<std::int64_t>(r.hidden);
  const Dims dims = r.batch_first ? Dims{batch, steps, hidden} : Dims{steps, batch, hidden};
  for (int port = 0; port < context.outputs(); ++port)
    context.SetOut(port, context.In("x").type, dims, Format::kNd);
}

void ExpectElements(const OpContext& context, std::string_view name,
                    std::initializer_list<std::size_t> dims) {
  const int port = PortIf(context, name);
  if (port < 0) return;
  Dims expected;
  for (const std::size_t dim : dims)
    expected.push_back(static_cast<std::int64_t>(dim));
  if (ElementCount(context.InDims(port)) != ElementCount(expected))
    context.Refuse("'{}' is {}, expected {}", name, ToString(context.In(port)), ToString(expected));
}

}  // namespace foothold
