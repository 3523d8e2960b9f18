// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The model of noise in plain loops.
#include <cmath>

#include "llama/model.h"

namespace llama {
namespace {

using Row = std::vector<double>;

constexpr double kEpsilon = 1e-5;

Row Times(const Weight& weight, const Row& x) {
  Row out(static_cast<std::size_t>(weight.columns), 0.0);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      out[i] += weight.values[i * x.size() + j] * x[j];
  return out;
}

Row Normed(const Row& x, const Weight& gamma) {
  double sum = 0;
  for (const double value : x)
    sum += value * value;
  Row out = x;
  for (std::size_t i = 0; i < x.size(); ++i)
    out[i] *= gamma.values[i] / std::sqrt(sum / static_cast<double>(x.size()) + kEpsilon);
  return out;
}

// Pairs half a head apart.
void Turn(Row& x, std::size_t position) {
  constexpr std::size_t kDepth = Model::kDepth, kPairs = kDepth / 2;
  for (std::size_t i = 0; i < x.size() / 2; ++i) {
    const std::size_t first = i / kPairs * kDepth + i % kPairs;
    const double angle = static_cast<double>(position) *
                         std::pow(10000.0, -2.0 * static_cast<double>(i % kPairs) / double{kDepth});
    const double a = x[first], b = x[first + kPairs];
    x[first] = a * std::cos(angle) - b * std::sin(angle);
    x[first + kPairs] = b * std::cos(angle) + a * std::sin(angle);
  }
}

void Add(Row& to, const Row& x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    to[i] += x[i];
}

Row Gated(const Row& x) {
  Row out(x.size() / 2);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = x[i] / (1 + std::exp(-x[i])) * x[out.size() + i];
  return out;
}

}  // namespace

Row Reference::Attend(const Row& query) const {
  constexpr std::size_t kDepth = Model::kDepth;
  Row out(query.size(), 0.0);
  for (std::size_t head = 0; head < Model::kHeads; ++head) {
    const std::size_t from = head / (Model::kHeads / Model::kKvHeads) * kDepth;
    Row weights(keys_.size());
    double sum = 0;
    for (std::size_t t = 0; t < keys_.size(); ++t) {
      for (std::size_t d = 0; d < kDepth; ++d)
        weights[t] += query[head * kDepth + d] * keys_[t][from + d];
      sum += weights[t] = std::exp(weights[t] / std::sqrt(double{kDepth}));
    }
    for (std::size_t t = 0; t < keys_.size(); ++t)
      for (std::size_t d = 0; d < kDepth; ++d)
        out[head * kDepth + d] += weights[t] / sum * values_[t][from + d];
  }
  return out;
}

Row Reference::Step(std::int32_t token) {
  const auto first = static_cast<std::ptrdiff_t>(token * Model::kWidth);
  Row x(model_.embedding.values.begin() + first, model_.embedding.values.begin() + first + Model::kWidth);
  const Row normed = Normed(x, model_.norm);
  Row query = Times(model_.query, normed), key = Times(model_.key, normed);
  const std::size_t position = keys_.size();
  Turn(query, position);
  Turn(key, position);
  keys_.push_back(key);
  values_.push_back(Times(model_.value, normed));
  Add(x, Times(model_.joined, Attend(query)));
  Add(x, Times(model_.down, Gated(Times(model_.gate_up, Normed(x, model_.inner_norm)))));
  return Times(model_.head, Normed(x, model_.last_norm));
}

Row Reference::Next(const std::vector<std::int32_t>& tokens) {
  Row last;
  for (const std::int32_t token : tokens)
    last = Step(token);
  return last;
}

}  // namespace llama
