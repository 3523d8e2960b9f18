// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/recurrent/recurrence.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/thread_pool.h"
#include "ops/recurrent/recurrent_weights.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

constexpr std::size_t kRowGrain = 1024;        // units of cells a thread that spins is worth asking for
constexpr double kStepWorthManyThreads = 2e6;  // multiplications

PanelOrder OrderOf(std::size_t step) {
  return step % 2 == 0 ? PanelOrder::kForwards : PanelOrder::kBackwards;
}

std::size_t Aligned(std::size_t floats) {
  return RoundUp(floats, 16);
}

// The memory of one direction during a run.
struct Scratch {
  float *sums, *recurrent, *h, *c, *update, *product, *candidate;
  std::byte* plans;
};

class RecurrenceKernel : public Kernel {
 public:
  RecurrenceKernel(Recurrence recurrence, RecurrentWeights weights, int prepared, std::string name)
      : r_(std::move(recurrence)), weights_(std::move(weights)), prepared_(prepared), name_(std::move(name)) {
    plan_bytes_ =
        std::max(weights_.input_plan().WorkspaceBytes(), weights_.recurrent_plan().WorkspaceBytes());
    if (weights_.candidate_plan() != nullptr)
      plan_bytes_ = std::max(plan_bytes_, weights_.candidate_plan()->WorkspaceBytes());
    plan_bytes_ = RoundUp(plan_bytes_, kTensorAlignment);
  }

  std::size_t WorkspaceBytes() const override {
    const std::size_t weights = prepared_ >= 0 ? 0 : weights_.PreparedFloats() + weights_.ScratchFloats();
    return weights * sizeof(float) + r_.directions * DirectionBytes();
  }

  void Run(const RunArgs& args) const override {
    if (r_.batch == 0) return;  // and there may be any number of steps
    std::byte* workspace = args.workspace;
    const float* prepared = PreparedWeights(args, workspace);
    const double step = double(r_.batch) * double(r_.hidden) * double(r_.width());
    const bool apart = r_.directions > 1 && (ParallelThreads() <= 2 || step < kStepWorthManyThreads);
    ParallelFor(r_.directions, apart ? 1 : r_.directions, [&](std::size_t begin, std::size_t end) {
      for (std::size_t direction = begin; direction < end; ++direction)
        RunDirection(args, direction, weights_.Of(prepared, direction),
                     ScratchAt(workspace + direction * DirectionBytes()));
    });
  }

 private:
  const float* PreparedWeights(const RunArgs& args, std::byte*& workspace) const {
    if (prepared_ >= 0) return args.In<float>(prepared_);
    auto* to = reinterpret_cast<float*>(workspace);
    float* scratch = to + weights_.PreparedFloats();
    weights_.Prepare(
        r_, [&](int port) { return args.In<float>(port); }, to, scratch);
    workspace += (weights_.PreparedFloats() + weights_.ScratchFloats()) * sizeof(float);
    return to;
  }

  std::size_t States() const { return Aligned(r_.batch * r_.hidden); }
  std::size_t Sums() const { return Aligned(r_.batch * r_.width()); }
  std::size_t DirectionBytes() const {
    const std::size_t floats = Aligned(r_.steps * r_.batch * r_.width()) + Sums() + 5 * States();
    return floats * sizeof(float) + plan_bytes_;
  }
  Scratch ScratchAt(std::byte* memory) const {
    Scratch s{};
    s.sums = reinterpret_cast<float*>(memory);
    s.recurrent = s.sums + Aligned(r_.steps * r_.batch * r_.width());
    s.h = s.recurrent + Sums();
    s.c = s.h + States();
    s.update = s.c + States();
    s.product = s.update + States();
    s.candidate = s.product + States();
    s.plans = reinterpret_cast<std::byte*>(s.candidate + States());
    return s;
  }

  std::size_t LengthOf(const RunArgs& args, std::size_t sequence) const {
    return r_.LengthOf(args, sequence, name_);
  }

  float* OutRow(const RunArgs& args, int port, std::size_t row) const {
    return port < 0 ? nullptr : args.Out<float>(port) + row * r_.hidden;
  }

  void LoadState(const RunArgs& args, int port, std::size_t direction, float* to) const {
    for (std::size_t b = 0; b < r_.batch; ++b) {
      if (port < 0)
        std::fill_n(to + b * r_.hidden, r_.hidden, 0.0f);
      else
        std::copy_n(args.In<float>(port) + r_.RowOfState(b, direction) * r_.hidden, r_.hidden,
                    to + b * r_.hidden);
    }
  }
  void StoreState(const RunArgs& args, int port, std::size_t direction, const float* from) const {
    if (port < 0) return;
    for (std::size_t b = 0; b < r_.batch; ++b)
      std::copy_n(from + b * r_.hidden, r_.hidden, OutRow(args, port, r_.RowOfState(b, direction)));
  }

  void RunDirection(const RunArgs& args, std::size_t direction, const RecurrentWeights::Parts& weights,
                    const Scratch& s) const {
    GemmEpilogue bias;
    bias.column_bias = weights.input_bias;
    weights_.input_plan().Run(args.In<float>(r_.ports.x), weights.input, s.sums, bias, s.plans);
    LoadState(args, r_.ports.h, direction, s.h);
    if (r_.cell == CellKind::kLstm) LoadState(args, r_.ports.c, direction, s.c);
    for (std::size_t step = 0; step < r_.steps; ++step)
      RunStep(args, direction, step, weights, s);
    StoreState(args, r_.ports.last_h, direction, s.h);
    StoreState(args, r_.ports.last_c, direction, s.c);
  }

  // Where a sequence that does not go on begins anew.
  void Interrupt(const RunArgs& args, std::size_t step, const Scratch& s) const {
    if (r_.ports.continues < 0) return;
    for (std::size_t b = 0; b < r_.batch; ++b) {
      const float factor = args.In<float>(r_.ports.continues)[step * r_.batch + b];
      for (std::size_t j = b * r_.hidden; j < (b + 1) * r_.hidden; ++j) {
        s.h[j] *= factor;
        if (r_.cell == CellKind::kLstm) s.c[j] *= factor;
      }
    }
  }

  template <typename Row>
  void ForRows(const Row& row) const {
    ParallelFor(r_.batch, 1 + kRowGrain / (r_.hidden + 1), [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b)
        row(b);
    });
  }

  void MultiplyState(std::size_t step, const RecurrentWeights::Parts& weights, const Scratch& s) const {
    GemmEpilogue bias;
    if (r_.product_first) bias.column_bias = weights.recurrent_bias;
    const bool state_is_zero = step == 0 && r_.ports.h < 0;
    if (state_is_zero && !r_.product_first)
      std::fill_n(s.recurrent, r_.batch * weights_.recurrent_columns(), 0.0f);
    else
      weights_.recurrent_plan().Run(s.h, weights.recurrent, s.recurrent, bias, s.plans, OrderOf(step));
  }

  void RunStep(const RunArgs& args, std::size_t direction, std::size_t step,
               const RecurrentWeights::Parts& weights, const Scratch& s) const {
    Interrupt(args, step, s);
    MultiplyState(step, weights, s);
    const bool backwards = r_.reversed != (direction == 1);
    const auto position = [&](std::size_t length) { return backwards ? length - 1 - step : step; };
    if (r_.cell == CellKind::kGru)
      ForRows([&](std::size_t b) {
        const std::size_t length = LengthOf(args, b);
        if (step < length) GruGates(args, direction, position(length), b, s);
      });
    if (const MatMulPlan* plan = weights_.candidate_plan())
      plan->Run(s.product, weights.candidate, s.candidate, {}, s.plans, OrderOf(step));
    ForRows([&](std::size_t b) {
      const std::size_t length = LengthOf(args, b);
      if (step < length)
        Advance(args, direction, position(length), b, weights, s);
      else
        Pad(args, direction, step, b, s);
    });
  }

  void Advance(const RunArgs& args, std::size_t direction, std::size_t t, std::size_t b,
               const RecurrentWeights::Parts& weights, const Scratch& s) const {
    const float* x = s.sums + r_.RowOfX(t, b) * r_.width();
    const float* recurrent = s.recurrent + b * weights_.recurrent_columns();
    float* h = s.h + b * r_.hidden;
    const CellRules& rules = r_.rules[direction];
    const std::size_t row = r_.RowOfY(t, b, direction);
    if (r_.cell == CellKind::kLstm) {
      LstmRow lstm{x, recurrent, weights.peephole, h, s.c + b * r_.hidden, {}};
      lstm.kept = {OutRow(args, r_.ports.gate_input, row), OutRow(args, r_.ports.gate_candidate, row),
                   OutRow(args, r_.ports.gate_forget, row), OutRow(args, r_.ports.gate_output, row),
                   OutRow(args, r_.ports.tanh_c, row)};
      RunLstmRow(rules, r_.hidden, lstm);
    } else if (r_.cell == CellKind::kGru) {
      RunGruState(rules, r_.hidden, GruAt(args, row, t, b, s));
    } else {
      RunPlainCellRow(rules, r_.hidden, x, recurrent, h);
    }
    Show(args, row, b, s, true);
  }

  void GruGates(const RunArgs& args, std::size_t direction, std::size_t t, std::size_t b,
                const Scratch& s) const {
    RunGruGates(r_.rules[direction], r_.hidden, r_.product_first,
                GruAt(args, r_.RowOfY(t, b, direction), t, b, s));
  }

  GruRow GruAt(const RunArgs& args, std::size_t row, std::size_t t, std::size_t b, const Scratch& s) const {
    GruRow gru;
    const std::size_t at = b * r_.hidden;
    gru.x = s.sums + r_.RowOfX(t, b) * r_.width();
    gru.recurrent = s.recurrent + b * weights_.recurrent_columns();
    gru.h = s.h + at;
    gru.update = s.update + at;
    gru.reset = OutRow(args, r_.ports.gate_reset, row);
    gru.reset_product = s.product + at;
    gru.candidate = (r_.product_first ? s.product : s.candidate) + at;
    gru.new_state = OutRow(args, r_.ports.gate_new, row);
    return gru;
  }

  // The state after a step, and what a GRU had in its hands.
  void Show(const RunArgs& args, std::size_t row, std::size_t b, const Scratch& s, bool y) const {
    const auto put = [&](int port, const float* from) {
      if (port >= 0) std::copy_n(from, r_.hidden, OutRow(args, port, row));
    };
    const std::size_t at = b * r_.hidden;
    if (y) put(r_.ports.y, s.h + at);
    put(r_.ports.every_h, s.h + at);
    put(r_.ports.every_c, s.c + at);
    put(r_.ports.gate_update, s.update + at);
    const float* hidden =
        r_.product_first ? s.recurrent + b * weights_.recurrent_columns() + 2 * r_.hidden : s.candidate + at;
    put(r_.ports.hidden_new, hidden);
  }

  // Behind the end of a sequence the output is zero and the state stays.
  void Pad(const RunArgs& args, std::size_t direction, std::size_t t, std::size_t b, const Scratch& s) const {
    const std::size_t row = r_.RowOfY(t, b, direction);
    const RecurrencePorts& p = r_.ports;
    Show(args, row, b, s, false);
    for (const int port : {p.y, p.gate_input, p.gate_candidate, p.gate_forget, p.gate_output, p.tanh_c,
                           p.gate_update, p.gate_reset, p.gate_new, p.hidden_new})
      if (port >= 0) std::fill_n(OutRow(args, port, row), r_.hidden, 0.0f);
  }

  Recurrence r_;
  RecurrentWeights weights_;
  int prepared_;  // the constant with the weights; -1: they come with the run
  std::string name_;
  std::size_t plan_bytes_ = 0;
};

std::set<int> WeightPorts(const Recurrence& recurrence) {
  std::set<int> ports;
  for (const GateWeights& gate : recurrence.weights)
    for (const PartOfInput* part :
         {&gate.input, &gate.recurrent, &gate.input_bias, &gate.recurrent_bias, &gate.peephole})
      if (part->port >= 0) ports.insert(part->port);
  return ports;
}

bool AreConstant(const OpContext& context, const std::set<int>& ports) {
  return std::all_of(ports.begin(), ports.end(), [&](int port) { return context.Value(port) != nullptr; });
}

// The constant with all weights.
int PreparedConstant(OpContext& context, const Recurrence& recurrence, const RecurrentWeights& weights,
                     const std::set<int>& ports) {
  std::vector<TensorValue> floats(static_cast<std::size_t>(context.inputs()));
  for (const int port : ports)
    floats[static_cast<std::size_t>(port)] = AsFloats(*context.Value(port));
  TensorValue prepared(
      TensorType{DataType::kFloat, Format::kNd, {static_cast<std::int64_t>(weights.PreparedFloats())}});
  std::vector<float> scratch(weights.ScratchFloats());
  weights.Prepare(
      recurrence, [&](int port) { return floats[static_cast<std::size_t>(port)].As<float>(); },
      prepared.MutableAs<float>(), scratch.data());
  for (const int port : ports)
    context.SetUnused(port);
  return context.AddConstant(std::move(prepared));
}

}  // namespace

std::unique_ptr<Kernel> MakeRecurrence(OpContext& context, Recurrence recurrence) {
  const auto& unused = context.unused();
  for (int port = 0; port < context.inputs(); ++port) {
    const bool read = context.Has(port) && port != recurrence.ports.lengths &&
                      std::find(unused.begin(), unused.end(), port) == unused.end();
    if (read && !ComputesInFloat(context.In(port).type))
      context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                          DataTypeName(context.In(port).type));
  }
  const std::set<int> ports = WeightPorts(recurrence);
  const bool constant = AreConstant(context, ports);
  RecurrentWeights weights(recurrence, constant);
  const int prepared = constant ? PreparedConstant(context, recurrence, weights, ports) : -1;
  return std::make_unique<RecurrenceKernel>(std::move(recurrence), std::move(weights), prepared,
                                            context.node().Description());
}

std::unique_ptr<Kernel> LowerRecurrence(OpContext& context, Recurrence recurrence) {
  return ThroughFloat(context, MakeRecurrence(context, std::move(recurrence)));
}

}  // namespace foothold
