// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Losses of class labels.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

// Element by element: which class it belongs to, and which label.
struct Scores {
  explicit Scores(const Dims& x)
      : classes(static_cast<std::size_t>(x[x.size() > 1 ? 1 : 0])), labels(x), inner(1) {
    labels.erase(labels.begin() + (x.size() > 1 ? 1 : 0));
    for (std::size_t i = 2; i < x.size(); ++i)
      inner *= static_cast<std::size_t>(x[i]);
  }
  std::size_t Place(std::size_t label, std::size_t one) const {
    return (label / inner * classes + one) * inner + label % inner;
  }
  std::size_t classes;
  Dims labels;
  std::size_t inner;
};

// Scores, labels and weights; the second is the sum of the weights that count.
std::vector<Block> Nll(const Given& in) {
  const Scores scores(in[0].dims);
  Block losses{scores.labels, {}};
  double weights = 0;
  for (std::size_t i = 0; i < in[1].values.size(); ++i) {
    const auto label = static_cast<std::size_t>(in[1].values[i]);
    const bool counts = in[1].values[i] != in.Number("ignore");
    const double weight = counts ? in[2].values[label] : 0;
    losses.values.push_back(counts ? -weight * in[0].values[scores.Place(i, label)] : 0);
    weights += weight;
  }
  const double reduction = in.Number("reduction");
  const bool each = reduction == 0 && in[0].dims.size() > 1;
  Block out = OfLosses(losses, reduction == 0 && !each ? 2 : reduction == 1 ? 2 : reduction);
  if (reduction == 1) out.values[0] /= weights;
  return {out, {{}, {each ? 0 : weights}}};
}

// Scores, what arrives, labels, weights and the sum of the weights.
Block NllGradient(const Given& in) {
  const Scores scores(in[0].dims);
  Block out{in[0].dims, Values(in[0].values.size(), 0)};
  for (std::size_t i = 0; i < in[2].values.size(); ++i) {
    if (in[2].values[i] == in.Number("ignore_index")) continue;
    const auto label = static_cast<std::size_t>(in[2].values[i]);
    const bool each = in.Find("reduction")->text == "none";
    const double arriving =
        in[1].values[each ? i : 0] / (in.Find("reduction")->text == "mean" ? in[4].values[0] : 1);
    out.values[scores.Place(i, label)] = -in[3].values[label] * arriving;
  }
  return out;
}

const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};
const Arguments kNllArguments{X(0), X(1), X(2), V("reduction"), V("ignore"), Y(0), Y(1)};

Sample Gradient(const char* reduction, int number, const Dims& one, const Dims& four) {
  const Arguments arguments{X(1), X(0), X(2), X(3), number, V("ignore_index"), X(4), Y(0)};
  return Operator("NLLLossGrad")
      .Types(kFloating)
      .Calls(NN(NLLLossBackward), arguments)
      .Calls(NN(NLLLoss2dBackward), arguments)
      .TypeOf(2, ACL_INT64)
      .Whole(2, 0, 3)
      .Range(4, 2, 3)
      .With("reduction", reduction)
      .Form({{6, 4}, one, {6}, {4}, {}}, {{"ignore_index", 1}})
      .Form({{2, 4, 3, 2}, four, {2, 3, 2}, {4}, {}}, {{"ignore_index", -100}})
      .Form({{4}, {}, {}, {4}, {}}, {{"ignore_index", -100}})
      .Form({{0, 4}, one.empty() ? Dims{} : Dims{0}, {0}, {4}, {}}, {{"ignore_index", -100}})
      .Without(Part::kSpecial, "a sum of weights is no infinity")
      .Is(NllGradient);
}

const Table labels({
    Functions("NLLLoss")
        .Types(kFloating)
        .Calls(NN(NLLLoss), kNllArguments)
        .Calls(NN(NLLLoss2d), kNllArguments)
        .TypeOf(1, ACL_INT64)
        .Whole(1, 0, 3)
        .Range(2, 0.5, 2)
        .Gives({kSame, kSame})
        .Form({{6, 4}, {6}, {4}}, {{"reduction", 0}, {"ignore", -100}})
        .Form({{6, 4}, {6}, {4}}, {{"reduction", 1}, {"ignore", 2}})
        .Form({{6, 4}, {6}, {4}}, {{"reduction", 2}, {"ignore", 0}})
        .Form({{4}, {}, {4}}, {{"reduction", 0}, {"ignore", -100}})
        .Form({{2, 4, 3, 5}, {2, 3, 5}, {4}}, {{"reduction", 0}, {"ignore", -100}})
        .Form({{2, 4, 3, 5}, {2, 3, 5}, {4}}, {{"reduction", 1}, {"ignore", 3}})
        .Form({{0, 4}, {0}, {4}}, {{"reduction", 1}, {"ignore", -100}})
        .Within(4)
        .Without(Part::kSpecial, "sums of infinities that are cast are not equal bit by bit")
        .Are(Nll),
    Gradient("none", 0, {6}, {2, 3, 2}),
    Gradient("mean", 1, {}, {}),
    Gradient("sum", 2, {}, {}),
});

// Rows of scores become what the program gets: losses and logarithms of probabilities.
Values LogSoftmax(const Values& row) {
  double sum = 0;
  for (const double x : row)
    sum += std::exp(x);
  Values logs;
  for (const double x : row)
    logs.push_back(x - std::log(sum));
  return logs;
}

// How much of a label is each class.
Values Shares(const Given& in, std::size_t label, const Values& weights) {
  const double smoothing = in.Number("smoothing");
  Values shares;
  for (std::size_t c = 0; c < weights.size(); ++c)
    shares.push_back(weights[c] *
                     (smoothing / static_cast<double>(weights.size()) + (c == label ? 1 - smoothing : 0)));
  return shares;
}

std::vector<Block> CrossEntropy(const Given& in) {
  const Block logs = AlongAxis(in[0], 1, LogSoftmax);
  const auto classes = static_cast<std::size_t>(in[0].dims[1]);
  Block losses{in[1].dims, {}};
  double counted = 0;
  for (std::size_t i = 0; i < in[1].values.size(); ++i) {
    double loss = 0;
    const auto label = static_cast<std::size_t>(in[1].values[i]);
    if (in[1].values[i] != in.Number("ignore")) {
      const Values shares = Shares(in, label, in[2].values);
      for (std::size_t c = 0; c < classes; ++c)
        loss -= shares[c] * logs.values[i * classes + c];
      counted += in[2].values[label];
    }
    losses.values.push_back(loss);
  }
  if (in.Find("reduction")->text == "none") return {losses, logs};
  Block all = OfLosses(losses, 2);
  all.dims = {1};
  if (in.Find("reduction")->text == "mean") all.values[0] /= counted;
  return {all, logs};
}

// What arrives, logarithms, labels and weights.
Block CrossEntropyGradient(const Given& in) {
  const auto classes = static_cast<std::size_t>(in[1].dims[1]);
  const std::string& reduction = in.Find("reduction")->text;
  double counted = 0;
  for (const double label : in[2].values)
    if (label != in.Number("ignore")) counted += in[3].values[static_cast<std::size_t>(label)];
  Block out{in[1].dims, Values(in[1].values.size(), 0)};
  for (std::size_t i = 0; i < in[2].values.size(); ++i) {
    if (in[2].values[i] == in.Number("ignore")) continue;
    const Values shares = Shares(in, static_cast<std::size_t>(in[2].values[i]), in[3].values);
    double all = 0;
    for (const double share : shares)
      all += share;
    const double arriving = in[0].values[reduction == "none" ? i : 0] / (reduction == "mean" ? counted : 1);
    for (std::size_t c = 0; c < classes; ++c)
      out.values[i * classes + c] = arriving * (std::exp(in[1].values[i * classes + c]) * all - shares[c]);
  }
  return out;
}

const Table smoothed({
    Functions("CrossEntropyLoss")
        .Types(FloatTypes())
        .Calls(NN(CrossEntropyLoss), {X(0), X(1), X(2), V("reduction"), V("ignore"), V("smoothing"), 0.0,
                                      false, Y(0), Y(1), X(3), X(3)})
        .TypeOf(1, ACL_INT64)
        .TypeOf(2, ACL_FLOAT)
        .Whole(1, 0, 4)
        .Range(2, 0.5, 2)
        .Gives({kSame, kSame})
        .Form({{6, 5}, {6}, {5}, {0}}, {{"reduction", "none"}, {"ignore", -100}, {"smoothing", 0.0}})
        .Form({{6, 5}, {6}, {5}, {0}}, {{"reduction", "mean"}, {"ignore", 2}, {"smoothing", 0.0}})
        .Form({{6, 5}, {6}, {5}, {0}}, {{"reduction", "mean"}, {"ignore", -100}, {"smoothing", 0.25}})
        .Form({{6, 5}, {6}, {5}, {0}}, {{"reduction", "sum"}, {"ignore", 1}, {"smoothing", 0.5}})
        .Within(4)
        .Without(Part::kSpecial, "rows of infinities have no probabilities")
        .Are(CrossEntropy),
    Functions("CrossEntropyLossGrad")
        .Types(FloatTypes())
        .Calls(NN(CrossEntropyLossGrad), {X(0), X(1), X(2), X(3), nullptr, nullptr, V("reduction"),
                                          V("ignore"), V("smoothing"), 0.0, Y(0)})
        .TypeOf(2, ACL_INT64)
        .TypeOf(3, ACL_FLOAT)
        .Whole(2, 0, 4)
        .Range(3, 0.5, 2)
        .Form({{1}, {6, 5}, {6}, {5}}, {{"reduction", "mean"}, {"ignore", 2}, {"smoothing", 0.25}})
        .Form({{6}, {6, 5}, {6}, {5}}, {{"reduction", "none"}, {"ignore", -100}, {"smoothing", 0.0}})
        .Form({{1}, {6, 5}, {6}, {5}}, {{"reduction", "sum"}, {"ignore", 1}, {"smoothing", 0.5}})
        .Form({{0}, {0, 5}, {0}, {5}}, {{"reduction", "none"}, {"ignore", -100}, {"smoothing", 0.0}})
        .Within(4)
        .Without(Part::kSpecial, "logarithms of probabilities are finite")
        .Is(CrossEntropyGradient),
});

}  // namespace
}  // namespace samples
