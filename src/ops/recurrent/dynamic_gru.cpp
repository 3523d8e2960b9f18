// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// GRU with its gates as outputs. DynamicGRU has the weights of input and state in one matrix, those of the
// reset gate before those of the update gate ('i'), and apart from them those of the candidate, which it
// resets before the product.
#include "ops/recurrent/cell_activations.h"
#include "ops/recurrent/sequence_rules.h"

namespace foothold {
namespace {

std::int64_t Columns(const OpContext& context, const char* name) {
  const TensorType& weights = context.In(name);
  if (weights.dims.size() != 2) context.Refuse("'{}' is {}, expected 2 dimensions", name, ToString(weights));
  return weights.dims[1];
}

Recurrence SizesOfV2(const OpContext& context) {
  Recurrence r = SequenceOf(context, CellKind::kGru, Columns(context, "weight_input"), 3);
  ExpectElements(context, "weight_input", {r.input, r.width()});
  ExpectElements(context, "weight_hidden", {r.hidden, r.width()});
  ExpectElements(context, "bias_input", {r.width()});
  ExpectElements(context, "bias_hidden", {r.width()});
  ReadSequenceAttributes(context, r);
  return r;
}

void SetRules(const OpContext& context, CellRules& rules) {
  rules.activations[0] = {CellFunction::kSigmoid, 0, 0};
  rules.activations[1] = ActivationNamed(context, context.node().Text("activation", "tanh"));
}

std::unique_ptr<Kernel> LowerV2(OpContext& context) {
  Recurrence r = SizesOfV2(context);
  r.product_first = context.node().Bool("reset_after", true);
  SetRules(context, r.rules[0]);
  for (const std::size_t place : GruOrderOf(context)) {
    const std::size_t column = place * r.hidden;
    GateWeights weights;
    weights.input = {context.Port("weight_input"), column, r.width(), 1};
    weights.recurrent = {context.Port("weight_hidden"), column, r.width(), 1};
    weights.input_bias = {PortIf(context, "bias_input"), column, 0, 1};
    weights.recurrent_bias = {PortIf(context, "bias_hidden"), column, 0, 1};
    r.weights.push_back(weights);
  }
  RecurrencePorts& p = r.ports;
  p.y = 0, p.every_h = 1, p.gate_update = 2, p.gate_reset = 3, p.gate_new = 4, p.hidden_new = 5;
  return LowerRecurrence(context, std::move(r));
}

Recurrence SizesOfV1(const OpContext& context) {
  Recurrence r = SequenceOf(context, CellKind::kGru, Columns(context, "cw"), 1);
  ExpectElements(context, "w", {r.input + r.hidden, 2 * r.hidden});
  ExpectElements(context, "cw", {r.input + r.hidden, r.hidden});
  ExpectElements(context, "b", {2 * r.hidden});
  ExpectElements(context, "cb", {r.hidden});
  ReadSequenceAttributes(context, r);
  return r;
}

GateWeights StackedGate(const OpContext& context, const Recurrence& r, const char* matrix, const char* bias,
                        std::size_t place, std::size_t places) {
  const std::size_t stride = places * r.hidden, column = place * r.hidden;
  GateWeights weights;
  weights.input = {context.Port(matrix), column, stride, 1};
  weights.recurrent = {context.Port(matrix), column + r.input * stride, stride, 1};
  weights.input_bias = {context.Port(bias), column, 0, 1};
  return weights;
}

std::unique_ptr<Kernel> LowerV1(OpContext& context) {
  Recurrence r = SizesOfV1(context);
  SetRules(context, r.rules[0]);
  r.weights = {StackedGate(context, r, "w", "b", 1, 2), StackedGate(context, r, "w", "b", 0, 2),
               StackedGate(context, r, "cw", "cb", 0, 1)};
  RecurrencePorts& p = r.ports;
  p.y = 0, p.every_h = 1, p.gate_reset = 2, p.gate_update = 3, p.gate_new = 4;
  return LowerRecurrence(context, std::move(r));
}

OpDef Def(const char* type, Recurrence (*sizes)(const OpContext&), OpDef::LowerRule lower) {
  return OpDef(type)
      .Infer([sizes](OpContext& context) { SetStepOutputs(context, sizes(context)); })
      .Lower(std::move(lower))
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp dynamic_gru({Def("DynamicGRUV2", SizesOfV2, LowerV2),
                              Def("DynamicGRU", SizesOfV1, LowerV1)});

}  // namespace
}  // namespace foothold
