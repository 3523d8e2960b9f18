// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Normalisations with what stands before or behind them, by rows: the last dimension, or groups of channels.
#include <algorithm>
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

constexpr double kEpsilon = 0.5;
constexpr const char* kSums = "sums of infinities";

struct Row {
  explicit Row(const double* x, std::size_t size) : x(x, x + size) {
    for (const double one : this->x)
      mean += one / static_cast<double>(size);
    double variance = 0;
    for (const double one : this->x)
      variance += (one - mean) * (one - mean) / static_cast<double>(size);
    rstd = 1 / std::sqrt(variance + kEpsilon);
  }
  double Normal(std::size_t i) const { return (x[i] - mean) * rstd; }
  Values x;
  double mean = 0, rstd = 0;
};

Dims Ones(Dims dims) {
  dims.back() = 1;
  return dims;
}

// x, weights and biases of the last dimension: y, means, reciprocals of deviations and x.
std::vector<Block> LayerNorm(const Block& x, const Values& gamma, const Values& beta) {
  Block y{x.dims, {}}, mean{Ones(x.dims), {}}, rstd = mean;
  for (std::size_t first = 0; first < x.values.size(); first += gamma.size()) {
    const Row row(&x.values[first], gamma.size());
    for (std::size_t i = 0; i < gamma.size(); ++i)
      y.values.push_back(row.Normal(i) * gamma[i] + beta[i]);
    mean.values.push_back(row.mean);
    rstd.values.push_back(row.rstd);
  }
  return {y, mean, rstd, x};
}

Block Scaled(const Block& a, double factor, const Block& b) {
  Block out = a;
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] = factor * a.values[i] + b.values[i];
  return out;
}

// The gradients of x, of weights and of biases.
std::vector<Block> LayerNormGradients(const Block& dy, const Block& x, const Values& gamma) {
  const auto size = static_cast<double>(gamma.size());
  Block dx{x.dims, {}}, dgamma{{static_cast<std::int64_t>(gamma.size())}, Values(gamma.size(), 0)},
      dbeta = dgamma;
  for (std::size_t first = 0; first < x.values.size(); first += gamma.size()) {
    const Row row(&x.values[first], gamma.size());
    double sum = 0, along = 0;
    for (std::size_t i = 0; i < gamma.size(); ++i) {
      sum += dy.values[first + i] * gamma[i] / size;
      along += dy.values[first + i] * gamma[i] * row.Normal(i) / size;
      dgamma.values[i] += dy.values[first + i] * row.Normal(i);
      dbeta.values[i] += dy.values[first + i];
    }
    for (std::size_t i = 0; i < gamma.size(); ++i)
      dx.values.push_back((dy.values[first + i] * gamma[i] - sum - row.Normal(i) * along) * row.rstd);
  }
  return {dx, dgamma, dbeta};
}

// The statistics a gradient gets follow from what it gets beside them.
Values Content(const Dims& dims, unsigned seed) {
  return nn::Spread(nn::CountOf(dims), -2, 2, seed);
}
Block Block1(const Form& form) {
  return {form.dims[1], Content(form.dims[1], 11)};
}
Block Block2(const Form& form) {
  return {form.dims[2], Content(form.dims[2], 12)};
}
Values Statistic(const Form& form, double factor, bool rstd) {
  const Block x = Scaled(Block1(form), factor, Block2(form));
  const Values ones(static_cast<std::size_t>(x.dims.back()), 1);
  return LayerNorm(x, ones, ones)[rstd ? 2 : 1].values;
}

Sample GradientSample(const char* name, std::size_t rstd, std::size_t mean, double factor) {
  return Functions(name)
      .Types({ACL_FLOAT})
      .Holds(1, [](const Form& form) { return Block1(form).values; })
      .Holds(2, [](const Form& form) { return Block2(form).values; })
      .Holds(rstd, [=](const Form& form) { return Statistic(form, factor, true); })
      .Holds(mean, [=](const Form& form) { return Statistic(form, factor, false); })
      .Within(16)
      .Without(Part::kHalf, "statistics of what is rounded are others")
      .Without(Part::kSpecial, kSums);
}

const Table layers({
    Functions("AddLayerNorm")
        .Types(FloatTypes())
        .Calls(NN(AddLayerNorm), {X(0), X(1), X(2), X(3), nullptr, kEpsilon, true, Y(0), Y(1), Y(2), Y(3)})
        .Gives({kSame, ACL_FLOAT, ACL_FLOAT, kSame})
        .Form({{2, 3, 8}, {2, 3, 8}, {8}, {8}})
        .Form({{0, 8}, {0, 8}, {8}, {8}})
        .Within(8)
        .Without(Part::kSpecial, kSums)
        .Are([](const Given& in) { return LayerNorm(Scaled(in[0], 1, in[1]), in[2].values, in[3].values); }),
    Functions("DeepNorm")
        .Types(FloatTypes())
        .Calls(NN(DeepNorm), {X(0), X(1), X(2), X(3), 0.25, kEpsilon, Y(1), Y(2), Y(0)})
        .Gives({kSame, ACL_FLOAT, ACL_FLOAT})
        .Form({{2, 3, 8}, {2, 3, 8}, {8}, {8}})
        .Form({{0, 8}, {0, 8}, {8}, {8}})
        .Within(8)
        .Without(Part::kSpecial, kSums)
        .Are([](const Given& in) {
          std::vector<Block> out = LayerNorm(Scaled(in[0], 0.25, in[1]), in[3].values, in[2].values);
          out.resize(3);
          return out;
        }),
    GradientSample("AddLayerNormGradient", 3, 4, 1)
        .Calls(NN(AddLayerNormGrad), {X(0), X(1), X(2), X(3), X(4), X(5), X(6), Y(0), Y(1), Y(2)})
        .Gives({kSame, ACL_FLOAT, ACL_FLOAT})
        .Form({{2, 3, 8}, {2, 3, 8}, {2, 3, 8}, {2, 3, 1}, {2, 3, 1}, {8}, {2, 3, 8}})
        .Without(Part::kEmpty, "there are rows")
        .Are([](const Given& in) {
          std::vector<Block> out = LayerNormGradients(in[0], Scaled(in[1], 1, in[2]), in[5].values);
          out[0] = Scaled(out[0], 1, in[6]);
          return out;
        }),
    GradientSample("DeepNormGradient", 5, 4, 0.25)
        .Calls(NN(DeepNormGrad), {X(0), X(1), X(2), X(3), X(4), X(5), 0.25, Y(0), Y(1), Y(2), Y(3)})
        .Gives({kSame, kSame, ACL_FLOAT, ACL_FLOAT})
        .Form({{2, 3, 8}, {2, 3, 8}, {2, 3, 8}, {8}, {2, 3, 1}, {2, 3, 1}})
        .Without(Part::kEmpty, "there are rows")
        .Are([](const Given& in) {
          const std::vector<Block> d = LayerNormGradients(in[0], Scaled(in[1], 0.25, in[2]), in[3].values);
          const Block zeros{d[0].dims, Values(d[0].values.size(), 0)};
          return std::vector<Block>{Scaled(d[0], 0.25, zeros), d[0], d[2], d[1]};
        }),
});

// Sums of two divided by the root of the mean of their squares: y, its reciprocal and the sums.
std::vector<Block> RmsNorm(const Given& in) {
  const Block x = Scaled(in[0], 1, in[1]);
  const Values& gamma = in[2].values;
  Block y{x.dims, {}}, rstd{Ones(x.dims), {}};
  for (std::size_t first = 0; first < x.values.size(); first += gamma.size()) {
    double squares = kEpsilon;
    for (std::size_t i = 0; i < gamma.size(); ++i)
      squares += x.values[first + i] * x.values[first + i] / static_cast<double>(gamma.size());
    rstd.values.push_back(1 / std::sqrt(squares));
    for (std::size_t i = 0; i < gamma.size(); ++i)
      y.values.push_back(x.values[first + i] * gamma[i] / std::sqrt(squares));
  }
  return {y, rstd, x};
}

Sample RmsSample(const char* name) {
  return Functions(name)
      .Types(FloatTypes())
      .Form({{2, 3, 8}, {2, 3, 8}, {8}})
      .Form({{0, 8}, {0, 8}, {8}})
      .Within(4)
      .Without(Part::kSpecial, kSums);
}

const Table roots({
    RmsSample("AddRmsNormCast")
        .Calls(NN(AddRmsNormCast), {X(0), X(1), X(2), kEpsilon, Y(0), Y(1), Y(2), Y(3)})
        .Gives({ACL_FLOAT, kSame, ACL_FLOAT, kSame})
        .Are([](const Given& in) {
          const std::vector<Block> norm = RmsNorm(in);
          return std::vector<Block>{norm[0], norm[0], norm[1], norm[2]};
        }),
    RmsSample("InplaceAddRmsNorm")
        .Calls(NN(InplaceAddRmsNorm), {X(0), X(1), X(2), kEpsilon, Y(0)})
        .Changes({0, 1})
        .Gives({kSame, kSame, ACL_FLOAT})
        .Are([](const Given& in) {
          const std::vector<Block> norm = RmsNorm(in);
          return std::vector<Block>{norm[0], norm[2], norm[1]};
        }),
});

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// [batch, 4 channels in 2 groups, places].
struct Groups {
  explicit Groups(const Block& x) : places(x.values.size() / static_cast<std::size_t>(x.dims[0] * 4)) {
    for (std::size_t first = 0; first < x.values.size(); first += 2 * places)
      rows.emplace_back(&x.values[first], 2 * places);
  }
  std::size_t ChannelOf(std::size_t i) const { return i / places % 4; }
  const Row& RowOf(std::size_t i) const { return rows[i / (2 * places)]; }
  double Normal(std::size_t i) const { return RowOf(i).Normal(i % (2 * places)); }
  std::size_t places;
  std::vector<Row> rows;
};

std::vector<Block> GroupNormSwish(const Given& in) {
  const Groups groups(in[0]);
  Block y{in[0].dims, {}}, mean{{in[0].dims[0], 2}, {}}, rstd = mean;
  for (std::size_t i = 0; i < in[0].values.size(); ++i) {
    const std::size_t c = groups.ChannelOf(i);
    const double value = groups.Normal(i) * in[1].values[c] + in[2].values[c];
    y.values.push_back(value * Sigmoid(1.5 * value));
  }
  for (const Row& row : groups.rows) {
    mean.values.push_back(row.mean);
    rstd.values.push_back(row.rstd);
  }
  return {y, mean, rstd};
}

// What arrives, means, reciprocals of deviations, x, weights and biases.
std::vector<Block> GroupNormSwishGradients(const Given& in) {
  const Groups groups(in[3]);
  Block dx = in[0], dgamma{{4}, Values(4, 0)}, dbeta = dgamma;
  Values weighted;
  for (std::size_t i = 0; i < dx.values.size(); ++i) {
    const std::size_t c = groups.ChannelOf(i);
    const double value = groups.Normal(i) * in[4].values[c] + in[5].values[c], s = Sigmoid(1.5 * value);
    const double dy = in[0].values[i] * (s + 1.5 * value * s * (1 - s));
    dgamma.values[c] += dy * groups.Normal(i);
    dbeta.values[c] += dy;
    weighted.push_back(dy * in[4].values[c]);
  }
  const std::size_t size = 2 * groups.places;
  for (std::size_t first = 0; first < weighted.size(); first += size) {
    double sum = 0, along = 0;
    for (std::size_t i = first; i < first + size; ++i) {
      sum += weighted[i] / static_cast<double>(size);
      along += weighted[i] * groups.Normal(i) / static_cast<double>(size);
    }
    for (std::size_t i = first; i < first + size; ++i)
      dx.values[i] = (weighted[i] - sum - groups.Normal(i) * along) * groups.RowOf(i).rstd;
  }
  return {dx, dgamma, dbeta};
}

Values GroupStatistic(const Form& form, bool rstd) {
  Values out;
  for (const Row& row : Groups(Block{form.dims[3], Content(form.dims[3], 13)}).rows)
    out.push_back(rstd ? row.rstd : row.mean);
  return out;
}

const Table groups({
    Functions("GroupNormSwish")
        .Types(FloatTypes())
        .Calls(NN(GroupNormSwish), {X(0), X(1), X(2), 2, "NCHW", kEpsilon, true, 1.5, Y(0), Y(1), Y(2)})
        .Gives({kSame, kSame, kSame})
        .Form({{3, 4, 2, 5}, {4}, {4}})
        .Form({{2, 4, 3}, {4}, {4}})
        .Without(Part::kEmpty, "there are places")
        .Within(8)
        .Without(Part::kSpecial, kSums)
        .Are(GroupNormSwish),
    Functions("GroupNormSwishGradient")
        .Types({ACL_FLOAT})
        .Calls(NN(GroupNormSwishGrad),
               {X(0), X(1), X(2), X(3), X(4), X(5), 2, "NCHW", 1.5, true, true, Y(0), Y(1), Y(2)})
        .Gives({kSame, kSame, kSame})
        .Holds(1, [](const Form& form) { return GroupStatistic(form, false); })
        .Holds(2, [](const Form& form) { return GroupStatistic(form, true); })
        .Holds(3, [](const Form& form) { return Content(form.dims[3], 13); })
        .Form({{3, 4, 2, 5}, {3, 2}, {3, 2}, {3, 4, 2, 5}, {4}, {4}})
        .Within(32)
        .Without(Part::kHalf, "statistics of what is rounded are others")
        .Without(Part::kEmpty, "there are places")
        .Without(Part::kSpecial, kSums)
        .Are(GroupNormSwishGradients),
});

Block Softmax(const Block& x) {
  return AlongAxis(x, -1, [](const Values& line) {
    const double most = *std::max_element(line.begin(), line.end());
    Values out;
    double sum = 0;
    for (const double one : line)
      sum += std::exp(one - most);
    for (const double one : line)
      out.push_back(std::exp(one - most) / sum);
    return out;
  });
}

const Table softmax({
    Functions("ScaledMaskedSoftmax")
        .Types(FloatTypes())
        .Calls(NN(ScaledMaskedSoftmax), {X(0), X(1), 0.5, false, Y(0)})
        .TypeOf(1, ACL_BOOL)
        .Form({{2, 3, 4, 5}, {2, 3, 4, 5}})
        .Form({{2, 3, 4, 5}, {2, 1, 4, 5}})
        .Form({{0, 3, 4, 5}, {0, 3, 4, 5}})
        .Within(4)
        .Without(Part::kSpecial, kSums)
        .Is([](const Given& in) {
          return Softmax(
              ElementByElement(in, [](const double* x) { return x[1] != 0 ? -10000 : 0.5 * x[0]; }));
        }),
    Functions("ScaledMaskedSoftmaxGradient")
        .Types(FloatTypes())
        .Calls(NN(ScaledMaskedSoftmaxBackward), {X(0), X(1), X(2), 0.5, false, Y(0)})
        .TypeOf(2, ACL_BOOL)
        .Range(1, 0, 1)
        .Form({{2, 3, 4, 5}, {2, 3, 4, 5}, {2, 3, 4, 5}})
        .Form({{0, 3, 4, 5}, {0, 3, 4, 5}, {0, 3, 4, 5}})
        .Within(8)
        .Without(Part::kSpecial, kSums)
        .Is([](const Given& in) {
          Block out = in[0];
          for (std::size_t i = 0; i < out.values.size(); ++i) {
            double sum = 0;
            for (std::size_t k = i / 5 * 5; k < i / 5 * 5 + 5; ++k)
              sum += in[0].values[k] * in[1].values[k];
            out.values[i] = in[2].values[i] != 0 ? 0 : 0.5 * (in[0].values[i] - sum) * in[1].values[i];
          }
          return out;
        }),
    Functions("MaskedSoftmaxWithRelPosBias")
        .Types(FloatTypes())
        .Calls(NN(MaskedSoftmaxWithRelPosBias), {X(0), X(1), X(2), 0.5, 0, Y(0)})
        .Form({{2, 3, 4, 5}, {3, 1, 5}, {4, 5}})
        .Form({{0, 3, 4, 5}, {3, 1, 5}, {4, 5}})
        .Within(4)
        .Without(Part::kSpecial, kSums)
        .Is([](const Given& in) {
          return Softmax(ElementByElement(in, [](const double* x) { return 0.5 * x[0] + x[1] + x[2]; }));
        }),
});

}  // namespace
}  // namespace samples
