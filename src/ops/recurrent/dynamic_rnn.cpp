// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// LSTM with all its gates as outputs: DynamicRNN in three versions, DynamicLSTM, and BasicLSTMCell, which is
// a sequence of one step.
#include <algorithm>

#include "ops/recurrent/cell_activations.h"
#include "ops/recurrent/sequence_rules.h"

namespace foothold {
namespace {

std::int64_t Columns(const OpContext& context, const char* name) {
  const TensorType& weights = context.In(name);
  if (weights.dims.size() != 2) context.Refuse("'{}' is {}, expected 2 dimensions", name, ToString(weights));
  return weights.dims[1];
}

// Weights with one row for each element of the depth; those of the state below those of the input, or apart.
std::vector<GateWeights> WeightsOf(const OpContext& context, const Recurrence& r, float forget_bias) {
  const bool apart = context.node().InputIndex("weight_hidden") >= 0;
  const int input = context.Port(apart ? "weight_input" : "w");
  const int hidden = apart ? context.Port("weight_hidden") : input;
  const LstmOrder order = LstmOrderOf(context);
  const char* const peepholes[] = {"wci", "wco", "wcf"};
  std::vector<GateWeights> weights(4);
  for (std::size_t gate = 0; gate < 4; ++gate) {
    const std::size_t column = order[gate] * r.hidden;
    weights[gate].input = {input, column, r.width(), 1};
    weights[gate].recurrent = {hidden, column + (apart ? 0 : r.input * r.width()), r.width(), 1};
    weights[gate].input_bias = {PortIf(context, "b"), column, 0, 1};
    if (gate < 3 && context.node().Bool("use_peephole", false))
      weights[gate].peephole = {PortIf(context, peepholes[gate]), 0, 0, 1};
  }
  weights[2].extra_bias = forget_bias;
  return weights;
}

Recurrence SizesOf(const OpContext& context) {
  const bool apart = context.node().InputIndex("weight_hidden") >= 0;
  Recurrence r = SequenceOf(context, CellKind::kLstm, Columns(context, apart ? "weight_input" : "w"), 4);
  if (apart) {
    ExpectElements(context, "weight_input", {r.input, r.width()});
    ExpectElements(context, "weight_hidden", {r.hidden, r.width()});
  } else {
    ExpectElements(context, "w", {r.input + r.hidden, r.width()});
  }
  ExpectElements(context, "b", {r.width()});
  for (const char* name : {"wci", "wcf", "wco"})
    ExpectElements(context, name, {r.hidden});
  return r;
}

void InferDynamicRnn(OpContext& context) {
  Recurrence r = SizesOf(context);
  ReadSequenceAttributes(context, r);
  SetStepOutputs(context, r);
}

void IgnoreInput(OpContext& context, const char* name) {
  if (const int port = PortIf(context, name); port >= 0) context.SetUnused(port);
}

void SetActivations(const OpContext& context, CellRules& rules) {
  rules.activations[0] = ActivationNamed(context, context.node().Text("recurrent_activation", "sigmoid"));
  rules.activations[1] = ActivationNamed(context, context.node().Text("activation", "tanh"));
  rules.activations[2] = rules.activations[1];
}

std::unique_ptr<Kernel> LowerDynamicRnn(OpContext& context) {
  if (const std::string type = context.node().Text("cell_type", "LSTM"); type != "LSTM")
    context.Unsupported("no kernel for cell_type '{}'; LSTM would run", type);
  Recurrence r = SizesOf(context);
  ReadSequenceAttributes(context, r);
  SetActivations(context, r.rules[0]);
  r.weights = WeightsOf(context, r, context.node().Float("forget_bias", 0.0f));
  RecurrencePorts& p = r.ports;
  p.y = 0, p.every_h = 1, p.every_c = 2;
  p.gate_input = 3, p.gate_candidate = 4, p.gate_forget = 5, p.gate_output = 6, p.tanh_c = 7;
  IgnoreInput(context, "mask");
  if (!context.node().Bool("use_peephole", false))
    for (const char* name : {"wci", "wcf", "wco"})
      IgnoreInput(context, name);
  return LowerRecurrence(context, std::move(r));
}

std::unique_ptr<Kernel> LowerDynamicLstm(OpContext& context) {
  Recurrence r = SizesOf(context);
  SetActivations(context, r.rules[0]);
  r.weights = WeightsOf(context, r, 0.0f);
  r.ports.y = 0;
  return LowerRecurrence(context, std::move(r));
}

Recurrence CellOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  if (x.dims.size() != 2) context.Refuse("'x' is {}, expected 2 dimensions", ToString(x));
  const std::int64_t columns = Columns(context, "w");
  if (columns <= 0 || columns % 4 != 0)
    context.Refuse("'w' is {}, expected the columns of 4 gates", ToString(context.In("w")));
  Recurrence r;
  r.steps = 1;
  r.batch = static_cast<std::size_t>(x.dims[0]);
  r.input = static_cast<std::size_t>(x.dims[1]);
  r.hidden = static_cast<std::size_t>(columns / 4);
  r.rules.resize(1);
  ExpectElements(context, "w", {r.input + r.hidden, r.width()});
  ExpectElements(context, "b", {r.width()});
  ExpectElements(context, "h", {r.batch, r.hidden});
  ExpectElements(context, "c", {r.batch, r.hidden});
  return r;
}

// Memory and gates are as precise as the memory that comes in, the state as the state.
void InferCell(OpContext& context) {
  const Recurrence r = CellOf(context);
  const Dims dims{static_cast<std::int64_t>(r.batch), static_cast<std::int64_t>(r.hidden)};
  for (int port = 0; port < context.outputs(); ++port)
    context.SetOut(port, context.In(port == 1 ? "h" : "c").type, dims, Format::kNd);
}

std::unique_ptr<Kernel> LowerCell(OpContext& context) {
  if (context.node().Float("keep_prob", 1.0f) != 1.0f)
    context.Unsupported("no kernel drops units out; 'keep_prob' 1 would run");
  if (!context.node().Bool("state_is_tuple", true))
    context.Unsupported("no kernel for states in one tensor; 'state_is_tuple' true would run");
  Recurrence r = CellOf(context);
  SetActivations(context, r.rules[0]);
  r.weights = WeightsOf(context, r, context.node().Float("forget_bias", 1.0f));
  RecurrencePorts& p = r.ports;
  p.x = context.Port("x"), p.h = context.Port("h"), p.c = context.Port("c");
  p.last_c = 0, p.last_h = 1, p.gate_input = 2, p.gate_candidate = 3, p.gate_forget = 4;
  p.gate_output = 5, p.tanh_c = 6;
  IgnoreInput(context, "mask");
  return LowerRecurrence(context, std::move(r));
}

OpDef Def(const char* type, OpDef::InferRule infer, OpDef::LowerRule lower) {
  return OpDef(type)
      .Infer(std::move(infer))
      .Lower(std::move(lower))
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp dynamic_rnn({Def("DynamicRNN", InferDynamicRnn, LowerDynamicRnn),
                              Def("DynamicRNNV2", InferDynamicRnn, LowerDynamicRnn),
                              Def("DynamicRNNV3", InferDynamicRnn, LowerDynamicRnn),
                              Def("DynamicLSTM", InferDynamicRnn, LowerDynamicLstm),
                              Def("BasicLSTMCell", InferCell, LowerCell)});

}  // namespace
}  // namespace foothold
