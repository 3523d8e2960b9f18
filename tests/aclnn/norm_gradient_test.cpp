// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Normalisation over batches, and the gradients of normalisations and softmax: these against differences of
// what is differentiated.
#include <cmath>

#include "aclnn/places.h"
#include "aclnnop/aclnn_batch_norm.h"
#include "aclnnop/aclnn_batch_norm_backward.h"
#include "aclnnop/aclnn_gemma_rms_norm.h"
#include "aclnnop/aclnn_group_norm_backward.h"
#include "aclnnop/aclnn_layer_norm_backward.h"
#include "aclnnop/aclnn_logsoftmax_backward.h"
#include "aclnnop/aclnn_rms_norm_grad.h"
#include "aclnnop/aclnn_softmax_backward.h"

namespace nn {
namespace {

constexpr aclDataType kGradientTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

// The gradient of the sum of weights[i] * function(x)[i], by differences.
template <typename Function>
Values Slope(Values x, const Values& weights, Function function) {
  constexpr double kStep = 1e-5;
  const auto sum = [&](const Values& values) {
    double total = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      total += weights[i] * values[i];
    return total;
  };
  Values slope;
  for (double& one : x) {
    const double kept = one;
    one = kept + kStep;
    const double above = sum(function(x));
    one = kept - kStep;
    slope.push_back((above - sum(function(x))) / (2 * kStep));
    one = kept;
  }
  return slope;
}

// Elements that are normalised together, by number; mean and inverse deviation of each such group.
struct Normal {
  std::vector<std::size_t> group;
  std::size_t groups;
  bool centred;

  Values Means(const Values& x) const {
    Values sums(groups, 0.0), counts(groups, 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      sums[group[i]] += x[i];
      ++counts[group[i]];
    }
    for (std::size_t g = 0; g < groups; ++g)
      sums[g] = centred ? sums[g] / counts[g] : 0;
    return sums;
  }
  Values Variances(const Values& x) const {
    const Values means = Means(x);
    Values sums(groups, 0.0), counts(groups, 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      sums[group[i]] += (x[i] - means[group[i]]) * (x[i] - means[group[i]]);
      ++counts[group[i]];
    }
    for (std::size_t g = 0; g < groups; ++g)
      sums[g] /= counts[g];
    return sums;
  }
  Values Inverses(const Values& x, double epsilon) const {
    Values inverses = Variances(x);
    for (double& one : inverses)
      one = 1 / std::sqrt(one + epsilon);
    return inverses;
  }
  Values Of(Values x, double epsilon) const {
    const Values means = Means(x), inverses = Inverses(x, epsilon);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = (x[i] - means[group[i]]) * inverses[group[i]];
    return x;
  }
};

// Element i belongs to group i / inner % groups ("channels"), or i / inner ("rows").
Normal Rows(std::size_t count, std::size_t length, bool centred = true) {
  Normal normal{{}, count / length, centred};
  for (std::size_t i = 0; i < count; ++i)
    normal.group.push_back(i / length);
  return normal;
}
Normal Channels(std::size_t count, std::size_t channels, std::size_t inner) {
  Normal normal{{}, channels, true};
  for (std::size_t i = 0; i < count; ++i)
    normal.group.push_back(i / inner % channels);
  return normal;
}

// Sums of values over elements with the same parameter, i / inner % parameters.
Values SumsBy(const Values& values, std::size_t parameters, std::size_t inner) {
  Values sums(parameters, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i)
    sums[i / inner % parameters] += values[i];
  return sums;
}

Values Times(Values a, const Values& b, std::size_t inner = 1) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] *= b[i / inner % b.size()];
  return a;
}

TEST_F(Nn, SoftmaxBackwardTakesTheResult) {
  for (const aclDataType type : kGradientTypes) {
    const Tensor output = In(type, {2, 3, 4}, Spread(24, 0, 0.5), Layout::kTransposed),
                 gradient = In(type, {2, 3, 4}, Spread(24, -1, 1, 2)),
                 out = Out(type, {2, 3, 4}, Layout::kPaddedRows), log_out = Out(type, {2, 3, 4});
    Run(NN(SoftmaxBackward), gradient, output, 1, out);
    Run(NN(LogSoftmaxBackward), gradient, output, -2, log_out);
    std::vector<Values> y = Lines(output.Read(), {2, 3, 4}, 1), g = Lines(gradient.Read(), {2, 3, 4}, 1),
                        l = y;
    for (std::size_t line = 0; line < y.size(); ++line) {
      double products = 0, sum = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        products += g[line][i] * y[line][i];
        sum += g[line][i];
      }
      for (std::size_t i = 0; i < 3; ++i) {
        l[line][i] = g[line][i] - std::exp(y[line][i]) * sum;
        y[line][i] *= g[line][i] - products;
      }
    }
    ExpectClose(out.Read(), FromLines(y, {2, 3, 4}, 1), Tolerance(type));
    ExpectClose(log_out.Read(), FromLines(l, {2, 3, 4}, 1), Tolerance(type));
  }
}

TEST_F(Nn, LayerNormBackwardGivesThreeGradients) {
  for (const aclDataType type : kGradientTypes) {
    const Tensor x = In(type, {3, 2, 4}, Spread(24), Layout::kPaddedRows),
                 g = In(type, {3, 2, 4}, Spread(24, -1, 1, 2)), weight = In(type, {2, 4}, Spread(8, 1, 2, 3));
    const Normal rows = Rows(24, 8);
    const Values values = x.Read(), up = g.Read();
    const Tensor mean = In(ACL_FLOAT, {3, 1, 1}, rows.Means(values)),
                 rstd = In(ACL_FLOAT, {3, 1, 1}, rows.Inverses(values, 1e-5));
    const Tensor dx = Out(type, {3, 2, 4}, Layout::kPaddedRows), dweight = Out(type, {2, 4}),
                 dbias = Out(type, {2, 4});
    Run(NN(LayerNormBackward), g, x, Ints{2, 4}, mean, rstd, weight, weight, Bools{true, true, true}, dx,
        dweight, dbias);
    ExpectClose(dx.Read(),
                Slope(values, Times(up, weight.Read()), [&](const Values& v) { return rows.Of(v, 1e-5); }),
                4 * Tolerance(type));
    ExpectClose(dweight.Read(), SumsBy(Times(up, rows.Of(values, 1e-5)), 8, 1), 4 * Tolerance(type));
    ExpectClose(dbias.Read(), SumsBy(up, 8, 1), 4 * Tolerance(type));
  }
}

TEST_F(Nn, LayerNormBackwardGivesWhatIsAskedFor) {
  const Tensor x = In(ACL_FLOAT, {3, 4}, Spread(12)), g = In(ACL_FLOAT, {3, 4}, Spread(12, -1, 1, 2));
  const Normal rows = Rows(12, 4);
  const Tensor mean = In(ACL_FLOAT, {3, 1}, rows.Means(x.Read())),
               rstd = In(ACL_FLOAT, {3, 1}, rows.Inverses(x.Read(), 1e-5)), dx = Out(ACL_FLOAT, {3, 4}),
               untouched = In(ACL_FLOAT, {4}, Spread(4));
  Run(NN(LayerNormBackward), g, x, Ints{4}, mean, rstd, nullptr, nullptr, Bools{true, false, true}, dx,
      untouched, nullptr);
  ExpectClose(dx.Read(), Slope(x.Read(), g.Read(), [&](const Values& v) { return rows.Of(v, 1e-5); }), 1e-5);
  ExpectRefused(161002, "'outputMask' has 2", NN(LayerNormBackward), g, x, Ints{4}, mean, rstd, nullptr,
                nullptr, Bools{true, false}, dx, nullptr, nullptr);
}

TEST_F(Nn, GroupNormBackwardGivesThreeGradients) {
  for (const aclDataType type : kGradientTypes) {
    const Tensor x = In(type, {2, 4, 3}, Spread(24)),
                 g = In(type, {2, 4, 3}, Spread(24, -1, 1, 2), Layout::kTransposed),
                 gamma = In(type, {4}, Spread(4, 1, 2, 3));
    const Normal rows = Rows(24, 6);
    const Values values = x.Read(), up = g.Read();
    const Tensor mean = In(ACL_FLOAT, {2, 2}, rows.Means(values)),
                 rstd = In(ACL_FLOAT, {2, 2}, rows.Inverses(values, 1e-5)), dx = Out(type, {2, 4, 3}),
                 dgamma = Out(type, {4}), dbeta = Out(type, {4});
    Run(NN(GroupNormBackward), g, x, mean, rstd, gamma, 2, 4, 3, 2, Bools{true, true, true}, dx, dgamma,
        dbeta);
    ExpectClose(dx.Read(),
                Slope(values, Times(up, gamma.Read(), 3), [&](const Values& v) { return rows.Of(v, 1e-5); }),
                4 * Tolerance(type));
    ExpectClose(dgamma.Read(), SumsBy(Times(up, rows.Of(values, 1e-5)), 4, 3), 4 * Tolerance(type));
    ExpectClose(dbeta.Read(), SumsBy(up, 4, 3), 4 * Tolerance(type));
    Run(NN(GroupNormBackward), g, x, mean, rstd, nullptr, 2, 4, 3, 2, Bools{false, false, true}, nullptr,
        nullptr, dbeta);
    ExpectClose(dbeta.Read(), SumsBy(up, 4, 3), 4 * Tolerance(type));
  }
}

TEST_F(Nn, RmsNormGradGivesTwoGradients) {
  for (const aclDataType type : kGradientTypes) {
    const Tensor x = In(type, {2, 3, 4}, Spread(24)), dy = In(type, {2, 3, 4}, Spread(24, -1, 1, 2)),
                 gamma = In(type, {4}, Spread(4, 1, 2, 3));
    const Normal rows = Rows(24, 4, false);
    const Values values = x.Read(), up = dy.Read();
    const Tensor rstd = In(ACL_FLOAT, {2, 3, 1}, rows.Inverses(values, 1e-6)), dx = Out(type, {2, 3, 4}),
                 dgamma = Out(ACL_FLOAT, {4});
    Run(NN(RmsNormGrad), dy, x, rstd, gamma, dx, dgamma);
    ExpectClose(dx.Read(),
                Slope(values, Times(up, gamma.Read()), [&](const Values& v) { return rows.Of(v, 1e-6); }),
                4 * Tolerance(type));
    ExpectClose(dgamma.Read(), SumsBy(Times(up, rows.Of(values, 1e-6)), 4, 1), 1e-4);
  }
}

TEST_F(Nn, GemmaRmsNormAddsOneToWeights) {
  for (const aclDataType type : kGradientTypes) {
    const Tensor x = In(type, {3, 8}, Spread(24), Layout::kPaddedRows), gamma = In(type, {8}, Spread(8)),
                 y = Out(type, {3, 8}), rstd = Out(ACL_FLOAT, {3, 1});
    Run(NN(GemmaRmsNorm), x, gamma, 1e-6, y, rstd);
    const Normal rows = Rows(24, 8, false);
    ExpectClose(y.Read(),
                Times(rows.Of(x.Read(), 1e-6), Applied(gamma.Read(), [](double w) { return w + 1; })),
                Tolerance(type));
    ExpectClose(rstd.Read(), rows.Inverses(x.Read(), 1e-6), 1e-5);
  }
}

TEST_F(Nn, BatchNormKeepsRunningAverages) {
  for (const aclDataType type : kGradientTypes)
    for (const Dims& dims : {Dims{4, 3}, Dims{4, 3, 2}, Dims{4, 3, 2, 2}, Dims{4, 3, 1, 2, 2}}) {
      const std::size_t count = CountOf(dims), inner = count / 12;
      const Tensor x = In(type, dims, Spread(count), Layout::kPaddedRows),
                   weight = In(ACL_FLOAT, {3}, {1, 2, 0.5}), bias = In(ACL_FLOAT, {3}, {0.5, 0, -1}),
                   mean = Ref(ACL_FLOAT, {3}, {1, 2, 3}), variance = Ref(ACL_FLOAT, {3}, {1, 1, 2}),
                   y = Out(type, dims), save_mean = Out(ACL_FLOAT, {3}), save_inverse = Out(ACL_FLOAT, {3});
      const Normal channels = Channels(count, 3, inner);
      const Values values = x.Read(), means = channels.Means(values), variances = channels.Variances(values);
      Values expected = Times(channels.Of(values, 1e-5), weight.Read(), inner), later_mean = mean.Read(),
             later_variance = variance.Read();
      for (std::size_t i = 0; i < count; ++i)
        expected[i] += bias.Read()[i / inner % 3];
      const double share = static_cast<double>(count / 3);
      for (std::size_t c = 0; c < 3; ++c) {
        later_mean[c] = 0.75 * later_mean[c] + 0.25 * means[c];
        later_variance[c] = 0.75 * later_variance[c] + 0.25 * variances[c] * share / (share - 1);
      }
      Run(NN(BatchNorm), x, weight, bias, mean, variance, true, 0.25, 1e-5, y, save_mean, save_inverse);
      ExpectClose(y.Read(), expected, 2 * Tolerance(type));
      ExpectClose(mean.Read(), later_mean, 1e-5);
      ExpectClose(variance.Read(), later_variance, 1e-5);
      ExpectClose(save_mean.Read(), means, 1e-5);
      ExpectClose(save_inverse.Read(), channels.Inverses(values, 1e-5), 1e-5);
    }
}

TEST_F(Nn, BatchNormUsesRunningAverages) {
  const Tensor x = In(ACL_FLOAT, {2, 3, 4}, Spread(24)), mean = In(ACL_FLOAT, {3}, {0.5, 0, -1}),
               variance = In(ACL_FLOAT, {3}, {1, 4, 0.25}), y = Out(ACL_FLOAT, {2, 3, 4}),
               none = Out(ACL_FLOAT, {0});
  Run(NN(BatchNorm), x, nullptr, nullptr, mean, variance, false, 0.1, 0.0, y, none, none);
  Values expected = x.Read();
  for (std::size_t i = 0; i < 24; ++i)
    expected[i] = (expected[i] - mean.Read()[i / 4 % 3]) / std::sqrt(variance.Read()[i / 4 % 3]);
  ExpectClose(y.Read(), expected, 1e-5);
  ExpectRefused(161002, "'runningMean' is null", NN(BatchNorm), x, nullptr, nullptr, nullptr, variance, false,
                0.1, 0.0, y, none, none);
}

TEST_F(Nn, BatchNormBackwardGivesThreeGradients) {
  for (const aclDataType type : kGradientTypes) {
    const Tensor x = In(type, {4, 3, 2}, Spread(24)),
                 g = In(type, {4, 3, 2}, Spread(24, -1, 1, 2), Layout::kTransposed),
                 weight = In(ACL_FLOAT, {3}, {1, 2, 0.5});
    const Normal channels = Channels(24, 3, 2);
    const Values values = x.Read(), up = g.Read();
    const Tensor mean = In(ACL_FLOAT, {3}, channels.Means(values)),
                 inverse = In(ACL_FLOAT, {3}, channels.Inverses(values, 1e-5)), dx = Out(type, {4, 3, 2}),
                 dweight = Out(ACL_FLOAT, {3}), dbias = Out(ACL_FLOAT, {3});
    Run(NN(BatchNormBackward), g, x, weight, nullptr, nullptr, mean, inverse, true, 1e-5,
        Bools{true, true, true}, dx, dweight, dbias);
    ExpectClose(
        dx.Read(),
        Slope(values, Times(up, weight.Read(), 2), [&](const Values& v) { return channels.Of(v, 1e-5); }),
        4 * Tolerance(type));
    ExpectClose(dweight.Read(), SumsBy(Times(up, channels.Of(values, 1e-5)), 3, 2), 1e-4);
    ExpectClose(dbias.Read(), SumsBy(up, 3, 2), 1e-4);
  }
}

TEST_F(Nn, BatchNormBackwardUsesRunningAverages) {
  const Tensor x = In(ACL_FLOAT, {4, 3}, Spread(12)), g = In(ACL_FLOAT, {4, 3}, Spread(12, -1, 1, 2)),
               mean = In(ACL_FLOAT, {3}, {0.5, 0, -1}), variance = In(ACL_FLOAT, {3}, {1, 4, 0.25}),
               dx = Out(ACL_FLOAT, {4, 3});
  Run(NN(BatchNormBackward), g, x, nullptr, mean, variance, nullptr, nullptr, false, 0.0,
      Bools{true, false, false}, dx, nullptr, nullptr);
  ExpectClose(dx.Read(), Times(g.Read(), Values{1, 0.5, 2}), 1e-5);
}

}  // namespace
}  // namespace nn
