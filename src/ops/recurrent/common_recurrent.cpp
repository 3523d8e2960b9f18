// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// CommonLSTM, CommonGRU and CommonRNN: the recurrent layers of ONNX. The attribute 'layout', which GE does
// not declare, has the meaning it has there.
#include "ops/recurrent/cell_activations.h"
#include "ops/recurrent/sequence_rules.h"

namespace foothold {
namespace {

struct Family {
  CellKind cell;
  std::vector<CellFunction> usual;
};

const Family kLstm{CellKind::kLstm, {CellFunction::kSigmoid, CellFunction::kTanh, CellFunction::kTanh}};
const Family kGru{CellKind::kGru, {CellFunction::kSigmoid, CellFunction::kTanh}};
const Family kPlain{CellKind::kPlain, {CellFunction::kTanh}};

std::int64_t Directions(const OpContext& context) {
  const std::string direction = context.node().Text("direction", "forward");
  if (direction == "bidirectional") return 2;
  if (direction != "forward" && direction != "reverse")
    context.Refuse("attribute 'direction' is '{}', expected forward, reverse or bidirectional", direction);
  return 1;
}

bool BatchFirst(const OpContext& context) {
  return context.node().Int("layout", 0) != 0;
}

void Expect(const OpContext& context, std::string_view name, const Dims& dims) {
  if (context.node().InputIndex(name) < 0 || !context.Has(name)) return;
  if (context.In(name).dims != dims)
    context.Refuse("'{}' is {}, expected {}", name, ToString(context.In(name)), ToString(dims));
}

struct Sizes {
  std::int64_t steps, batch, input, hidden, directions;
};

Sizes SizesOf(const OpContext& context) {
  const Dims& x = context.In("x").dims;
  const Dims& r = context.In("r").dims;
  if (x.size() != 3) context.Refuse("'x' is {}, expected 3 dimensions", ToString(context.In("x")));
  if (r.size() != 3) context.Refuse("'r' is {}, expected 3 dimensions", ToString(context.In("r")));
  const bool batch_first = BatchFirst(context);
  const Sizes sizes{x[batch_first ? 1 : 0], x[batch_first ? 0 : 1], x[2], r[2], Directions(context)};
  const std::int64_t told = context.node().Int("hidden_size", 0);
  if (told != 0 && told != sizes.hidden)
    context.Refuse("attribute 'hidden_size' is {}, but 'r' is {}", told, ToString(context.In("r")));
  if (sizes.hidden == 0) context.Refuse("'r' is {}: there are no hidden units", ToString(context.In("r")));
  return sizes;
}

Dims StateDims(const OpContext& context, const Sizes& s) {
  return BatchFirst(context) ? Dims{s.batch, s.directions, s.hidden} : Dims{s.directions, s.batch, s.hidden};
}

void CheckInputs(const OpContext& context, const Family& family, const Sizes& s) {
  const auto gates = static_cast<std::int64_t>(GatesOf(family.cell));
  Expect(context, "w", {s.directions, gates * s.hidden, s.input});
  Expect(context, "r", {s.directions, gates * s.hidden, s.hidden});
  Expect(context, "b", {s.directions, 2 * gates * s.hidden});
  Expect(context, "sequence_lens", {s.batch});
  Expect(context, "initial_h", StateDims(context, s));
  Expect(context, "initial_c", StateDims(context, s));
  Expect(context, "p", {s.directions, 3 * s.hidden});
}

OpDef::InferRule InferOf(const Family& family) {
  return [&family](OpContext& context) {
    const Sizes s = SizesOf(context);
    CheckInputs(context, family, s);
    const TensorType& x = context.In("x");
    const Dims y = BatchFirst(context) ? Dims{s.batch, s.steps, s.directions, s.hidden}
                                       : Dims{s.steps, s.directions, s.batch, s.hidden};
    context.SetOut(0, x.type, y, Format::kNd);
    for (int port = 1; port < context.outputs(); ++port)
      context.SetOut(port, x.type, StateDims(context, s), Format::kNd);
  };
}

// Rows of w and r are units, gate after gate.
GateWeights WeightsOf(const OpContext& context, const Recurrence& r, std::size_t direction,
                      std::size_t gate) {
  const std::size_t first = direction * r.width() + gate * r.hidden;
  GateWeights weights;
  weights.input = {context.Port("w"), first * r.input, 1, r.input};
  weights.recurrent = {context.Port("r"), first * r.hidden, 1, r.hidden};
  const std::size_t bias = 2 * direction * r.width() + gate * r.hidden;
  weights.input_bias = {PortIf(context, "b"), bias, 0, 1};
  weights.recurrent_bias = {PortIf(context, "b"), bias + r.width(), 0, 1};
  if (gate < 3) weights.peephole = {PortIf(context, "p"), (3 * direction + gate) * r.hidden, 0, 1};
  return weights;
}

RecurrencePorts PortsOf(const OpContext& context) {
  RecurrencePorts ports;
  ports.x = context.Port("x");
  ports.lengths = PortIf(context, "sequence_lens");
  ports.h = PortIf(context, "initial_h");
  ports.c = PortIf(context, "initial_c");
  ports.y = 0;
  ports.last_h = context.outputs() > 1 ? 1 : -1;
  ports.last_c = context.outputs() > 2 ? 2 : -1;
  return ports;
}

bool WideLengths(const OpContext& context, int port) {
  if (port < 0) return false;
  const DataType type = context.In(port).type;
  if (type != DataType::kInt32 && type != DataType::kInt64)
    context.Refuse("the lengths of the sequences are {}, expected int32", DataTypeName(type));
  return type == DataType::kInt64;
}

OpDef::LowerRule LowerOf(const Family& family) {
  return [&family](OpContext& context) {
    const Sizes s = SizesOf(context);
    Recurrence r;
    r.cell = family.cell;
    r.steps = static_cast<std::size_t>(s.steps), r.batch = static_cast<std::size_t>(s.batch);
    r.input = static_cast<std::size_t>(s.input), r.hidden = static_cast<std::size_t>(s.hidden);
    r.directions = static_cast<std::size_t>(s.directions);
    r.reversed = context.node().Text("direction", "forward") == "reverse";
    r.batch_first = BatchFirst(context);
    r.product_first = r.cell == CellKind::kGru && context.node().Int("linear_before_reset", 0) != 0;
    r.rules = RulesOf(context, family.usual, r.directions);
    for (CellRules& rules : r.rules)
      rules.coupled = r.cell == CellKind::kLstm && context.node().Int("input_forget", 0) != 0;
    for (std::size_t i = 0; i < r.directions * r.gates(); ++i)
      r.weights.push_back(WeightsOf(context, r, i / r.gates(), i % r.gates()));
    r.ports = PortsOf(context);
    if (WideLengths(context, r.ports.lengths)) r.lengths = LengthForm::kInt64;
    return LowerRecurrence(context, std::move(r));
  };
}

OpDef Def(const char* type, const Family& family) {
  return OpDef(type)
      .Infer(InferOf(family))
      .Lower(LowerOf(family))
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp common_recurrent({Def("CommonLSTM", kLstm), Def("CommonGRU", kGru),
                                   Def("CommonRNN", kPlain)});

}  // namespace
}  // namespace foothold
