// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// LSTM: one layer, which goes forward, back, and both ways; cells; slopes by small steps.
#include "samples/recurrent/reference.h"

namespace samples {
namespace {

constexpr const char* kFinite = "states are finite";

// y, last h, last c, then i, g, f, o, h, c and tanh(c) of all steps.
using Results = std::vector<Block>;

// x [steps, batch, inputs], weights of inputs and states, their biases, h and c [1, batch, size].
Results Layer(const std::vector<Block>& in, bool reverse) {
  const auto steps = static_cast<std::size_t>(in[0].dims[0]), batch = static_cast<std::size_t>(in[0].dims[1]),
             inputs = static_cast<std::size_t>(in[0].dims[2]), size = static_cast<std::size_t>(in[2].dims[1]);
  const Dims all{in[0].dims[0], in[0].dims[1], in[2].dims[1]};
  Results out(10, Block{all, Values(steps * batch * size, 0)});
  out[1] = in[5], out[2] = in[6];
  for (std::size_t n = 0; n < steps; ++n) {
    const std::size_t t = reverse ? steps - 1 - n : n;
    const Block before = out[1];
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t k = 0; k < size; ++k) {
        const auto gate = [&](std::size_t which) {
          return GateOf(in[1], in[3], which * size + k, &in[0].values[(t * batch + b) * inputs]) +
                 GateOf(in[2], in[4], which * size + k, &before.values[b * size]);
        };
        const double i = Sigmoid(gate(0)), f = Sigmoid(gate(1)), g = std::tanh(gate(2)), o = Sigmoid(gate(3));
        double &h = out[1].values[b * size + k], &c = out[2].values[b * size + k];
        c = f * c + i * g;
        h = o * std::tanh(c);
        const double saved[] = {i, g, f, o, h, c, std::tanh(c)};
        const std::size_t at = (t * batch + b) * size + k;
        out[0].values[at] = h;
        for (std::size_t s = 0; s < 7; ++s)
          out[3 + s].values[at] = saved[s];
      }
  }
  return out;
}

Results Forward(const Given& in) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < 7; ++i)
    blocks.push_back(in[i]);
  return Layer(blocks, false);
}

// Results beside each other in the last dimension, or in the first.
Block Beside(const Block& a, const Block& b) {
  Block out{a.dims, {}};
  out.dims.back() *= 2;
  const auto size = static_cast<std::ptrdiff_t>(a.dims.back());
  for (std::ptrdiff_t first = 0; first < static_cast<std::ptrdiff_t>(a.values.size()); first += size)
    for (const Block* block : {&a, &b})
      out.values.insert(out.values.end(), block->values.begin() + first,
                        block->values.begin() + first + size);
  return out;
}
Block Behind(const Block& a, const Block& b) {
  Block out = a;
  out.dims[0] += b.dims[0];
  out.values.insert(out.values.end(), b.values.begin(), b.values.end());
  return out;
}
Block PartOf(const Block& x, std::size_t which) {
  Block out{x.dims, {}};
  out.dims[0] = 1;
  const auto half = static_cast<std::ptrdiff_t>(x.values.size() / 2);
  const auto first = x.values.begin() + static_cast<std::ptrdiff_t>(which) * half;
  out.values.assign(first, first + half);
  return out;
}

// Four parameters for each direction, states of both.
Results BothWays(const Given& in) {
  Results results[2];
  for (std::size_t way = 0; way < 2; ++way)
    results[way] = Layer({in[0], in[1 + 4 * way], in[2 + 4 * way], in[3 + 4 * way], in[4 + 4 * way],
                          PartOf(in[9], way), PartOf(in[10], way)},
                         way == 1);
  return {Beside(results[0][0], results[1][0]), Behind(results[0][1], results[1][1]),
          Behind(results[0][2], results[1][2])};
}

const std::vector<aclDataType> kReal = {ACL_FLOAT, ACL_FLOAT16};

const Table networks({
    Functions("TrainedLstm")
        .Types(kReal)
        .Calls(NN(LSTM), {X(0),       Xs({1, 2, 3, 4}),
                          Xs({5, 6}), nullptr,
                          true,       1,
                          0.0,        true,
                          false,      false,
                          Y(0),       Y(1),
                          Y(2),       Ys({3}),
                          Ys({4}),    Ys({5}),
                          Ys({6}),    Ys({7}),
                          Ys({8}),    Ys({9})})
        .Gives(std::vector<aclDataType>(10, kSame))
        .Form({{4, 3, 5}, {8, 5}, {8, 2}, {8}, {8}, {1, 3, 2}, {1, 3, 2}})
        .Within(8)
        .Without(Part::kEmpty, "there are steps")
        .Without(Part::kSpecial, kFinite)
        .Are(Forward),
    Functions("LstmBothWays")
        .Types(kReal)
        .Calls(NN(LSTM), {X(0),        Xs({1, 2, 3, 4, 5, 6, 7, 8}),
                          Xs({9, 10}), nullptr,
                          true,        1,
                          0.0,         false,
                          true,        false,
                          Y(0),        Y(1),
                          Y(2),        nullptr,
                          nullptr,     nullptr,
                          nullptr,     nullptr,
                          nullptr,     nullptr})
        .Gives({kSame, kSame, kSame})
        .Form({{4, 3, 5}, {8, 5}, {8, 2}, {8}, {8}, {8, 5}, {8, 2}, {8}, {8}, {2, 3, 2}, {2, 3, 2}})
        .Within(8)
        .Without(Part::kEmpty, "there are steps")
        .Without(Part::kSpecial, kFinite)
        .Are(BothWays),
});

// x, h, c, four parameters, gradients of y, h and c, and then seven lists.
std::vector<Block> LayerInputs(const std::function<Block(std::size_t)>& in) {
  return {in(0), in(3), in(4), in(5), in(6), in(1), in(2)};
}
Values Saved(const Form& form, std::size_t which) {
  const auto content = [&](std::size_t i) {
    return Block{form.dims[i], ContentOf(form.dims[i], static_cast<unsigned>(20 + i))};
  };
  return Layer(LayerInputs(content), form.settings.at(0).second.numbers[0] != 0)[3 + which].values;
}

std::vector<Block> Gradients(const Given& in) {
  const std::vector<Block> inputs = LayerInputs([&](std::size_t i) { return in[i]; });
  const auto slopes = [&](std::size_t which) {
    return Slopes(inputs[which], [&](const Block& moved) {
      std::vector<Block> all = inputs;
      all[which] = moved;
      const Results results = Layer(all, in.Flag("reverse"));
      return Along(results[0], in[7]) + Along(results[1], in[8]) + Along(results[2], in[9]);
    });
  };
  return {slopes(0), slopes(5), slopes(6), slopes(1), slopes(2), slopes(3), slopes(4)};
}

Sample GradientSample() {
  Sample sample = Functions("LstmGradient");
  sample.Types({ACL_FLOAT, ACL_DOUBLE})
      .Calls(NN(LstmBackward), {X(0),
                                Xs({1, 2}),
                                Xs({3, 4, 5, 6}),
                                X(7),
                                X(8),
                                X(9),
                                Xs({10}),
                                Xs({11}),
                                Xs({12}),
                                Xs({13}),
                                Xs({14}),
                                Xs({15}),
                                Xs({16}),
                                nullptr,
                                true,
                                1,
                                0.0,
                                true,
                                false,
                                false,
                                nullptr,
                                Y(0),
                                Y(1),
                                Y(2),
                                Ys({3, 4, 5, 6})})
      .Gives(std::vector<aclDataType>(7, kSame))
      .Form({{4, 3, 5},
             {1, 3, 2},
             {1, 3, 2},
             {8, 5},
             {8, 2},
             {8},
             {8},
             {4, 3, 2},
             {1, 3, 2},
             {1, 3, 2},
             {4, 3, 2},
             {4, 3, 2},
             {4, 3, 2},
             {4, 3, 2},
             {4, 3, 2},
             {4, 3, 2},
             {4, 3, 2}},
            {{"reverse", false}})
      .Within(1e6)
      .Without(Part::kHalf, "slopes by small steps are exact in double")
      .Without(Part::kEmpty, "there are steps")
      .Without(Part::kSpecial, kFinite)
      .Are(Gradients);
  for (std::size_t i = 0; i < 7; ++i)
    sample.Holds(i, [i](const Form& form) { return ContentOf(form.dims[i], static_cast<unsigned>(20 + i)); });
  for (std::size_t i = 0; i < 7; ++i)
    sample.Holds(10 + i, [i](const Form& form) { return Saved(form, i); });
  return sample;
}

// Gates by input and state, c, and both biases: h, c and the gates.
std::vector<Block> Cell(const Given& in) {
  const auto size = static_cast<std::size_t>(in[2].dims[1]);
  Block h = in[2], c = in[2], gates = in[0];
  for (std::size_t e = 0; e < h.values.size(); ++e) {
    const std::size_t b = e / size, k = e % size;
    double values[4];
    for (std::size_t which = 0; which < 4; ++which) {
      const std::size_t column = which * size + k, at = b * 4 * size + column;
      const double gate = in[0].values[at] + in[1].values[at] + in[3].values[column] + in[4].values[column];
      gates.values[at] = values[which] = which == 2 ? std::tanh(gate) : Sigmoid(gate);
    }
    c.values[e] = values[1] * in[2].values[e] + values[0] * values[2];
    h.values[e] = values[3] * std::tanh(c.values[e]);
  }
  return {h, c, gates};
}

// Gradients of h and c, c before, c, and the gates: of what the gates were made of, of c, and of a bias.
std::vector<Block> CellGradients(const Given& in) {
  const auto size = static_cast<std::size_t>(in[2].dims[1]);
  Block gates = in[4], before = in[2], bias{{in[4].dims[1]}, Values(4 * size, 0)};
  for (std::size_t e = 0; e < before.values.size(); ++e) {
    const std::size_t first = e / size * 4 * size + e % size;
    const double *at = &in[4].values[first], i = at[0], f = at[size], g = at[2 * size], o = at[3 * size];
    const double tanh = std::tanh(in[3].values[e]), dh = in[0].values[e];
    const double dc = in[1].values[e] + dh * o * (1 - tanh * tanh);
    const double slopes[] = {dc * g * i * (1 - i), dc * in[2].values[e] * f * (1 - f), dc * i * (1 - g * g),
                             dh * tanh * o * (1 - o)};
    for (std::size_t which = 0; which < 4; ++which) {
      gates.values[first + which * size] = slopes[which];
      bias.values[e % size + which * size] += slopes[which];
    }
    before.values[e] = dc * f;
  }
  return {gates, before, bias};
}

const Table cells({
    GradientSample(),
    Functions("ThnnFusedLstmCell")
        .Types(kReal)
        .Calls(NN(ThnnFusedLstmCell), {X(0), X(1), X(2), X(3), X(4), Y(0), Y(1), Y(2)})
        .Gives({kSame, kSame, kSame})
        .Form({{3, 8}, {3, 8}, {3, 2}, {8}, {8}})
        .Form({{0, 8}, {0, 8}, {0, 2}, {8}, {8}})
        .Within(4)
        .Without(Part::kSpecial, kFinite)
        .Are(Cell),
    Functions("ThnnFusedLstmCellGradient")
        .Types(kReal)
        .Calls(NN(ThnnFusedLstmCellBackward), {X(0), X(1), X(2), X(3), X(4), true, Y(0), Y(1), Y(2)})
        .Gives({kSame, kSame, kSame})
        .Form({{3, 2}, {3, 2}, {3, 2}, {3, 2}, {3, 8}})
        .Form({{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 8}})
        .Within(4)
        .Without(Part::kSpecial, kFinite)
        .Are(CellGradients),
});

}  // namespace
}  // namespace samples
