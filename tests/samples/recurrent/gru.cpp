// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// GRU: one layer, and its slopes by small steps.
#include "samples/recurrent/reference.h"

namespace samples {
namespace {

// y, last h, then r, z, n, hn and h of all steps.
using Results = std::vector<Block>;

// x [steps, batch, inputs], weights of inputs and states, their biases, h [1, batch, size].
Results Layer(const std::vector<Block>& in) {
  const auto steps = static_cast<std::size_t>(in[0].dims[0]), batch = static_cast<std::size_t>(in[0].dims[1]),
             inputs = static_cast<std::size_t>(in[0].dims[2]), size = static_cast<std::size_t>(in[2].dims[1]);
  Results out(7, Block{{in[0].dims[0], in[0].dims[1], in[2].dims[1]}, Values(steps * batch * size, 0)});
  out[1] = in[5];
  for (std::size_t t = 0; t < steps; ++t) {
    const Block before = out[1];
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t k = 0; k < size; ++k) {
        const auto by_input = [&](std::size_t which) {
          return GateOf(in[1], in[3], which * size + k, &in[0].values[(t * batch + b) * inputs]);
        };
        const auto by_state = [&](std::size_t which) {
          return GateOf(in[2], in[4], which * size + k, &before.values[b * size]);
        };
        const double r = Sigmoid(by_input(0) + by_state(0)), z = Sigmoid(by_input(1) + by_state(1)),
                     hn = by_state(2);
        const double n = std::tanh(by_input(2) + r * hn);
        double& h = out[1].values[b * size + k];
        h = (1 - z) * n + z * h;
        const double saved[] = {r, z, n, hn, h};
        const std::size_t at = (t * batch + b) * size + k;
        out[0].values[at] = h;
        for (std::size_t s = 0; s < 5; ++s)
          out[2 + s].values[at] = saved[s];
      }
  }
  return out;
}

Values Saved(const Form& form, std::size_t which) {
  std::vector<Block> in;
  for (std::size_t i = 0; i < 6; ++i)
    in.push_back({form.dims[i], ContentOf(form.dims[i], static_cast<unsigned>(30 + i))});
  return Layer(in)[2 + which].values;
}

// What a layer gets, and what arrives for y and h.
std::vector<Block> Gradients(const Given& in) {
  std::vector<Block> inputs;
  for (std::size_t i = 0; i < 6; ++i)
    inputs.push_back(in[i]);
  const auto slopes = [&](std::size_t which) {
    return Slopes(inputs[which], [&](const Block& moved) {
      std::vector<Block> all = inputs;
      all[which] = moved;
      const Results results = Layer(all);
      return Along(results[0], in[6]) + Along(results[1], in[7]);
    });
  };
  return {slopes(0), slopes(5), slopes(1), slopes(2), slopes(3), slopes(4)};
}

Sample GradientSample() {
  Sample sample = Functions("GruGradient");
  sample.Types({ACL_FLOAT, ACL_DOUBLE})
      .Calls(NN(GRUBackward), {X(0), Xs({1, 2, 3, 4}), X(5), X(6), X(7), Xs({8}), Xs({9}), Xs({10}), Xs({11}),
                               Xs({12}), nullptr, true, 1, false, false, Y(0), Y(1), Ys({2, 3, 4, 5})})
      .Gives(std::vector<aclDataType>(6, kSame))
      .Form({{4, 3, 5},
             {6, 5},
             {6, 2},
             {6},
             {6},
             {1, 3, 2},
             {4, 3, 2},
             {1, 3, 2},
             {4, 3, 2},
             {4, 3, 2},
             {4, 3, 2},
             {4, 3, 2},
             {4, 3, 2}})
      .Within(1e6)
      .Without(Part::kHalf, "slopes by small steps are exact in double")
      .Without(Part::kEmpty, "there are steps")
      .Without(Part::kSpecial, "states are finite")
      .Are(Gradients);
  for (std::size_t i = 0; i < 6; ++i)
    sample.Holds(i, [i](const Form& form) { return ContentOf(form.dims[i], static_cast<unsigned>(30 + i)); });
  for (std::size_t i = 0; i < 5; ++i)
    sample.Holds(8 + i, [i](const Form& form) { return Saved(form, i); });
  return sample;
}

const Table networks({
    Functions("TrainedGru")
        .Types({ACL_FLOAT, ACL_FLOAT16})
        .Calls(NN(GRU), {X(0), Xs({1, 2, 3, 4}), X(5), nullptr, true, 1, 0.0, true, false, false, Y(0), Y(1),
                         Ys({2}), Ys({3}), Ys({4}), Ys({5}), Ys({6})})
        .Gives(std::vector<aclDataType>(7, kSame))
        .Form({{4, 3, 5}, {6, 5}, {6, 2}, {6}, {6}, {1, 3, 2}})
        .Within(8)
        .Without(Part::kEmpty, "there are steps")
        .Without(Part::kSpecial, "states are finite")
        .Are([](const Given& in) {
          std::vector<Block> all;
          for (std::size_t i = 0; i < 6; ++i)
            all.push_back(in[i]);
          return Layer(all);
        }),
    GradientSample(),
});

}  // namespace
}  // namespace samples
