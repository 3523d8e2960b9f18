// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Normalisations and softmax.
#include <algorithm>
#include <cmath>

#include "aclnn/places.h"
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_group_norm_silu.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"

namespace nn {
namespace {

constexpr aclDataType kNormTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

Values SoftmaxOf(Values line) {
  const double most = *std::max_element(line.begin(), line.end());
  double sum = 0;
  for (double& value : line)
    sum += value = std::exp(value - most);
  for (double& value : line)
    value /= sum;
  return line;
}

Values SoftmaxOf(const Tensor& tensor, std::size_t axis) {
  std::vector<Values> lines = Lines(tensor.Read(), tensor.dims(), axis);
  for (Values& line : lines)
    line = SoftmaxOf(line);
  return FromLines(lines, tensor.dims(), axis);
}

struct Statistics {
  Values mean, rstd;
};

// Over rows of `size` elements.
Statistics StatisticsOf(const Values& values, std::size_t size, double epsilon, bool centred = true) {
  Statistics found;
  for (std::size_t row = 0; row < values.size() / size; ++row) {
    double mean = 0, square = 0;
    for (std::size_t i = row * size; centred && i < (row + 1) * size; ++i)
      mean += values[i] / static_cast<double>(size);
    for (std::size_t i = row * size; i < (row + 1) * size; ++i)
      square += (values[i] - mean) * (values[i] - mean) / static_cast<double>(size);
    found.mean.push_back(mean);
    found.rstd.push_back(1 / std::sqrt(square + epsilon));
  }
  return found;
}

Values Normalised(Values values, std::size_t size, const Statistics& by) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (values[i] - by.mean[i / size]) * by.rstd[i / size];
  return values;
}

TEST_F(Nn, SoftmaxTakesEveryLayoutAndType) {
  for (const aclDataType type : kNormTypes)
    for (const Layout layout : kAllLayouts) {
      const Tensor self = In(type, {2, 3, 4, 7}, Spread(168, -8, 8), layout),
                   out = Out(type, {2, 3, 4, 7}, layout);
      Run(NN(Softmax), self, 3, out);
      ExpectClose(out.Read(), SoftmaxOf(self, 3), Tolerance(type));
    }
  const Tensor self = In(ACL_FLOAT, {3, 4}, Spread(12)), out = Out(ACL_FLOAT, {3, 4});
  Run(NN(Softmax), self, -2, out);
  ExpectClose(out.Read(), SoftmaxOf(self, 0), 1e-6);
}

TEST_F(Nn, SoftmaxOfMaskedElementsIsZero) {
  const double inf = INFINITY;
  const Tensor self = In(ACL_FLOAT, {1, 1, 3, 3}, {1, -inf, 1, -inf, -inf, -inf, 3, -inf, -inf}),
               out = Out(ACL_FLOAT, {1, 1, 3, 3});
  Run(NN(Softmax), self, 3, out);
  ExpectClose(out.Read(), {0.5, 0, 0.5, NAN, NAN, NAN, 1, 0, 0}, 1e-6);
}

TEST_F(Nn, SoftmaxWorksInPlaceAndOnNothing) {
  const Tensor ref = Ref(ACL_FLOAT, {2, 5}, Spread(10), Layout::kPaddedRows);
  const Values expected = SoftmaxOf(ref, 1);
  Run(NN(Softmax), ref, 1, ref);
  ExpectClose(ref.Read(), expected, 1e-6);
  Run(NN(Softmax), In(ACL_FLOAT, {0, 4}, {}), 1, Out(ACL_FLOAT, {0, 4}));
  ExpectRefused(161002, "dim", NN(Softmax), ref.As(Role::kIn), 2, Out(ACL_FLOAT, {2, 5}));
}

TEST_F(Nn, LogSoftmaxIsTheLogarithm) {
  for (const aclDataType type : kNormTypes) {
    const Tensor self = In(type, {2, 3, 4}, Spread(24), Layout::kTransposed), out = Out(type, {2, 3, 4});
    Run(NN(LogSoftmax), self, 1, out);
    ExpectClose(out.Read(), Applied(SoftmaxOf(self, 1), [](double x) { return std::log(x); }),
                Tolerance(type));
  }
}

TEST_F(Nn, CrossEntropyGivesTheLossAndItsGradient) {
  const Tensor features = In(ACL_FLOAT, {4, 6}, Spread(24), Layout::kPaddedRows),
               labels = In(ACL_FLOAT, {4, 6}, Spread(24, 0, 0.3, 2));
  const Tensor loss = Out(ACL_FLOAT, {4}), backprop = Out(ACL_FLOAT, {4, 6}, Layout::kPaddedRows);
  Run(NN(SoftmaxCrossEntropyWithLogits), features, labels, loss, backprop);
  Values gradient = SoftmaxOf(features, 1), sums(4, 0.0);
  const Values given = labels.Read();
  for (std::size_t i = 0; i < 24; ++i) {
    sums[i / 6] -= given[i] * std::log(gradient[i]);
    gradient[i] -= given[i];
  }
  ExpectClose(loss.Read(), sums, 1e-5);
  ExpectClose(backprop.Read(), gradient, 1e-5);
}

TEST_F(Nn, LayerNormNeedsNothingElse) {
  for (const aclDataType type : kNormTypes)
    for (const Layout layout : kAllLayouts) {
      const Tensor input = In(type, {2, 3, 2, 8}, Spread(96), layout), out = Out(type, {2, 3, 2, 8}, layout);
      Run(NN(LayerNorm), input, Ints{8}, nullptr, nullptr, 1e-5, out, nullptr, nullptr);
      const Values x = input.Read();
      ExpectClose(out.Read(), Normalised(x, 8, StatisticsOf(x, 8, 1e-5)), Tolerance(type));
    }
}

TEST_F(Nn, LayerNormScalesAndTellsStatistics) {
  const Tensor input = In(ACL_FLOAT16, {3, 2, 4}, Spread(24)),
               weight = In(ACL_FLOAT, {2, 4}, Spread(8, 1, 2)),
               bias = In(ACL_FLOAT, {2, 4}, Spread(8, -1, 0, 2)), out = Out(ACL_FLOAT16, {3, 2, 4}),
               mean = Out(ACL_FLOAT, {3, 1, 1}), rstd = Out(ACL_FLOAT, {3});
  Run(NN(LayerNorm), input, Ints{2, 4}, weight, bias, 0.25, out, mean, rstd);
  const Statistics by = StatisticsOf(input.Read(), 8, 0.25);
  Values expected = Normalised(input.Read(), 8, by);
  for (std::size_t i = 0; i < 24; ++i)
    expected[i] = expected[i] * weight.Read()[i % 8] + bias.Read()[i % 8];
  ExpectClose(out.Read(), expected, Tolerance(ACL_FLOAT16));
  ExpectClose(mean.Read(), by.mean, 1e-5);
  ExpectClose(rstd.Read(), by.rstd, 1e-5);
  ExpectRefused(161002, "'normalizedShape' is [3,4]", NN(LayerNorm), input, Ints{3, 4}, nullptr, nullptr,
                1e-5, out, nullptr, nullptr);
}

// The statistics come without the dimension of 1 that others give them.
TEST_F(Nn, RmsNormWritesStatisticsOfAnyRank) {
  for (const aclDataType type : kNormTypes)
    for (const Layout layout : kAllLayouts)
      for (const Dims& dims : {Dims{2, 3, 2}, Dims{2, 3, 2, 1}}) {
        const Tensor x = In(type, {2, 3, 2, 8}, Spread(96), layout), gamma = In(type, {8}, Spread(8, 0.5, 2)),
                     y = Out(type, {2, 3, 2, 8}, layout), rstd = Out(ACL_FLOAT, dims);
        Run(NN(RmsNorm), x, gamma, 1e-6, y, rstd);
        const Statistics by = StatisticsOf(x.Read(), 8, 1e-6, false);
        Values expected = Normalised(x.Read(), 8, by);
        for (std::size_t i = 0; i < 96; ++i)
          expected[i] *= gamma.Read()[i % 8];
        ExpectClose(y.Read(), expected, Tolerance(type));
        ExpectClose(rstd.Read(), by.rstd, 1e-5);
      }
}

TEST_F(Nn, RmsNormTakesOtherWeightsAndWorksInPlace) {
  const Tensor x = Ref(ACL_FLOAT16, {3, 16}, Spread(48)), gamma = In(ACL_FLOAT, {16}, Values(16, 1.0)),
               rstd = Out(ACL_FLOAT, {3});
  const Values before = x.Read();
  Run(NN(RmsNorm), x, gamma, 0.5, x, rstd);
  ExpectClose(x.Read(), Normalised(before, 16, StatisticsOf(before, 16, 0.5, false)), Tolerance(ACL_FLOAT16));
  ExpectRefused(161002, "gamma", NN(RmsNorm), x.As(Role::kIn), In(ACL_FLOAT, {4}, Values(4, 1.0)), 0.5,
                Out(ACL_FLOAT16, {3, 16}), rstd);
}

TEST_F(Nn, AddRmsNormWritesTheSumAsWell) {
  for (const aclDataType type : kNormTypes) {
    const Tensor x1 = In(type, {1, 1, 3, 8}, Spread(24)),
                 x2 = In(type, {1, 1, 3, 8}, Spread(24, -1, 1, 2), Layout::kPaddedRows),
                 gamma = In(type, {8}, Spread(8, 0.5, 2));
    const Tensor y = Out(type, {1, 1, 3, 8}), sum = Out(type, {1, 1, 3, 8}), memory = Out(ACL_FLOAT, {3});
    // The outermost stride may be anything where there is one row of that.
    const Tensor rstd = memory.View(Role::kOut, {1, 1, 3, 1}, {1000000, 3, 1, 1}, 0);
    Run(NN(AddRmsNorm), x1, x2, gamma, 1e-5, y, rstd, sum);
    Values both = x1.Read();
    for (std::size_t i = 0; i < 24; ++i)
      both[i] += x2.Read()[i];
    const Statistics by = StatisticsOf(both, 8, 1e-5, false);
    ExpectClose(sum.Read(), both, Tolerance(type));
    ExpectClose(rstd.Read(), by.rstd, type == ACL_FLOAT ? 1e-5 : 2e-2);
    Values expected = Normalised(both, 8, by);
    for (std::size_t i = 0; i < 24; ++i)
      expected[i] *= gamma.Read()[i % 8];
    ExpectClose(y.Read(), expected, 3 * Tolerance(type));
  }
}

TEST_F(Nn, GroupNormTakesNoWeightsAndTellsStatistics) {
  for (const aclDataType type : kNormTypes)
    for (const Layout layout : kAllLayouts) {
      const Tensor self = In(type, {2, 6, 3, 4}, Spread(144), layout), out = Out(type, {2, 6, 3, 4}, layout),
                   mean = Out(type, {2, 3}), rstd = Out(type, {2, 3});
      Run(NN(GroupNorm), self, nullptr, nullptr, 2, 6, 12, 3, 1e-6, out, mean, rstd);
      const Statistics by = StatisticsOf(self.Read(), 24, 1e-6);
      ExpectClose(out.Read(), Normalised(self.Read(), 24, by), Tolerance(type));
      ExpectClose(mean.Read(), by.mean, Tolerance(type));
      ExpectClose(rstd.Read(), by.rstd, Tolerance(type));
    }
}

TEST_F(Nn, GroupNormTakesWeightsAndOtherRanks) {
  const Tensor self = In(ACL_FLOAT, {2, 4, 6}, Spread(48)), gamma = In(ACL_FLOAT, {4}, Spread(4, 1, 2)),
               beta = In(ACL_FLOAT, {4}, Spread(4)), out = Out(ACL_FLOAT, {2, 4, 6}),
               mean = Out(ACL_FLOAT, {4}), rstd = Out(ACL_FLOAT, {4, 1});
  Run(NN(GroupNorm), self, gamma, beta, 2, 4, 6, 2, 1e-6, out, mean, rstd);
  Values expected = Normalised(self.Read(), 12, StatisticsOf(self.Read(), 12, 1e-6));
  for (std::size_t i = 0; i < 48; ++i)
    expected[i] = expected[i] * gamma.Read()[i / 6 % 4] + beta.Read()[i / 6 % 4];
  ExpectClose(out.Read(), expected, 1e-5);
  ExpectRefused(161002, "'group' is 3", NN(GroupNorm), self, gamma, beta, 2, 4, 6, 3, 1e-6, out, mean, rstd);
  ExpectRefused(161002, "'HxW'", NN(GroupNorm), self, gamma, beta, 2, 4, 5, 2, 1e-6, out, mean, rstd);
}

// Programs that do not look at the statistics let both lie in one piece of memory that is too small for them.
TEST_F(Nn, GroupNormTakesStatisticsThatOverlap) {
  const Tensor self = In(ACL_FLOAT, {2, 4, 6}, Spread(48)), out = Out(ACL_FLOAT, {2, 4, 6}),
               memory = Out(ACL_FLOAT, {5});
  const Tensor mean = memory.View(Role::kOut, {2, 2}, {2, 1}, 0),
               rstd = memory.View(Role::kOut, {2, 2}, {2, 1}, 1);
  Run(NN(GroupNorm), self, nullptr, nullptr, 2, 4, 6, 2, 1e-6, out, mean, rstd);
  ExpectClose(out.Read(), Normalised(self.Read(), 12, StatisticsOf(self.Read(), 12, 1e-6)), 1e-5);
}

TEST_F(Nn, GroupNormSiluActivates) {
  for (const aclDataType type : kNormTypes) {
    const Tensor self = In(type, {2, 4, 6}, Spread(48), Layout::kPaddedRows), out = Out(type, {2, 4, 6}),
                 mean = Out(type, {2, 2}), rstd = Out(type, {2, 2});
    Run(NN(GroupNormSilu), self, nullptr, nullptr, 2, 1e-6, out, mean, rstd);
    const Statistics by = StatisticsOf(self.Read(), 12, 1e-6);
    ExpectClose(out.Read(),
                Applied(Normalised(self.Read(), 12, by), [](double x) { return x / (1 + std::exp(-x)); }),
                Tolerance(type));
    ExpectClose(mean.Read(), by.mean, Tolerance(type));
  }
}

}  // namespace
}  // namespace nn
