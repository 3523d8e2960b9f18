// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Gradients of recurrent layers beside differences of a sum that depends on all they put out.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using List = std::vector<double>;

constexpr std::int64_t kSteps = 3, kBatch = 2, kInput = 2, kHidden = 3;

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// What a layer is given, and what its results count in the sum.
struct Layer {
  List x, w_x, w_h, b_x, b_h, h, c, dy, dh, dc;
  std::string order;
  List lengths = {kSteps, kSteps};
  bool backwards = false;
};

// What the operator keeps of a run, by step, sequence and unit, and the sum.
struct Kept {
  List y, h, c, gates[5];
  double sum = 0;
};

List Spread(std::size_t count, double seed) {
  List list(count);
  for (std::size_t i = 0; i < count; ++i)
    list[i] = std::sin(seed + 1.7 * static_cast<double>(i)) * 0.8;
  return list;
}

Layer Given(std::string order, std::size_t gates) {
  const std::size_t width = gates * kHidden;
  return {Spread(kSteps * kBatch * kInput, 1),
          Spread(kInput * width, 2),
          Spread(kHidden * width, 3),
          Spread(width, 4),
          Spread(width, 5),
          Spread(kBatch * kHidden, 6),
          Spread(kBatch * kHidden, 7),
          Spread(kSteps * kBatch * kHidden, 8),
          Spread(kBatch * kHidden, 9),
          Spread(kBatch * kHidden, 10),
          std::move(order)};
}

double Product(const List& matrix, std::size_t columns, std::size_t column, const double* row,
               std::size_t depth) {
  double sum = 0;
  for (std::size_t k = 0; k < depth; ++k)
    sum += row[k] * matrix[k * columns + column];
  return sum;
}

// One sequence of a layer; `unit` says what a step makes of the sums with input and state, which it gets as
// functions of a gate's letter and leaves in h and c.
using Sum = std::function<double(char gate)>;
using Unit =
    std::function<void(const Sum& of_input, const Sum& of_state, double& h, double& c, double (&gates)[5])>;

void RunSequence(const Layer& layer, std::size_t n, const Unit& unit, Kept& kept) {
  const std::size_t columns = layer.order.size() * kHidden;
  List h(layer.h.begin() + static_cast<std::ptrdiff_t>(n) * kHidden,
         layer.h.begin() + static_cast<std::ptrdiff_t>(n + 1) * kHidden),
      c(layer.c.begin() + static_cast<std::ptrdiff_t>(n) * kHidden,
        layer.c.begin() + static_cast<std::ptrdiff_t>(n + 1) * kHidden);
  const auto length = static_cast<std::size_t>(layer.lengths[n]);
  for (std::size_t s = 0; s < length; ++s) {
    const std::size_t row = (layer.backwards ? length - 1 - s : s) * kBatch + n;
    const List before = h;
    for (std::size_t u = 0; u < kHidden; ++u) {
      const auto column = [&](char gate) { return layer.order.find(gate) * kHidden + u; };
      double gates[5] = {};
      unit(
          [&](char gate) {
            return layer.b_x[column(gate)] +
                   Product(layer.w_x, columns, column(gate), layer.x.data() + row * kInput, kInput);
          },
          [&](char gate) {
            return layer.b_h[column(gate)] +
                   Product(layer.w_h, columns, column(gate), before.data(), kHidden);
          },
          h[u], c[u], gates);
      const std::size_t at = row * kHidden + u;
      kept.y[at] = kept.h[at] = h[u];
      kept.c[at] = c[u];
      for (std::size_t g = 0; g < 5; ++g)
        kept.gates[g][at] = gates[g];
      kept.sum += layer.dy[at] * h[u];
    }
  }
  for (std::size_t u = 0; u < kHidden; ++u)
    kept.sum += layer.dh[n * kHidden + u] * h[u] + layer.dc[n * kHidden + u] * c[u];
}

Kept RunLayer(const Layer& layer, const Unit& unit) {
  Kept kept;
  for (List* list : {&kept.y, &kept.h, &kept.c, &kept.gates[0], &kept.gates[1], &kept.gates[2],
                     &kept.gates[3], &kept.gates[4]})
    list->resize(kSteps * kBatch * kHidden);
  for (std::size_t n = 0; n < kBatch; ++n)
    RunSequence(layer, n, unit, kept);
  return kept;
}

// Keeps input, candidate, forget, output and the activation of the memory.
void LstmUnit(const Sum& x, const Sum& h_sum, double& h, double& c, double (&gates)[5]) {
  const double i = Sigmoid(x('i') + h_sum('i')), j = std::tanh(x('j') + h_sum('j')),
               f = Sigmoid(x('f') + h_sum('f')), o = Sigmoid(x('o') + h_sum('o'));
  c = f * c + i * j;
  h = o * std::tanh(c);
  gates[0] = i, gates[1] = j, gates[2] = f, gates[3] = o, gates[4] = std::tanh(c);
}

// Keeps update, reset, candidate and what the candidate has of the state.
void GruUnit(const Sum& x, const Sum& h_sum, double& h, double&, double (&gates)[5]) {
  const double z = Sigmoid(x('z') + h_sum('z')), r = Sigmoid(x('r') + h_sum('r')), u = h_sum('h'),
               n = std::tanh(x('h') + r * u);
  h = (1 - z) * n + z * h;
  gates[0] = z, gates[1] = r, gates[2] = n, gates[3] = u;
}

List Differences(Layer layer, List Layer::*of, const Unit& unit) {
  List found;
  for (double& value : layer.*of) {
    const double was = value, step = 1e-5;
    value = was + step;
    const double above = RunLayer(layer, unit).sum;
    value = was - step;
    found.push_back((above - RunLayer(layer, unit).sum) / (2 * step));
    value = was;
  }
  return found;
}

List Joined(List above, const List& below) {
  above.insert(above.end(), below.begin(), below.end());
  return above;
}

const Dims kEvery = {kSteps, kBatch, kHidden}, kState = {kBatch, kHidden};

void AddStates(OpRun& op, const Layer& layer, const Kept& kept, bool memory) {
  op.In("y", Floats(kEvery, kept.y)).In("init_h", Floats(kState, layer.h));
  if (memory) op.In("init_c", Floats(kState, layer.c));
  op.In("h", Floats(kEvery, kept.h));
  if (memory) op.In("c", Floats(kEvery, kept.c));
  op.In("dy", Floats(kEvery, layer.dy)).In("dh", Floats(kState, layer.dh));
  if (memory) op.In("dc", Floats(kState, layer.dc));
  op.Attr("gate_order", layer.order)
      .Attr("direction", std::string(layer.backwards ? "REDIRECTIONAL" : "UNIDIRECTIONAL"));
}

void AddLengths(OpRun& op, const Layer& layer, const std::string& form) {
  if (form == "numbers") op.In("seq_length", Int32s({kBatch}, layer.lengths));
  if (form == "none") op.In("seq_length", Floats({}, {0}));  // as PyTorch says that there are none
  if (form != "mask") return;
  List mask;
  for (std::int64_t t = 0; t < kSteps; ++t)
    for (std::int64_t n = 0; n < kBatch; ++n)
      mask.insert(mask.end(), kHidden,
                  static_cast<double>(t) < layer.lengths[static_cast<std::size_t>(n)] ? 1.0 : 0.0);
  op.In("seq_length", Floats(kEvery, mask));
}

void ExpectAll(const std::vector<TensorValue>& found, const std::vector<List>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    SCOPED_TRACE(k);
    ExpectNear(found[k], expected[k], 2e-4);
  }
}

void CheckLstm(const std::string& type, const Layer& layer, const std::string& lengths) {
  const Kept kept = RunLayer(layer, LstmUnit);
  constexpr std::int64_t kWidth = 4 * kHidden;
  const bool apart = type == "DynamicRNNV2Grad";
  OpRun op(type);
  op.In("x", Floats({kSteps, kBatch, kInput}, layer.x));
  if (apart)
    op.In("w_x", Floats({kInput, kWidth}, layer.w_x)).In("w_h", Floats({kHidden, kWidth}, layer.w_h));
  else
    op.In("w", Floats({kInput + kHidden, kWidth}, Joined(layer.w_x, layer.w_h)))
        .In("b", Floats({kWidth}, layer.b_x));
  AddStates(op, layer, kept, true);
  const char* const names[] = {"i", "j", "f", "o", "tanhct"};
  for (std::size_t g = 0; g < 5; ++g)
    op.In(names[g], Floats(kEvery, kept.gates[g]));
  AddLengths(op, layer, lengths);
  op.In("mask", Tensor(DataType::kUint8, {}, {0})).In("wci", Floats({}, {0}));
  for (const char* name : apart ? std::vector<const char*>{"dw_x", "dw_h", "db", "dx", "dh_prev", "dc_prev"}
                                : std::vector<const char*>{"dw", "db", "dx", "dh_prev", "dc_prev"})
    op.Out(name);
  const auto of = [&](List Layer::*list) { return Differences(layer, list, LstmUnit); };
  std::vector<List> expected = {of(&Layer::b_x), of(&Layer::x), of(&Layer::h), of(&Layer::c)};
  const List w_x = of(&Layer::w_x), w_h = of(&Layer::w_h);
  if (apart)
    expected.insert(expected.begin(), {w_x, w_h});
  else
    expected.insert(expected.begin(), Joined(w_x, w_h));
  ExpectAll(op.RunAll(), expected);
}

TEST(RecurrentGradients, OfLstm) {
  for (const char* type : {"DynamicRNNGrad", "DynamicRNNV2Grad"})
    for (const char* order : {"ijfo", "ifjo"}) {
      SCOPED_TRACE(std::string(type) + " " + order);
      Layer layer = Given(order, 4);
      CheckLstm(type, layer, "none");
      layer.backwards = true;
      CheckLstm(type, layer, "");
    }
}

TEST(RecurrentGradients, StopAtTheEndOfEachSequence) {
  Layer layer = Given("ifjo", 4);
  layer.lengths = {1, 3};
  for (const bool backwards : {false, true}) {
    layer.backwards = backwards;
    CheckLstm("DynamicRNNGrad", layer, "numbers");
    CheckLstm("DynamicRNNGrad", layer, "mask");
  }
}

TEST(RecurrentGradients, OfGru) {
  for (const char* order : {"zrh", "rzh"}) {
    SCOPED_TRACE(order);
    Layer layer = Given(order, 3);
    layer.dc.assign(layer.dc.size(), 0);
    const Kept kept = RunLayer(layer, GruUnit);
    constexpr std::int64_t kWidth = 3 * kHidden;
    OpRun op("DynamicGRUV2Grad");
    op.In("x", Floats({kSteps, kBatch, kInput}, layer.x));
    op.In("weight_input", Floats({kInput, kWidth}, layer.w_x))
        .In("weight_hidden", Floats({kHidden, kWidth}, layer.w_h));
    AddStates(op, layer, kept, false);
    const char* const names[] = {"update", "reset", "new", "hidden_new"};
    for (std::size_t g = 0; g < 4; ++g)
      op.In(names[g], Floats(kEvery, kept.gates[g]));
    AddLengths(op, layer, "none");
    for (const char* name : {"dw_input", "dw_hidden", "db_input", "db_hidden", "dx", "dh_prev"})
      op.Out(name);
    const auto of = [&](List Layer::*list) { return Differences(layer, list, GruUnit); };
    ExpectAll(op.RunAll(), {of(&Layer::w_x), of(&Layer::w_h), of(&Layer::b_x), of(&Layer::b_h), of(&Layer::x),
                            of(&Layer::h)});
  }
}

TEST(RecurrentGradients, OneStepNeedsNoDimension) {
  const auto run = [](const Dims& every, const Dims& x) {
    OpRun op("DynamicRNNV2Grad");
    op.In("x", Floats(x, {1, 2, 3, 4}))
        .In("w_x", Floats({2, 4}, Spread(8, 1)))
        .In("w_h", Floats({1, 4}, Spread(4, 2)));
    for (const char* name :
         {"y", "init_h", "init_c", "h", "c", "dy", "dh", "dc", "i", "j", "f", "o", "tanhct"})
      op.In(name, Floats(every, {0.3, 0.6}));
    for (const char* name : {"dw_x", "dw_h", "db", "dx", "dh_prev", "dc_prev"})
      op.Out(name);
    return op.RunAll();
  };
  const auto with = run({1, 2, 1}, {1, 2, 2}), without = run({2, 1}, {2, 2});
  EXPECT_EQ(without[3].dims(), (Dims{2, 2}));
  for (std::size_t k = 0; k < with.size(); ++k)
    EXPECT_EQ(Numbers(with[k]), Numbers(without[k])) << k;
}

TEST(RecurrentGradients, RefuseWhatHasNoKernel) {
  OpRun op("DynamicGRUV2Grad");
  op.In("x", Floats({1, 1, 1}, {1}))
      .In("weight_input", Floats({1, 3}, {1, 1, 1}))
      .In("weight_hidden", Floats({1, 3}, {1, 1, 1}));
  for (const char* name : {"y", "init_h", "h", "dy", "dh", "update", "reset", "new", "hidden_new"})
    op.In(name, Floats({1, 1, 1}, {1}));
  for (const char* name : {"dw_input", "dw_hidden", "db_input", "db_hidden", "dx", "dh_prev"})
    op.Out(name);
  EXPECT_THROW(op.Attr("reset_after", false).RunAll(), Error);
}

}  // namespace
}  // namespace foothold
