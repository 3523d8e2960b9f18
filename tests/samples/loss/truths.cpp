// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Losses of truths and of distributions, and their gradients.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

using Function = double (*)(const double*);

// The losses of elements, reduced.
std::function<Block(const Given&)> Loss(Function function) {
  return [=](const Given& in) {
    return OfLosses(ElementByElement(in, [&](const double* x) { return function(x); }),
                    in.Number("reduction"));
  };
}

// What arrives comes first.
std::function<Block(const Given&)> Gradient(Function function) {
  return [=](const Given& in) {
    Block out = ElementByElement(in, [&](const double* x) { return x[0] * function(x + 1); });
    for (double& value : out.values)
      if (in.Number("reduction") == 1) value /= static_cast<double>(out.values.size());
    return out;
  };
}

Sample Reductions(Sample sample, std::size_t inputs, bool gradient) {
  for (const int reduction : {0, 1, 2})
    for (const Dims& dims : {Dims{3, 4, 5}, Dims{7}, Dims{}}) {
      std::vector<Dims> all(inputs, dims);
      if (gradient && reduction != 0) all[0] = {};
      sample.Form(all, {{"reduction", reduction}});
    }
  return sample.Form(std::vector<Dims>(inputs, Dims{0, 3}), {{"reduction", gradient ? 0 : 2}});
}

double EntropyOfLogits(const double* in) {  // scores, truths, weights, weights of what is true
  const double hit = -std::log(Sigmoid(in[0])), miss = -std::log(Sigmoid(-in[0]));
  return in[2] * (in[3] * in[1] * hit + (1 - in[1]) * miss);
}
double EntropySlope(const double* in) {
  return in[2] * ((1 - in[1]) * Sigmoid(in[0]) - in[3] * in[1] * Sigmoid(-in[0]));
}
double PlainEntropyOfLogits(const double* in) {
  const double all[] = {in[0], in[1], 1, 1};
  return EntropyOfLogits(all);
}
double PlainEntropySlope(const double* in) {
  const double all[] = {in[0], in[1], 1, 1};
  return EntropySlope(all);
}

double Divergence(const double* in) {
  return in[1] == 0 ? 0 : in[1] * (std::log(in[1]) - in[0]);
}
double DivergenceOfLogs(const double* in) {
  return std::exp(in[1]) * (in[1] - in[0]);
}
double DivergenceTargetSlope(const double* in) {
  return in[1] == 0 ? 0 : std::log(in[1]) + 1 - in[0];
}

double SoftMargin(const double* in) {
  return std::log1p(std::exp(-in[0] * in[1]));
}
double SoftMarginSlope(const double* in) {
  return -in[1] / (1 + std::exp(in[0] * in[1]));
}

constexpr const char* kSums = "sums of infinities of both signs";

const Table entropies({
    Reductions(Functions("WeightedEntropyOfLogits")
                   .Types(kFloating)
                   .Calls(NN(BinaryCrossEntropyWithLogits), {X(0), X(1), X(2), X(3), V("reduction"), Y(0)})
                   .Range(1, 0, 1)
                   .Within(4)
                   .Without(Part::kSpecial, kSums)
                   .Is(Loss(EntropyOfLogits)),
               4, false)
        .Form({{2, 3, 4}, {2, 3, 4}, {3, 1}, {4}}, {{"reduction", 0}})
        .Form({{2, 3, 4}, {2, 3, 4}, {3, 1}, {4}}, {{"reduction", 1}}),
    Reductions(Functions("EntropyOfLogits")
                   .Types(kFloating)
                   .Calls(NN(BinaryCrossEntropyWithLogits),
                          {X(0), X(1), nullptr, nullptr, V("reduction"), Y(0)})
                   .Range(-30, 30)
                   .Range(1, 0, 1)
                   .Within(8)
                   .Without(Part::kSpecial, kSums)
                   .Is(Loss(PlainEntropyOfLogits)),
               2, false),
    Reductions(Functions("WeightedEntropyOfLogitsGradient")
                   .Types(kFloating)
                   .Calls(NN(BinaryCrossEntropyWithLogitsBackward),
                          {X(0), X(1), X(2), X(3), X(4), V("reduction"), Y(0)})
                   .Range(2, 0, 1)
                   .Within(8)
                   .Without(Part::kSpecial, kSums)
                   .Is(Gradient(EntropySlope)),
               5, true)
        .Form({{2, 3, 4}, {2, 3, 4}, {2, 3, 4}, {3, 1}, {4}}, {{"reduction", 0}}),
    Reductions(Functions("EntropyOfLogitsGradient")
                   .Types(kFloating)
                   .Calls(NN(BinaryCrossEntropyWithLogitsBackward),
                          {X(0), X(1), X(2), nullptr, nullptr, V("reduction"), Y(0)})
                   .Range(2, 0, 1)
                   .Within(8)
                   .Without(Part::kSpecial, kSums)
                   .Is(Gradient(PlainEntropySlope)),
               3, true),
});

const Table divergences({
    Reductions(Functions("KlDiv")
                   .Types(kFloating)
                   .Calls(NN(KlDiv), {X(0), X(1), V("reduction"), false, Y(0)})
                   .Range(1, 0, 1)
                   .Within(8)
                   .Without(Part::kSpecial, kSums)
                   .Is(Loss(Divergence)),
               2, false)
        .Form({{2, 3, 4}, {3, 1}}, {{"reduction", 0}}),
    Reductions(Functions("KlDivOfLogs")
                   .Types(kFloating)
                   .Calls(NN(KlDiv), {X(0), X(1), V("reduction"), true, Y(0)})
                   .Within(8)
                   .Without(Part::kSpecial, kSums)
                   .Is(Loss(DivergenceOfLogs)),
               2, false),
    Reductions(Functions("KlDivGradient")
                   .Types(kFloating)
                   .Calls(NN(KlDivBackward), {X(0), X(1), X(2), V("reduction"), false, Y(0)})
                   .Range(2, 0, 1)
                   .Within(4)
                   .Without(Part::kSpecial, kSums)
                   .Is(Gradient([](const double* in) { return -in[1]; })),
               3, true),
    Reductions(Functions("KlDivGradientOfLogs")
                   .Types(kFloating)
                   .Calls(NN(KlDivBackward), {X(0), X(1), X(2), V("reduction"), true, Y(0)})
                   .Within(4)
                   .Without(Part::kSpecial, kSums)
                   .Is(Gradient([](const double* in) { return -std::exp(in[1]); })),
               3, true),
    Reductions(Functions("KlDivTargetGradient")
                   .Types(kFloating)
                   .Calls(NN(KlDivTargetBackward), {X(0), X(1), X(2), V("reduction"), false, Y(0)})
                   .Range(2, 0, 1)
                   .Within(8)
                   .Without(Part::kSpecial, kSums)
                   .Is(Gradient(DivergenceTargetSlope)),
               3, true),
    Reductions(Functions("KlDivTargetGradientOfLogs")
                   .Types(kFloating)
                   .Calls(NN(KlDivTargetBackward), {X(0), X(1), X(2), V("reduction"), true, Y(0)})
                   .Within(8)
                   .Without(Part::kSpecial, kSums)
                   .Is(Gradient([](const double* in) { return std::exp(in[1]) * (in[1] + 1 - in[0]); })),
               3, true),
});

// Rows of scores, and rows of labels up to the first that is negative.
std::vector<Block> MultilabelMargin(const Given& in) {
  const auto classes = static_cast<std::size_t>(in[0].dims.back());
  Block losses{{}, {}}, marks{in[0].dims, Values(in[0].values.size(), 0)};
  if (in[0].dims.size() == 2) losses.dims = {in[0].dims[0]};
  for (std::size_t first = 0; first < in[0].values.size(); first += classes) {
    std::vector<std::size_t> labels;
    for (std::size_t i = 0; i < classes && in[1].values[first + i] >= 0; ++i)
      labels.push_back(static_cast<std::size_t>(in[1].values[first + i]));
    for (const std::size_t label : labels)
      marks.values[first + label] = 1;
    double loss = 0;
    for (const std::size_t label : labels)
      for (std::size_t c = 0; c < classes; ++c)
        if (marks.values[first + c] == 0)
          loss += std::max(0.0, 1 - in[0].values[first + label] + in[0].values[first + c]);
    losses.values.push_back(loss / static_cast<double>(classes));
  }
  return {in[0].dims.size() == 2 ? OfLosses(losses, in.Number("reduction")) : losses, marks};
}

const Table margins({
    Reductions(Functions("SoftMarginLoss")
                   .Types(kFloating)
                   .Calls(NN(SoftMarginLoss), {X(0), X(1), V("reduction"), Y(0)})
                   .Within(4)
                   .Without(Part::kSpecial, kSums)
                   .Is(Loss(SoftMargin)),
               2, false),
    Reductions(Functions("SoftMarginLossGradient")
                   .Types(kFloating)
                   .Calls(NN(SoftMarginLossBackward), {X(0), X(1), X(2), V("reduction"), Y(0)})
                   .Within(4)
                   .Without(Part::kSpecial, kSums)
                   .Is(Gradient(SoftMarginSlope)),
               3, true),
    Functions("MultilabelMarginLoss")
        .Types(kFloating)
        .Calls(NN(MultilabelMarginLoss), {X(0), X(1), V("reduction"), Y(0), Y(1)})
        .TypeOf(1, ACL_INT64)
        .Whole(1, -1, 4)
        .Gives({kSame, kSame})
        .Form({{6, 5}, {6, 5}}, {{"reduction", 0}})
        .Form({{6, 5}, {6, 5}}, {{"reduction", 1}})
        .Form({{6, 5}, {6, 5}}, {{"reduction", 2}})
        .Form({{5}, {5}}, {{"reduction", 1}})
        .Form({{0, 5}, {0, 5}}, {{"reduction", 2}})
        .Within(4)
        .Without(Part::kSpecial, kSums)
        .Are(MultilabelMargin),
});

}  // namespace
}  // namespace samples
