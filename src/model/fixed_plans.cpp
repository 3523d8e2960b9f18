// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/fixed_plans.h"

#include <algorithm>
#include <cstring>

namespace foothold {
namespace {

std::size_t RoundUp(std::size_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

}  // namespace

std::vector<std::vector<TensorType>> FixedInputTypes(const ModelDescription& description) {
  std::vector<TensorType> types;
  for (const ModelPort& port : description.inputs)
    types.push_back(port.type);
  if (!description.FixedSizes()) return {};
  if (description.gears.kind == ModelGears::Kind::kNone) return {types};
  std::vector<std::vector<TensorType>> all;
  for (const std::vector<Dims>& gear : description.gears.inputs) {
    for (std::size_t i = 0; i < types.size(); ++i)
      types[i].dims = gear[i];
    all.push_back(types);
  }
  return all;
}

FixedPlans::FixedPlans(const OfflineModel& model) {
  for (const std::vector<TensorType>& types : FixedInputTypes(model.description())) {
    const Program& program = *plans_.emplace_back(model.Prepare(types))->program;
    sizes_.work = std::max(sizes_.work, program.arena_bytes);
    for (const TensorValue& constant : program.constants)
      if (offsets_.emplace(Constant(constant.data(), constant.size()), sizes_.weights).second)
        sizes_.weights += RoundUp(constant.size());
  }
}

std::vector<std::vector<const std::byte*>> FixedPlans::PlaceConstants(std::byte* block) const {
  // Loads that share weights may run while another one begins: what is there already is left alone.
  for (const auto& [constant, offset] : offsets_) {
    const auto [data, size] = constant;
    if (size > 0 && std::memcmp(block + offset, data, size) != 0) std::memcpy(block + offset, data, size);
  }
  std::vector<std::vector<const std::byte*>> places;
  for (const auto& plan : plans_) {
    std::vector<const std::byte*>& of_plan = places.emplace_back();
    for (const TensorValue& constant : plan->program->constants)
      of_plan.push_back(block + offsets_.at(Constant(constant.data(), constant.size())));
  }
  return places;
}

}  // namespace foothold
