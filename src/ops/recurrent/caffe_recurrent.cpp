// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// LSTM and RNN as Caffe has them: 'cont' says for every step and sequence whether it goes on (1) or a new one
// begins (0). RNN has an output layer behind the hidden one.
#include <algorithm>

#include "ops/recurrent/sequence_rules.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// Weights of Caffe have one row for each unit; there are `gates` times as many as hidden ones.
Recurrence SizesOf(const OpContext& context, CellKind cell, const char* state_weights) {
  const TensorType& weights = context.In(state_weights);
  if (weights.dims.size() < 2)
    context.Refuse("'{}' is {}, expected 2 dimensions", state_weights, ToString(weights));
  if (PortIf(context, "x_static") >= 0) context.Unsupported("no kernel for 'x_static'; without it would run");
  Recurrence r = SequenceOf(context, cell, weights.dims[0], static_cast<std::int64_t>(GatesOf(cell)));
  ExpectElements(context, state_weights, {r.width(), r.hidden});
  ExpectElements(context, "cont", {r.steps, r.batch});
  ExpectElements(context, "h_0", {r.batch, r.hidden});
  ExpectElements(context, "c_0", {r.batch, r.hidden});
  r.ports.continues = context.Port("cont");
  r.ports.h = PortIf(context, "h_0");
  r.ports.c = PortIf(context, "c_0");
  return r;
}

Dims StateDims(const Recurrence& r) {
  return {1, static_cast<std::int64_t>(r.batch), static_cast<std::int64_t>(r.hidden)};
}
Dims StepDims(const Recurrence& r, std::size_t units) {
  return {static_cast<std::int64_t>(r.steps), static_cast<std::int64_t>(r.batch),
          static_cast<std::int64_t>(units)};
}

GateWeights UnitRows(const Recurrence& r, int input, int recurrent, int bias, std::size_t place) {
  const std::size_t first = place * r.hidden;
  GateWeights weights;
  weights.input = {input, first * r.input, 1, r.input};
  weights.recurrent = {recurrent, first * r.hidden, 1, r.hidden};
  weights.input_bias = {bias, first, 0, 1};
  return weights;
}

std::size_t OutputUnits(const OpContext& context) {
  return static_cast<std::size_t>(ElementCount(context.In("bias_o").dims));
}

Recurrence LstmSizes(const OpContext& context) {
  Recurrence r = SizesOf(context, CellKind::kLstm, "w_h");
  ExpectElements(context, "w_x", {r.width(), r.input});
  ExpectElements(context, "bias", {r.width()});
  return r;
}

void InferLstm(OpContext& context) {
  const Recurrence r = LstmSizes(context);
  const DataType type = context.In("x").type;
  context.SetOut(0, type, StepDims(r, r.hidden), Format::kNd);
  context.SetOut(1, type, StateDims(r), Format::kNd);
  context.SetOut(2, type, StateDims(r), Format::kNd);
}

std::unique_ptr<Kernel> LowerLstm(OpContext& context) {
  Recurrence r = LstmSizes(context);
  r.rules[0].activations[0].function = CellFunction::kSigmoid;
  for (const std::size_t place : {0, 2, 1, 3})  // input, forget, output, candidate in memory
    r.weights.push_back(UnitRows(r, context.Port("w_x"), context.Port("w_h"), context.Port("bias"), place));
  r.ports.y = 0, r.ports.last_h = 1, r.ports.last_c = 2;
  return LowerRecurrence(context, std::move(r));
}

Recurrence RnnSizes(const OpContext& context) {
  Recurrence r = SizesOf(context, CellKind::kPlain, "w_hh");
  ExpectElements(context, "w_xh", {r.hidden, r.input});
  ExpectElements(context, "bias_h", {r.hidden});
  ExpectElements(context, "bias_o", {OutputUnits(context)});
  ExpectElements(context, "w_ho", {OutputUnits(context), r.hidden});
  return r;
}

void InferRnn(OpContext& context) {
  const Recurrence r = RnnSizes(context);
  context.SetOut(0, context.In("x").type, StepDims(r, OutputUnits(context)), Format::kNd);
  context.SetOut(1, context.In("x").type, StateDims(r), Format::kNd);
}

// The hidden layer into the workspace, then o = tanh(w_ho h + bias_o).
class RnnKernel : public Kernel {
 public:
  RnnKernel(std::unique_ptr<Kernel> hidden, MatMulSize size, int weights, int bias)
      : hidden_(std::move(hidden)),
        size_(size),
        plan_(size, {size.depth, 1}, {1, size.depth}, {0}, {0}, 1, RightForm::kAsGiven),
        weights_(weights),
        bias_(bias),
        states_bytes_(RoundUp(size.rows * size.depth * sizeof(float), kTensorAlignment)) {}

  std::size_t WorkspaceBytes() const override {
    return states_bytes_ + std::max(hidden_->WorkspaceBytes(), plan_.WorkspaceBytes());
  }
  void Run(const RunArgs& args) const override {
    std::byte* const outputs[] = {args.workspace, args.outputs[1]};
    std::byte* const rest = args.workspace + states_bytes_;
    hidden_->Run({args.inputs, outputs, rest});
    float* o = args.Out<float>(0);
    plan_.Run(reinterpret_cast<const float*>(args.workspace), args.In<float>(weights_), o, {}, rest);
    for (std::size_t row = 0; row < size_.rows; ++row, o += size_.columns)
      RunPlainCellRow({}, size_.columns, o, args.In<float>(bias_), o);
  }

 private:
  std::unique_ptr<Kernel> hidden_;
  MatMulSize size_;
  MatMulPlan plan_;
  int weights_, bias_;
  std::size_t states_bytes_;
};

std::unique_ptr<Kernel> LowerRnn(OpContext& context) {
  Recurrence r = RnnSizes(context);
  r.weights = {UnitRows(r, context.Port("w_xh"), context.Port("w_hh"), context.Port("bias_h"), 0)};
  r.ports.y = 0, r.ports.last_h = 1;
  const MatMulSize size{r.steps * r.batch, OutputUnits(context), r.hidden};
  auto hidden = MakeRecurrence(context, std::move(r));
  return ThroughFloat(context, std::make_unique<RnnKernel>(std::move(hidden), size, context.Port("w_ho"),
                                                           context.Port("bias_o")));
}

OpDef Def(const char* type, OpDef::InferRule infer, OpDef::LowerRule lower) {
  return OpDef(type)
      .Infer(std::move(infer))
      .Lower(std::move(lower))
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp caffe_recurrent({Def("LSTM", InferLstm, LowerLstm), Def("RNN", InferRnn, LowerRnn)});

}  // namespace
}  // namespace foothold
