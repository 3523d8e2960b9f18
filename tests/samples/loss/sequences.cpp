// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Losses of sequences of labels that have no places: over all ways to say them.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

// What is said when each step says a class: repetitions count once, class 0 is silence.
std::vector<std::size_t> Said(const std::vector<std::size_t>& steps) {
  std::vector<std::size_t> said;
  for (std::size_t t = 0; t < steps.size(); ++t)
    if (steps[t] != 0 && (t == 0 || steps[t] != steps[t - 1])) said.push_back(steps[t]);
  return said;
}

// Logarithms [steps, batch, classes], and rows of targets.
struct Batch {
  Batch(const Block& logs, const Block& targets, const Settings& settings)
      : logs(logs),
        targets(targets),
        steps(settings.at(0).second.numbers),
        labels(settings.at(1).second.numbers) {}

  std::size_t size() const { return static_cast<std::size_t>(logs.dims[1]); }
  std::size_t classes() const { return static_cast<std::size_t>(logs.dims[2]); }
  double Log(std::size_t t, std::size_t n, std::size_t one) const {
    return logs.values[(t * size() + n) * classes() + one];
  }
  std::vector<std::size_t> Target(std::size_t n) const {
    const auto width = static_cast<std::size_t>(targets.dims[1]);
    std::vector<std::size_t> target;
    for (std::size_t i = 0; i < static_cast<std::size_t>(labels[n]); ++i)
      target.push_back(static_cast<std::size_t>(targets.values[n * width + i]));
    return target;
  }
  // visit(way, probability) for each way of saying the sequence.
  template <typename Visit>
  void ForWays(std::size_t n, Visit visit) const {
    const auto length = static_cast<std::size_t>(steps[n]);
    std::size_t ways = 1;
    for (std::size_t t = 0; t < length; ++t)
      ways *= classes();
    for (std::size_t way = 0; way < ways; ++way) {
      std::vector<std::size_t> said;
      double log = 0;
      for (std::size_t t = 0, rest = way; t < length; ++t, rest /= classes()) {
        said.push_back(rest % classes());
        log += Log(t, n, said.back());
      }
      if (Said(said) == Target(n)) visit(said, std::exp(log));
    }
  }
  double Likelihood(std::size_t n) const {
    double sum = 0;
    ForWays(n, [&](const std::vector<std::size_t>&, double probability) { sum += probability; });
    return sum;
  }
  Values Losses() const {
    Values losses;
    for (std::size_t n = 0; n < size(); ++n)
      losses.push_back(-std::log(Likelihood(n)));
    return losses;
  }
  // How probable it is to stand at a label, or at the silence before it, after each step.
  Values PartialSums(std::size_t row) const {
    const auto all = static_cast<std::size_t>(logs.dims[0]);
    Values sums(size() * all * row, 0);
    for (std::size_t n = 0; n < size(); ++n) {
      const std::vector<std::size_t> target = Target(n);
      const auto said = [&](std::size_t s) { return s % 2 == 0 ? 0 : target[s / 2]; };
      for (std::size_t t = 0; t < static_cast<std::size_t>(steps[n]); ++t)
        for (std::size_t s = 0; s < 2 * target.size() + 1; ++s) {
          double& sum = sums[(n * all + t) * row + s];
          const double* before = t == 0 ? nullptr : &sums[(n * all + t - 1) * row];
          sum = t == 0 ? s < 2 : before[s] + (s > 0 ? before[s - 1] : 0);
          if (t > 0 && s > 1 && s % 2 == 1 && said(s) != said(s - 2)) sum += before[s - 2];
          sum *= std::exp(Log(t, n, said(s)));
        }
    }
    for (double& sum : sums)
      sum = std::log(sum);
    return sums;
  }

  const Block &logs, &targets;
  const std::vector<double>&steps, &labels;
};

// The same for losses and for what their gradients get.
Values Logs(const Dims& dims) {
  return nn::Spread(nn::CountOf(dims), -3, -0.1, 7);
}
Values Targets(const Dims& dims) {
  return nn::SpreadInts(nn::CountOf(dims), 1, 2, 3);
}

std::vector<Block> Loss(const Given& in) {
  const Batch batch(in[0], in[1], in.settings());
  const std::int64_t row = 2 * in[1].dims[1] + 1;
  return {{{in[0].dims[1]}, batch.Losses()},
          {{in[0].dims[1], in[0].dims[0], row}, batch.PartialSums(static_cast<std::size_t>(row))}};
}

// What arrives, logarithms, targets, losses and partial sums.
Block Gradient(const Given& in) {
  const Batch batch(in[1], in[2], in.settings());
  Block out{in[1].dims, Values(in[1].values.size(), 0)};
  for (std::size_t n = 0; n < batch.size(); ++n) {
    const double all = batch.Likelihood(n);
    for (std::size_t t = 0; t < static_cast<std::size_t>(batch.steps[n]); ++t)
      for (std::size_t c = 0; c < batch.classes(); ++c) {
        double through = 0;
        batch.ForWays(n, [&](const std::vector<std::size_t>& way, double probability) {
          if (way[t] == c) through += probability;
        });
        const double slope = std::exp(batch.Log(t, n, c)) - (all == 0 ? 0 : through / all);
        out.values[(t * batch.size() + n) * batch.classes() + c] = all == 0 ? 0 : in[0].values[n] * slope;
      }
  }
  return out;
}

Sample Described(Sample sample) {
  return sample.Types({ACL_FLOAT, ACL_DOUBLE})
      .Without(Part::kHalf, "logarithms of probabilities are float or double")
      .Without(Part::kSpecial, "logarithms of probabilities are finite")
      .Within(8);
}

const Table sequences({
    Described(Functions("CtcLoss"))
        .Calls(NN(CtcLoss), {X(0), X(1), V("steps"), V("labels"), 0, false, Y(0), Y(1)})
        .TypeOf(1, ACL_INT64)
        .Gives({kSame, kSame})
        .Holds(0, [](const Form& form) { return Logs(form.dims[0]); })
        .Holds(1, [](const Form& form) { return Targets(form.dims[1]); })
        .Form({{5, 4, 3}, {4, 2}}, {{"steps", {5, 4, 5, 1}}, {"labels", {2, 1, 0, 2}}})
        .Form({{4, 2, 3}, {2, 2}}, {{"steps", {4, 4}}, {"labels", {2, 2}}})
        .Form({{4, 0, 3}, {0, 2}},
              {{"steps", std::initializer_list<double>{}}, {"labels", std::initializer_list<double>{}}})
        .Are(Loss),
    Described(Functions("CtcLossGradient"))
        .Calls(NN(CtcLossBackward), {X(0), X(1), X(2), V("steps"), V("labels"), X(3), X(4), 0, true, Y(0)})
        .TypeOf(2, ACL_INT64)
        .Holds(1, [](const Form& form) { return Logs(form.dims[1]); })
        .Holds(2, [](const Form& form) { return Targets(form.dims[2]); })
        .Holds(3,
               [](const Form& form) {
                 const Block logs{form.dims[1], Logs(form.dims[1])},
                     targets{form.dims[2], Targets(form.dims[2])};
                 return Batch(logs, targets, form.settings).Losses();
               })
        .Holds(4,
               [](const Form& form) {
                 const Block logs{form.dims[1], Logs(form.dims[1])},
                     targets{form.dims[2], Targets(form.dims[2])};
                 return Batch(logs, targets, form.settings)
                     .PartialSums(static_cast<std::size_t>(form.dims[4].back()));
               })
        .Form({{4}, {5, 4, 3}, {4, 2}, {4}, {4, 5, 8}}, {{"steps", {5, 4, 5, 1}}, {"labels", {2, 1, 0, 2}}})
        .Form({{0}, {4, 0, 3}, {0, 2}, {0}, {0, 4, 8}},
              {{"steps", std::initializer_list<double>{}}, {"labels", std::initializer_list<double>{}}})
        .Is(Gradient),
});

}  // namespace
}  // namespace samples
