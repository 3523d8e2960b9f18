// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the halves of a tensor.
#include <cmath>
#include <numbers>

#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};
constexpr const char* kNothing = "an infinity times nothing";

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double Gelu(double x) {
  return 0.5 * x * std::erfc(-x / std::numbers::sqrt2);
}
double GeluSlope(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2) +
         x * std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
}

using Of = double (*)(double a, double b);

// function(a, b) of the halves of a line.
Block OfHalves(const Block& x, double axis, Of function) {
  return AlongAxis(x, axis, [=](const Values& line) {
    Values half;
    for (std::size_t i = 0; i < line.size() / 2; ++i)
      half.push_back(function(line[i], line[i + line.size() / 2]));
    return half;
  });
}

// What arrives times the slopes by the halves.
Block Slopes(const Block& g, const Block& x, double axis, Of by_a, Of by_b) {
  const Block a = OfHalves(x, axis, by_a), b = OfHalves(x, axis, by_b);
  Block both = x;
  const std::size_t at =
      static_cast<std::size_t>(axis < 0 ? axis + static_cast<double>(x.dims.size()) : axis);
  std::size_t inner = 1;
  for (std::size_t i = at + 1; i < x.dims.size(); ++i)
    inner *= static_cast<std::size_t>(x.dims[i]);
  const std::size_t length = static_cast<std::size_t>(x.dims[at]), half = length / 2;
  for (std::size_t i = 0; i < both.values.size(); ++i) {
    const std::size_t outer = i / inner / length, k = i / inner % length;
    const std::size_t from = (outer * half + k % half) * inner + i % inner;
    both.values[i] = g.values[from] * (k < half ? a : b).values[from];
  }
  return both;
}

Sample Halved(Sample sample) {
  return sample.Types(kFloating)
      .Form({{2, 4, 6}}, {{"dim", -1}})
      .Form({{2, 4, 6}}, {{"dim", 1}})
      .Form({{4, 5}}, {{"dim", 0}})
      .Form({{0, 4}}, {{"dim", -1}})
      .Within(4);
}

Sample Returned(Sample sample) {
  return sample.Types(kFloating)
      .Form({{2, 4, 3}, {2, 4, 6}}, {{"dim", -1}})
      .Form({{2, 2, 6}, {2, 4, 6}}, {{"dim", 1}})
      .Form({{2, 5}, {4, 5}}, {{"dim", 0}})
      .Form({{0, 2}, {0, 4}}, {{"dim", -1}})
      .Within(8)
      .Without(Part::kSpecial, kNothing);
}

const Table halves({
    Halved(Functions("Glu")).Calls(NN(Glu), {X(0), V("dim"), Y(0)}).Is([](const Given& in) {
      return OfHalves(in[0], in.Number("dim"), [](double a, double b) { return a * Sigmoid(b); });
    }),
    Returned(Functions("GluGradient"))
        .Calls(NN(GluBackward), {X(0), X(1), V("dim"), Y(0)})
        .Is([](const Given& in) {
          return Slopes(
              in[0], in[1], in.Number("dim"), [](double, double b) { return Sigmoid(b); },
              [](double a, double b) { return a * Sigmoid(b) * (1 - Sigmoid(b)); });
        }),
    Returned(Functions("SwiGluGradient"))
        .Calls(NN(SwiGluGrad), {X(0), X(1), V("dim"), Y(0)})
        .Is([](const Given& in) {
          return Slopes(
              in[0], in[1], in.Number("dim"),
              [](double a, double b) { return b * Sigmoid(a) * (1 + a * (1 - Sigmoid(a))); },
              [](double a, double) { return a * Sigmoid(a); });
        }),
    Functions("GeluMul")
        .Types(kFloating)
        .Calls(NN(GeluMul), {X(0), "none", Y(0)})
        .Form({{2, 3, 8}})
        .Form({{6}})
        .Form({{0, 4}})
        .Within(8)
        .Without(Part::kSpecial, kNothing)
        .Is([](const Given& in) {
          return OfHalves(in[0], -1, [](double a, double b) { return Gelu(a) * b; });
        }),
});

// The forward function gives gelu of one half beside its result: a third input, of what `gated` says.
Sample GeGlu(const char* name, bool left) {
  const auto gate = [left](const Form& form) {
    const Dims& dims = form.dims[1];
    const Block whole{dims, nn::Spread(nn::CountOf(dims), -2, 2, 9)};
    return left ? OfHalves(whole, -1, [](double a, double) { return Gelu(a); }).values
                : OfHalves(whole, -1, [](double, double b) { return Gelu(b); }).values;
  };
  return Functions(name)
      .Types(kFloating)
      .Calls(NN(GeGluV3Backward), {X(0), X(1), X(2), -1, 0, left, Y(0)})
      .Holds(1, [](const Form& form) { return nn::Spread(nn::CountOf(form.dims[1]), -2, 2, 9); })
      .Holds(2, gate)
      .Form({{2, 3, 4}, {2, 3, 8}, {2, 3, 4}})
      .Form({{0, 4}, {0, 8}, {0, 4}})
      .Within(16)
      .Without(Part::kSpecial, kNothing)
      .Is([left](const Given& in) {
        return left ? Slopes(
                          in[0], in[1], -1, [](double a, double b) { return b * GeluSlope(a); },
                          [](double a, double) { return Gelu(a); })
                    : Slopes(
                          in[0], in[1], -1, [](double, double b) { return Gelu(b); },
                          [](double a, double b) { return a * GeluSlope(b); });
      });
}

// [batch, steps, 3 heads size] with a bias becomes three times [batch, heads, steps, size].
std::vector<Block> Qkv(const Given& in) {
  const auto batch = static_cast<std::size_t>(in[0].dims[0]), steps = static_cast<std::size_t>(in[0].dims[1]);
  const std::size_t width = static_cast<std::size_t>(in[0].dims[2]), heads = 2, size = width / 3 / heads;
  std::vector<Block> parts(3, Block{{in[0].dims[0], 2, in[0].dims[1], static_cast<std::int64_t>(size)}, {}});
  for (std::size_t part = 0; part < 3; ++part)
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t t = 0; t < steps; ++t)
          for (std::size_t d = 0; d < size; ++d) {
            const std::size_t column = (part * heads + h) * size + d;
            const double value = in[0].values[(b * steps + t) * width + column] + in[1].values[column];
            parts[part].values.push_back(part == 0 ? value / std::sqrt(static_cast<double>(size)) : value);
          }
  return parts;
}

const Table gates({
    GeGlu("GeGluGradientLeft", true),
    GeGlu("GeGluGradientRight", false),
    Functions("TransformBiasRescaleQkv")
        .Types(FloatTypes())
        .Calls(NN(TransformBiasRescaleQkv), {X(0), X(1), 2, Y(0), Y(1), Y(2)})
        .Gives({kSame, kSame, kSame})
        .Form({{2, 3, 24}, {24}})
        .Form({{0, 3, 24}, {24}})
        .Within(2)
        .Are(Qkv),
});

}  // namespace
}  // namespace samples
