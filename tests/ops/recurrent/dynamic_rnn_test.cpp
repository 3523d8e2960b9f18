// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

constexpr std::int64_t kSteps = 3, kBatch = 2, kInput = 4, kHidden = 9;

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// Rows of `matrix` from `first` on times `vector`, in one column.
double Column(const std::vector<double>& matrix, std::int64_t columns, std::int64_t first,
              std::int64_t column, const double* vector, std::int64_t depth) {
  double sum = 0;
  for (std::int64_t k = 0; k < depth; ++k)
    sum += matrix[static_cast<std::size_t>((first + k) * columns + column)] * vector[k];
  return sum;
}

struct LstmOutputs {
  std::vector<double> h, c, i, j, f, o, tanh_c;
};

struct LstmCase {
  std::string order = "ijfo";
  double forget_bias = 0, cell_clip = 0;
  bool peepholes = false, backwards = false;
};

struct LstmData {
  std::vector<double> x, w, b, h, c, wci, wcf, wco;

  double Gate(std::int64_t place, std::int64_t unit, const double* x_row,
              const std::vector<double>& state) const {
    const std::int64_t column = place * kHidden + unit, columns = 4 * kHidden;
    return Column(w, columns, 0, column, x_row, kInput) +
           Column(w, columns, kInput, column, state.data(), kHidden) + b[static_cast<std::size_t>(column)];
  }

  LstmOutputs Run(const LstmCase& lstm) const {
    LstmOutputs out;
    for (auto* list : {&out.h, &out.c, &out.i, &out.j, &out.f, &out.o, &out.tanh_c})
      list->resize(kSteps * kBatch * kHidden);
    for (std::int64_t n = 0; n < kBatch; ++n)
      RunSequence(lstm, n, out);
    return out;
  }

  void RunSequence(const LstmCase& lstm, std::int64_t n, LstmOutputs& out) const {
    std::vector<double> state(h.begin() + n * kHidden, h.begin() + (n + 1) * kHidden);
    std::vector<double> memory(c.begin() + n * kHidden, c.begin() + (n + 1) * kHidden);
    const auto place = [&](char gate) {
      const std::size_t found = lstm.order.find(gate);
      return static_cast<std::int64_t>(found == std::string::npos ? lstm.order.find('c') : found);
    };
    for (std::int64_t s = 0; s < kSteps; ++s) {
      const std::int64_t t = lstm.backwards ? kSteps - 1 - s : s;
      const std::vector<double> before = state;
      const double* row = x.data() + (t * kBatch + n) * kInput;
      for (std::int64_t u = 0; u < kHidden; ++u) {
        const auto at = static_cast<std::size_t>(u),
                   to = static_cast<std::size_t>((t * kBatch + n) * kHidden + u);
        const double peep = lstm.peepholes ? 1 : 0;
        const double i = Sigmoid(Gate(place('i'), u, row, before) + peep * wci[at] * memory[at]);
        const double f =
            Sigmoid(Gate(place('f'), u, row, before) + lstm.forget_bias + peep * wcf[at] * memory[at]);
        const double j = std::tanh(Gate(place('j'), u, row, before));
        memory[at] = f * memory[at] + i * j;
        if (lstm.cell_clip > 0) memory[at] = std::clamp(memory[at], -lstm.cell_clip, lstm.cell_clip);
        const double o = Sigmoid(Gate(place('o'), u, row, before) + peep * wco[at] * memory[at]);
        state[at] = o * std::tanh(memory[at]);
        out.h[to] = state[at], out.c[to] = memory[at], out.i[to] = i, out.j[to] = j, out.f[to] = f;
        out.o[to] = o, out.tanh_c[to] = std::tanh(memory[at]);
      }
    }
  }
};

TensorValue Part(const TensorValue& w, std::int64_t first, std::int64_t rows) {
  const std::vector<double> all = Numbers(w);
  const std::int64_t columns = w.dims()[1];
  return Floats({rows, columns}, {all.begin() + first * columns, all.begin() + (first + rows) * columns});
}

void CheckLstm(const std::string& type, const LstmCase& lstm) {
  const TensorValue x = Random(DataType::kFloat, {kSteps, kBatch, kInput}, 1),
                    w = Random(DataType::kFloat, {kInput + kHidden, 4 * kHidden}, 2),
                    b = Random(DataType::kFloat, {4 * kHidden}, 3),
                    h = Random(DataType::kFloat, {1, kBatch, kHidden}, 4),
                    c = Random(DataType::kFloat, {1, kBatch, kHidden}, 5),
                    wci = Random(DataType::kFloat, {kHidden}, 6),
                    wcf = Random(DataType::kFloat, {kHidden}, 7),
                    wco = Random(DataType::kFloat, {kHidden}, 8);
  OpRun op(type);
  op.In("x", x);
  if (type == "DynamicRNNV2")
    op.In("weight_input", Part(w, 0, kInput)).In("weight_hidden", Part(w, kInput, kHidden));
  else
    op.In("w", w);
  op.In("b", b).In("init_h", h).In("init_c", c).In("wci", wci).In("wcf", wcf).In("wco", wco);
  op.Attr("gate_order", lstm.order).Attr("forget_bias", static_cast<float>(lstm.forget_bias));
  op.Attr("use_peephole", lstm.peepholes).Attr("cell_clip", static_cast<float>(lstm.cell_clip));
  op.Attr("direction", std::string(lstm.backwards ? "REDIRECTIONAL" : "UNIDIRECTIONAL"));
  for (const char* name : {"y", "output_h", "output_c", "i", "j", "f", "o", "tanhc"})
    op.Out(name);
  const auto found = op.RunAll();
  const LstmData data{Numbers(x), Numbers(w),   Numbers(b),   Numbers(h),
                      Numbers(c), Numbers(wci), Numbers(wcf), Numbers(wco)};
  const LstmOutputs expected = data.Run(lstm);
  const std::vector<double>* lists[] = {&expected.h, &expected.h, &expected.c, &expected.i,
                                        &expected.j, &expected.f, &expected.o, &expected.tanh_c};
  for (std::size_t k = 0; k < 8; ++k) {
    SCOPED_TRACE(k);
    EXPECT_EQ(found[k].dims(), (Dims{kSteps, kBatch, kHidden}));
    ExpectNear(found[k], *lists[k], 1e-5);
  }
}

TEST(DynamicRnn, GivesStatesAndGatesOfEveryStep) {
  for (const char* type : {"DynamicRNN", "DynamicRNNV2", "DynamicRNNV3"}) {
    SCOPED_TRACE(type);
    CheckLstm(type, {});
    CheckLstm(type, {"ifjo", 0.7, 0.3, true, false});
    CheckLstm(type, {"ijfo", 0, 0, false, true});
    CheckLstm(type, {"ifco", 0, 0, false, false});
  }
}

// With weights of zero and biases for the gates, the memory grows by the same rule at every step.
void CheckEnds(bool time_major, const TensorValue& lengths) {
  OpRun op("DynamicRNN");
  op.In("x", Floats(time_major ? Dims{3, 2, 1} : Dims{2, 3, 1}, std::vector<double>(6)));
  op.In("w", Floats({2, 4}, std::vector<double>(8))).In("b", Floats({4}, {0, 1, 0, 0}));
  op.Late("seq_length", lengths).Attr("time_major", time_major);
  for (const char* name : {"y", "output_h", "output_c", "i", "j", "f", "o", "tanhc"})
    op.Out(name);
  const auto found = op.RunAll();
  double c[3], h[3];
  for (int t = 0; t < 3; ++t) {
    c[t] = 0.5 * (t == 0 ? 0 : c[t - 1]) + 0.5 * std::tanh(1.0);
    h[t] = 0.5 * std::tanh(c[t]);
  }
  const std::vector<double> y = {h[0], 0, 0, h[0], h[1], h[2]}, memory = {c[0], c[0], c[0], c[0], c[1], c[2]};
  const auto ordered = [&](const std::vector<double>& batch_first) {
    if (!time_major) return batch_first;
    return std::vector<double>{batch_first[0], batch_first[3], batch_first[1],
                               batch_first[4], batch_first[2], batch_first[5]};
  };
  ExpectNear(found[0], ordered(y), 1e-5);
  ExpectNear(found[2], ordered(memory), 1e-5);
  ExpectNear(found[3], ordered({0.5, 0, 0, 0.5, 0.5, 0.5}), 1e-5);
}

TEST(DynamicRnn, StopsAtTheEndOfEachSequence) {
  CheckEnds(true, Int32s({2}, {1, 3}));
  CheckEnds(false, Int32s({2}, {1, 3}));
  CheckEnds(true, Tensor(DataType::kFloat16, {3, 2, 1}, {1, 1, 0, 1, 0, 1}));
  CheckEnds(false, Floats({2, 3, 1}, {1, 0, 0, 1, 1, 1}));
}

TEST(DynamicRnnV2, HasAnotherRecurrentActivation) {
  OpRun op("DynamicRNNV2");
  op.In("x", Floats({1, 1, 1}, {1})).In("weight_input", Floats({1, 4}, {1, 1, 1, 1}));
  op.In("weight_hidden", Floats({1, 4}, {0, 0, 0, 0}))
      .Attr("recurrent_activation", std::string("hard_sigmoid"));
  op.Attr("activation", std::string("relu"));
  for (const char* name : {"y", "output_h", "output_c", "i", "j", "f", "o", "tanhc"})
    op.Out(name);
  const auto found = op.RunAll();
  ExpectNear(found[2], {0.7}, 1e-6);        // 0.2 + 0.5 of a candidate of 1
  ExpectNear(found[0], {0.7 * 0.7}, 1e-6);  // of which as much is shown
}

TEST(DynamicRnn, RefusesWhatHasNoKernel) {
  const auto run = [](const std::string& name, Attribute value) {
    return OpRun("DynamicRNN")
        .In("x", Random(DataType::kFloat, {1, 1, 1}, 1))
        .In("w", Random(DataType::kFloat, {2, 4}, 2))
        .In("b", Random(DataType::kFloat, {4}, 3))
        .Attr(name, std::move(value))
        .Out("y")
        .Out("output_h")
        .Out("output_c")
        .Out("i")
        .Out("j")
        .Out("f")
        .Out("o")
        .Out("tanhc")
        .RunAll();
  };
  EXPECT_EQ(run("cell_type", std::string("LSTM")).size(), 8u);
  EXPECT_THROW(run("cell_type", std::string("GRU")), Error);
  EXPECT_THROW(run("direction", std::string("BIDIRECTIONAL")), Error);
  EXPECT_THROW(run("num_proj", std::int64_t{2}), Error);
  EXPECT_THROW(run("keep_prob", 0.5f), Error);
  EXPECT_THROW(run("gate_order", std::string("abcd")), Error);
}

TEST(DynamicLstm, GivesTheStates) {
  const TensorValue x = Floats({2, 1, 1}, {1, 0.5}), w = Floats({2, 4}, {1, 2, 3, 4, 0, 1, 0, -1}),
                    b = Floats({4}, {0, 0.5, 0, 0});
  double h = 0, c = 0;
  std::vector<double> expected;
  for (const double in : {1.0, 0.5}) {
    c = Sigmoid(3 * in) * c + Sigmoid(in) * std::tanh(2 * in + h + 0.5);
    h = Sigmoid(4 * in - h) * std::tanh(c);
    expected.push_back(h);
  }
  ExpectNear(OpRun("DynamicLSTM").In("x", x).In("w", w).In("b", b).Out("output_h").Run(), expected, 1e-5);
}

TEST(BasicLstmCell, IsOneStep) {
  const double x = 0.5, h = 0.25, c = -0.75;
  const auto found = OpRun("BasicLSTMCell")
                         .In("x", Floats({1, 1}, {x}))
                         .In("h", Floats({1, 1}, {h}))
                         .In("c", Floats({1, 1}, {c}))
                         .In("w", Floats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}))
                         .In("b", Floats({4}, {0.1, 0.2, 0.3, 0.4}))
                         .Out("ct")
                         .Out("ht")
                         .Out("it")
                         .Out("jt")
                         .Out("ft")
                         .Out("ot")
                         .Out("tanhct")
                         .RunAll();
  const double i = Sigmoid(x + 5 * h + 0.1), j = std::tanh(2 * x + 6 * h + 0.2),
               f = Sigmoid(3 * x + 7 * h + 0.3 + 1), o = Sigmoid(4 * x + 8 * h + 0.4);
  const double memory = f * c + i * j;
  const double expected[] = {memory, o * std::tanh(memory), i, j, f, o, std::tanh(memory)};
  for (std::size_t k = 0; k < 7; ++k)
    ExpectNear(found[k], {expected[k]}, 1e-5);
}

struct GruData {
  std::vector<double> x, wi, wh, bi, bh, h;
};

// Gates of one step and sequence, with the places of update and reset given.
void CheckGru(const std::string& order, bool reset_after) {
  const TensorValue x = Random(DataType::kFloat, {kSteps, kBatch, kInput}, 1),
                    wi = Random(DataType::kFloat, {kInput, 3 * kHidden}, 2),
                    wh = Random(DataType::kFloat, {kHidden, 3 * kHidden}, 3),
                    bi = Random(DataType::kFloat, {3 * kHidden}, 4),
                    bh = Random(DataType::kFloat, {3 * kHidden}, 5),
                    h = Random(DataType::kFloat, {1, kBatch, kHidden}, 6);
  const auto found = OpRun("DynamicGRUV2")
                         .In("x", x)
                         .In("weight_input", wi)
                         .In("weight_hidden", wh)
                         .In("bias_input", bi)
                         .In("bias_hidden", bh)
                         .NoInput("seq_length")
                         .In("init_h", h)
                         .Attr("gate_order", order)
                         .Attr("reset_after", reset_after)
                         .Out("y")
                         .Out("output_h")
                         .Out("update")
                         .Out("reset")
                         .Out("new")
                         .Out("hidden_new")
                         .RunAll();
  const GruData d{Numbers(x), Numbers(wi), Numbers(wh), Numbers(bi), Numbers(bh), Numbers(h)};
  const std::int64_t z_at = static_cast<std::int64_t>(order.find('z')),
                     r_at = static_cast<std::int64_t>(order.find('r'));
  std::vector<double> expected[5];
  for (auto& list : expected)
    list.resize(kSteps * kBatch * kHidden);
  for (std::int64_t n = 0; n < kBatch; ++n) {
    std::vector<double> state(d.h.begin() + n * kHidden, d.h.begin() + (n + 1) * kHidden);
    for (std::int64_t t = 0; t < kSteps; ++t) {
      const std::vector<double> before = state;
      const double* row = d.x.data() + (t * kBatch + n) * kInput;
      const auto in = [&](std::int64_t g, std::int64_t u) {
        return Column(d.wi, 3 * kHidden, 0, g * kHidden + u, row, kInput) +
               d.bi[static_cast<std::size_t>(g * kHidden + u)];
      };
      const auto rec = [&](std::int64_t g, std::int64_t u, const std::vector<double>& v) {
        return Column(d.wh, 3 * kHidden, 0, g * kHidden + u, v.data(), kHidden) +
               d.bh[static_cast<std::size_t>(g * kHidden + u)];
      };
      std::vector<double> reset(kHidden), gated(kHidden);
      for (std::size_t u = 0; u < kHidden; ++u) {
        const auto unit = static_cast<std::int64_t>(u);
        reset[u] = Sigmoid(in(r_at, unit) + rec(r_at, unit, before));
        gated[u] = reset[u] * before[u];
      }
      for (std::size_t u = 0; u < kHidden; ++u) {
        const auto unit = static_cast<std::int64_t>(u);
        const auto to = static_cast<std::size_t>((t * kBatch + n) * kHidden) + u;
        const double z = Sigmoid(in(z_at, unit) + rec(z_at, unit, before));
        const double product = rec(2, unit, reset_after ? before : gated);
        const double shown = reset_after ? product : product - d.bh[2 * kHidden + u];
        const double fresh = std::tanh(in(2, unit) + (reset_after ? reset[u] * product : product));
        state[u] = (1 - z) * fresh + z * before[u];
        expected[0][to] = state[u], expected[1][to] = z, expected[2][to] = reset[u];
        expected[3][to] = fresh, expected[4][to] = shown;
      }
    }
  }
  ExpectNear(found[0], expected[0], 1e-5);
  for (std::size_t k = 0; k < 5; ++k)
    ExpectNear(found[k + 1], expected[k], 1e-5);
}

TEST(DynamicGruV2, GivesStatesAndGatesOfEveryStep) {
  for (const char* order : {"zrh", "rzh"})
    for (const bool after : {true, false})
      CheckGru(order, after);
}

TEST(DynamicGru, ResetsBeforeTheProduct) {
  const double x = 0.5, h = -0.5;
  const auto found = OpRun("DynamicGRU")
                         .In("x", Floats({1, 1, 1}, {x}))
                         .In("w", Floats({2, 2}, {1, 2, 3, 4}))
                         .In("b", Floats({2}, {0.1, 0.2}))
                         .In("cw", Floats({2, 1}, {5, 6}))
                         .In("cb", Floats({1}, {0.3}))
                         .NoInput("seq_length")
                         .In("init_h", Floats({1, 1, 1}, {h}))
                         .Out("y")
                         .Out("output_h")
                         .Out("r")
                         .Out("i")
                         .Out("n")
                         .RunAll();
  const double r = Sigmoid(x + 3 * h + 0.1), z = Sigmoid(2 * x + 4 * h + 0.2);
  const double n = std::tanh(5 * x + 6 * r * h + 0.3), y = (1 - z) * n + z * h;
  const double expected[] = {y, y, r, z, n};
  for (std::size_t k = 0; k < 5; ++k)
    ExpectNear(found[k], {expected[k]}, 1e-5);
}

TEST(CaffeLstm, BeginsAnewWhereASequenceEnds) {
  const std::vector<double> xs{0.5, -1, 2}, cont{0, 1, 0};
  const auto found = OpRun("LSTM")
                         .In("x", Floats({3, 1, 1}, xs))
                         .In("cont", Floats({3, 1}, cont))
                         .In("w_x", Floats({4, 1}, {1, 2, 3, 4}))
                         .In("bias", Floats({4}, {0.1, 0.2, 0.3, 0.4}))
                         .In("w_h", Floats({4, 1}, {5, 6, 7, 8}))
                         .NoInput("x_static")
                         .In("h_0", Floats({1, 1, 1}, {9}))
                         .In("c_0", Floats({1, 1, 1}, {9}))
                         .Out("h")
                         .Out("h_t")
                         .Out("c_t")
                         .RunAll();
  double h = 9, c = 9;
  std::vector<double> expected;
  for (std::size_t t = 0; t < 3; ++t) {
    const double x = xs[t];
    h *= cont[t], c *= cont[t];
    const double i = Sigmoid(x + 5 * h + 0.1), f = Sigmoid(2 * x + 6 * h + 0.2),
                 o = Sigmoid(3 * x + 7 * h + 0.3);
    c = f * c + i * std::tanh(4 * x + 8 * h + 0.4);
    h = o * std::tanh(c);
    expected.push_back(h);
  }
  ExpectNear(found[0], expected, 1e-5);
  ExpectNear(found[1], {h}, 1e-5);
  ExpectNear(found[2], {c}, 1e-5);
}

TEST(CaffeRnn, HasAnOutputLayer) {
  const auto found = OpRun("RNN")
                         .In("x", Floats({2, 1, 1}, {0.5, -1}))
                         .In("cont", Floats({2, 1}, {0, 1}))
                         .NoInput("x_static")
                         .NoInput("h_0")
                         .In("w_xh", Floats({1, 1}, {2}))
                         .In("bias_h", Floats({1}, {0.1}))
                         .NoInput("w_sh")
                         .In("w_hh", Floats({1, 1}, {3}))
                         .In("w_ho", Floats({2, 1}, {4, -5}))
                         .In("bias_o", Floats({2}, {0.2, 0.3}))
                         .Out("o")
                         .Out("h_t")
                         .RunAll();
  double h = 0;
  std::vector<double> expected;
  for (const double x : {0.5, -1.0}) {
    h = std::tanh(2 * x + 3 * h + 0.1);
    expected.push_back(std::tanh(4 * h + 0.2));
    expected.push_back(std::tanh(-5 * h + 0.3));
  }
  EXPECT_EQ(found[0].dims(), (Dims{2, 1, 2}));
  ExpectNear(found[0], expected, 1e-5);
  ExpectNear(found[1], {h}, 1e-5);
}

}  // namespace
}  // namespace foothold
