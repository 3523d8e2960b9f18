// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/recurrent.h"

#include "aclnn/maps/element.h"
#include "aclnn/maps/given.h"
#include "aclnn/maps/parts.h"

namespace foothold::aclnn {

Recurrent::Recurrent(Call& call, std::int64_t gates, const char* both_ways, const char* sizes)
    : layers(call.GetInt("numLayers")),
      directions(call.GetFlag(both_ways) ? 2 : 1),
      call_(call),
      has_bias_(call.GetFlag("hasBias")),
      batch_first_(call.GetFlag("batchFirst")),
      packed_(IsGiven(call, sizes)) {
  const Dims input = call.DimsOfArgument("input");
  type = TypeIn(Domain::kFloat, call.TypeOfArgument("input"));
  const std::size_t parameters = static_cast<std::size_t>(layers * directions) * (has_bias_ ? 4 : 2);
  if (layers < 1 || call.ListSize("params") != parameters)
    call.Refuse("'params' has {} members; {} layers in {} directions have {}", call.ListSize("params"),
                layers, directions, parameters);
  const Dims weights = call.View("params", 1).dims.ToDims();
  if (weights.size() != 2 || weights[0] != gates * weights[1])
    call.Refuse("member 1 of 'params' is {}; {} rows for each column are expected",
                foothold::ToString(weights), gates);
  size = weights[1];
  if (packed_) {
    steps = ElementCount(call.DimsOfArgument(sizes));
    if (input.size() < 2 || steps < 1 || input[0] % steps != 0)
      call.Refuse("'input' is {}; {} steps of as many rows are expected", ToString(call.View("input")),
                  steps);
    batch = input.size() == 3 ? input[1] : input[0] / steps;
  } else {
    if (input.size() != 3)
      call.Refuse("'input' is {}; three dimensions are expected", ToString(call.View("input")));
    steps = input[batch_first_ ? 1 : 0];
    batch = input[batch_first_ ? 0 : 1];
  }
}

Term Recurrent::Sequence(const char* name) {
  const Value given = call_.To(call_.In(name), type);
  const Dims dims = DimsOf(given);
  if (dims.size() < 2 || (!packed_ && dims.size() != 3))
    call_.Refuse("'{}' is {}; steps of a batch are expected", name, ToString(call_.View(name)));
  if (!packed_ && batch_first_) return {call_, call_.Transpose(given, {1, 0, 2})};
  return {call_, call_.Reshape(given, {steps, batch, dims.back()})};
}

void Recurrent::OutSequence(const char* name, const Term& value) {
  if (!call_.Has(name)) return;
  call_.OutElements(name, !packed_ && batch_first_ ? call_.Transpose(value, {1, 0, 2}) : Value(value));
}

Term Recurrent::Weight(std::size_t number, std::size_t which) {
  return {call_, Member("params", PlaceOf(number, which))};
}

std::optional<Term> Recurrent::Bias(std::size_t number, std::size_t which) {
  if (!has_bias_) return std::nullopt;
  return Weight(number, 2 + which);
}

Value Recurrent::State(Value states, std::size_t number) {
  const Value all = call_.Reshape(states, {layers * directions, batch, size});
  return call_.Reshape(Part(call_, all, 0, static_cast<std::int64_t>(number), 1), {batch, size});
}

Value Recurrent::Member(const char* list, std::size_t number) {
  return call_.To(call_.In(list, number), type);
}

Term Recurrent::InputOf(std::int64_t layer) {
  if (layer == 0) return Sequence("input");
  std::vector<Value> below;
  for (std::int64_t way = 0; way < directions; ++way)
    below.push_back(Member("h", static_cast<std::size_t>((layer - 1) * directions + way)));
  return {call_, below.size() == 1 ? below[0] : Joined(call_, below, 2)};
}

Value Recurrent::Active() {
  const char* name = HasParameter(call_, "batchSizes") ? "batchSizes" : "batchSizesOptional";
  return packed_ ? call_.To(call_.In(name), DataType::kInt64) : Value();
}

Term Recurrent::Rows(const Term& x, const Term& weights, bool transposed) {
  const Dims dims = x.dims();
  const Value flat = call_.Reshape(x, {steps * batch, dims.back()});
  const Value product = call_.Op("BatchMatMulV2", {flat, weights}).Set("adj_x2", !transposed);
  return {call_, call_.Reshape(product, {steps, batch, DimsOf(product)[1]})};
}

Term Recurrent::Weights(const Term& gradients, const Term& x) {
  const auto flat = [&](const Term& value) {
    return call_.Reshape(value, {steps * batch, value.dims().back()});
  };
  return {call_, call_.Op("BatchMatMulV2", {flat(gradients), flat(x)}).Set("adj_x1", true)};
}

Term Recurrent::Before(Value states, Value first, bool reverse) {
  const Value one = call_.Reshape(first, {1, batch, size});
  if (steps == 1) return {call_, one};
  const Value others = Part(call_, states, 0, reverse ? 1 : 0, steps - 1);
  return {call_, reverse ? Joined(call_, {others, one}, 0) : Joined(call_, {one, others}, 0)};
}

}  // namespace foothold::aclnn
