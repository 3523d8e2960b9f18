// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Gradients of DynamicRNN (LSTM), with the weights in one matrix or in two, and of DynamicGRUV2.
#include "ops/recurrent/layer_gradient.h"
#include "ops/recurrent/sequence_rules.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

struct LstmGates {
  int input, candidate, forget, output, tanh_c;
};

class LstmGradient final : public LayerGradient {
 public:
  LstmGradient(const Recurrence& r, const GradientPorts& ports, const LstmGates& gates,
               const LstmOrder& order, std::string name)
      : LayerGradient(r, ports, false, std::move(name)), gates_(gates), order_(order) {}

 private:
  void Step(const RunArgs& args, const GradientRow& row) const override {
    const float *i = args.In<float>(gates_.input) + row.at, *j = args.In<float>(gates_.candidate) + row.at,
                *f = args.In<float>(gates_.forget) + row.at, *o = args.In<float>(gates_.output) + row.at,
                *tanh_c = args.In<float>(gates_.tanh_c) + row.at;
    float* const to_input = row.input_sums + order_[0] * hidden();
    float* const to_output = row.input_sums + order_[1] * hidden();
    float* const to_forget = row.input_sums + order_[2] * hidden();
    float* const to_candidate = row.input_sums + order_[3] * hidden();
    for (std::size_t k = 0; k < hidden(); ++k) {
      const float dh = row.dh[k], dc = row.dc[k] + dh * o[k] * (1 - tanh_c[k] * tanh_c[k]);
      to_output[k] = dh * tanh_c[k] * o[k] * (1 - o[k]);
      to_input[k] = dc * j[k] * i[k] * (1 - i[k]);
      to_candidate[k] = dc * i[k] * (1 - j[k] * j[k]);
      to_forget[k] = dc * row.c_before[k] * f[k] * (1 - f[k]);
      row.dh[k] = 0;
      row.dc[k] = dc * f[k];
    }
  }

  LstmGates gates_;
  LstmOrder order_;
};

struct GruGates {
  int update, reset, candidate, hidden_new;
};

class GruGradient final : public LayerGradient {
 public:
  GruGradient(const Recurrence& r, const GradientPorts& ports, const GruGates& gates, const GruOrder& order,
              std::string name)
      : LayerGradient(r, ports, true, std::move(name)), gates_(gates), order_(order) {}

 private:
  void Step(const RunArgs& args, const GradientRow& row) const override {
    const float *z = args.In<float>(gates_.update) + row.at, *r = args.In<float>(gates_.reset) + row.at,
                *n = args.In<float>(gates_.candidate) + row.at,
                *u = args.In<float>(gates_.hidden_new) + row.at;
    const std::size_t update = order_[0] * hidden(), reset = order_[1] * hidden(),
                      candidate = order_[2] * hidden();
    for (std::size_t k = 0; k < hidden(); ++k) {
      const float dh = row.dh[k], dn = dh * (1 - z[k]) * (1 - n[k] * n[k]);
      const float dz = dh * (row.h_before[k] - n[k]) * z[k] * (1 - z[k]), dr = dn * u[k] * r[k] * (1 - r[k]);
      row.input_sums[update + k] = row.state_sums[update + k] = dz;
      row.input_sums[reset + k] = row.state_sums[reset + k] = dr;
      row.input_sums[candidate + k] = dn;
      row.state_sums[candidate + k] = dn * r[k];
      row.dh[k] = dh * z[k];
    }
  }

  GruGates gates_;
  GruOrder order_;
};

void RefuseUnsupported(const OpContext& context) {
  const Node& node = context.node();
  if (node.Bool("use_peephole", false))
    context.Unsupported("no kernel for peepholes; 'use_peephole' false would run");
  if (node.Float("cell_clip", -1.0f) > 0)
    context.Unsupported("no kernel clips the memory; 'cell_clip' -1 would run");
  if (const float kept = node.Float("keep_prob", 1.0f); kept >= 0 && kept != 1)
    context.Unsupported("no kernel drops units out; 'keep_prob' 1 would run");
  if (node.Int("num_proj", 0) > 0)
    context.Unsupported("no kernel projects the state; 'num_proj' 0 would run");
  if (const std::string type = node.Text("cell_type", "LSTM"); type != "LSTM")
    context.Unsupported("no kernel for cell_type '{}'; LSTM would run", type);
}

std::int64_t Columns(const OpContext& context, const char* weights) {
  const TensorType& type = context.In(weights);
  if (type.dims.size() != 2) context.Refuse("'{}' is {}, expected 2 dimensions", weights, ToString(type));
  return type.dims[1];
}

// Everything of every step, and the states at both ends, have the sizes they must.
void CheckStates(const OpContext& context, const Recurrence& r, std::initializer_list<const char*> every,
                 std::initializer_list<const char*> ends) {
  for (const char* name : every)
    ExpectElements(context, name, {r.steps, r.batch, r.hidden});
  for (const char* name : ends)
    ExpectElements(context, name, {r.batch, r.hidden});
}

Recurrence LayerOf(const OpContext& context, CellKind cell, const char* weights) {
  RefuseUnsupported(context);
  const auto gates = static_cast<std::int64_t>(GatesOf(cell));
  Recurrence r = SequenceOf(context, cell, Columns(context, weights), gates);
  r.reversed = GoesBackwards(context);
  ReadLengths(context, r);
  return r;
}

// Inputs that say what there is not, and those a kernel does without.
void IgnoreOthers(OpContext& context, const Recurrence& r, std::initializer_list<const char*> names) {
  if (const int port = PortIf(context, "seq_length"); port >= 0 && r.ports.lengths < 0)
    context.SetUnused(port);
  for (const char* name : names)
    if (const int port = PortIf(context, name); port >= 0) context.SetUnused(port);
}

bool WeightsApart(const OpContext& context) {
  return context.node().InputIndex("w_h") >= 0;
}

Recurrence LstmOf(const OpContext& context) {
  const bool apart = WeightsApart(context);
  Recurrence r = LayerOf(context, CellKind::kLstm, apart ? "w_x" : "w");
  if (apart) {
    ExpectElements(context, "w_x", {r.input, r.width()});
    ExpectElements(context, "w_h", {r.hidden, r.width()});
  } else {
    ExpectElements(context, "w", {r.input + r.hidden, r.width()});
  }
  CheckStates(context, r, {"h", "c", "dy", "i", "j", "f", "o", "tanhct"}, {"init_h", "init_c", "dh", "dc"});
  return r;
}

void SetLike(OpContext& context, int output, const char* input) {
  context.SetOut(output, context.In("x").type, context.In(input).dims, Format::kNd);
}

void InferLstm(OpContext& context) {
  const Recurrence r = LstmOf(context);
  const bool apart = WeightsApart(context);
  int output = 0;
  SetLike(context, output++, apart ? "w_x" : "w");
  if (apart) SetLike(context, output++, "w_h");
  context.SetOut(output++, context.In("x").type, {static_cast<std::int64_t>(r.width())}, Format::kNd);
  for (const char* like : {"x", "init_h", "init_c"})
    SetLike(context, output++, like);
  for (; output < context.outputs(); ++output)  // of peepholes, which there are not
    context.SetOut(output, context.In("x").type, {static_cast<std::int64_t>(r.hidden)}, Format::kNd);
}

GradientPorts CommonPorts(const OpContext& context) {
  GradientPorts p;
  p.x = context.Port("x");
  p.init_h = context.Port("init_h"), p.h = context.Port("h");
  p.dy = context.Port("dy"), p.dh = context.Port("dh");
  return p;
}

std::unique_ptr<Kernel> LowerLstm(OpContext& context) {
  const Recurrence r = LstmOf(context);
  const bool apart = WeightsApart(context);
  if (PortIf(context, "tanhct") < 0) context.Unsupported("no kernel without 'tanhct'");
  if (context.outputs() > (apart ? 6 : 5)) context.Unsupported("no kernel for gradients of peepholes");
  GradientPorts p = CommonPorts(context);
  p.weights_input = context.Port(apart ? "w_x" : "w");
  if (apart) p.weights_hidden = context.Port("w_h");
  p.init_c = context.Port("init_c"), p.c = context.Port("c"), p.dc = context.Port("dc");
  int output = 0;
  p.dw_input = output++;
  if (apart) p.dw_hidden = output++;
  p.db_input = output++, p.dx = output++, p.dh_prev = output++, p.dc_prev = output++;
  IgnoreOthers(context, r, {"b", "y", "mask", "wci", "wcf", "wco"});
  const LstmGates gates{context.Port("i"), context.Port("j"), context.Port("f"), context.Port("o"),
                        context.Port("tanhct")};
  return ThroughFloat(context, std::make_unique<LstmGradient>(r, p, gates, LstmOrderOf(context),
                                                              context.node().Description()));
}

Recurrence GruOf(const OpContext& context) {
  Recurrence r = LayerOf(context, CellKind::kGru, "weight_input");
  ExpectElements(context, "weight_input", {r.input, r.width()});
  ExpectElements(context, "weight_hidden", {r.hidden, r.width()});
  CheckStates(context, r, {"h", "dy", "update", "reset", "new", "hidden_new"}, {"init_h", "dh"});
  return r;
}

void InferGru(OpContext& context) {
  const Recurrence r = GruOf(context);
  const Dims bias{static_cast<std::int64_t>(r.width())};
  SetLike(context, 0, "weight_input");
  SetLike(context, 1, "weight_hidden");
  context.SetOut(2, context.In("x").type, bias, Format::kNd);
  context.SetOut(3, context.In("x").type, bias, Format::kNd);
  SetLike(context, 4, "x");
  SetLike(context, 5, "init_h");
}

std::unique_ptr<Kernel> LowerGru(OpContext& context) {
  const Recurrence r = GruOf(context);
  if (!context.node().Bool("reset_after", true))
    context.Unsupported("no kernel for a reset before the product; 'reset_after' true would run");
  GradientPorts p = CommonPorts(context);
  p.weights_input = context.Port("weight_input"), p.weights_hidden = context.Port("weight_hidden");
  p.dw_input = 0, p.dw_hidden = 1, p.db_input = 2, p.db_hidden = 3, p.dx = 4, p.dh_prev = 5;
  IgnoreOthers(context, r, {"y", "mask"});
  const GruGates gates{context.Port("update"), context.Port("reset"), context.Port("new"),
                       context.Port("hidden_new")};
  return ThroughFloat(
      context, std::make_unique<GruGradient>(r, p, gates, GruOrderOf(context), context.node().Description()));
}

OpDef Def(const char* type, OpDef::InferRule infer, OpDef::LowerRule lower) {
  return OpDef(type)
      .Infer(std::move(infer))
      .Lower(std::move(lower))
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp recurrent_gradients({Def("DynamicRNNGrad", InferLstm, LowerLstm),
                                      Def("DynamicRNNV2Grad", InferLstm, LowerLstm),
                                      Def("DynamicGRUV2Grad", InferGru, LowerGru)});

}  // namespace
}  // namespace foothold
