// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What recurrent networks of several layers and directions share: parameters, states, products. One thread at
// a time.
#pragma once

#include <optional>

#include "aclnn/maps/formula.h"

namespace foothold::aclnn {

class Recurrent {
 public:
  // `gates` rows of weights for each element of the state; the flags have other names in other functions.
  Recurrent(Call& call, std::int64_t gates, const char* both_ways, const char* sizes);

  std::int64_t layers, directions, steps, batch, size;
  DataType type;

  std::size_t count() const { return static_cast<std::size_t>(layers * directions); }
  bool Reverses(std::size_t number) const { return directions == 2 && number % 2 == 1; }
  Dims States() const { return {steps, batch, size}; }

  // [steps, batch, ...], whatever stands first in the call.
  Term Sequence(const char* name);
  void OutSequence(const char* name, const Term& value);
  // Of a list of parameters: of the input, of the state, and their biases.
  Term Weight(std::size_t number, std::size_t which);
  std::optional<Term> Bias(std::size_t number, std::size_t which);
  std::size_t PlaceOf(std::size_t number, std::size_t which) const {
    return number * (has_bias_ ? 4 : 2) + which;
  }
  bool has_bias() const { return has_bias_; }
  // One state of a tensor of all.
  Value State(Value states, std::size_t number);
  Value Member(const char* list, std::size_t number);
  // What a layer got: the input, or the states of the layer below.
  Term InputOf(std::int64_t layer);
  Value Active();  // no value: all rows take part in all steps
  // x [..., inner] with rows of weights [n, inner], or the same the other way round.
  Term Rows(const Term& x, const Term& weights, bool transposed);
  // [..., n] and [..., m] become [n, m]: sums over all that stands in front.
  Term Weights(const Term& gradients, const Term& x);
  // What stood before each step.
  Term Before(Value states, Value first, bool reverse);

 private:
  Call& call_;
  bool has_bias_, batch_first_, packed_;
};

}  // namespace foothold::aclnn
