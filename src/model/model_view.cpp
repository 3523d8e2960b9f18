// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/model_view.h"

#include <fmt/format.h>

#include <algorithm>

namespace foothold {
namespace {

constexpr std::size_t kLongestName = 127;

std::size_t BytesOrNothing(const TensorType& type) {
  return IsStatic(type.dims) ? ByteSize(type) : 0;
}

}  // namespace

ModelView::ModelView(ModelDescription description, std::optional<std::uint32_t> id)
    : description_(std::move(description)), id_(id) {
  const ModelGears& gears = description_.gears;
  for (std::size_t i = 0; i < description_.inputs.size(); ++i)
    inputs_.push_back(MakePort(description_.inputs[i], "input", i, gears.inputs, true));
  for (std::size_t i = 0; i < description_.outputs.size(); ++i)
    outputs_.push_back(MakePort(description_.outputs[i], "output", i, gears.outputs, false));
  if (gears.kind != ModelGears::Kind::kNone) AddGearInput();
}

ModelView::Port ModelView::MakePort(const ModelPort& port, const char* kind, std::size_t index,
                                    const std::vector<std::vector<Dims>>& gears, bool open) {
  Port made{port.name, port.name, port.type, port.type.dims, 0, port.ranges};
  if (port.name.size() > kLongestName)
    made.name = fmt::format("acl_modelId_{}_{}_{}", id_.value_or(0), kind, index);
  TensorType largest = port.type;
  for (const std::vector<Dims>& gear : gears) {
    largest.dims = gear[index];
    made.bytes = std::max(made.bytes, BytesOrNothing(largest));
  }
  if (gears.empty()) made.bytes = BytesOrNothing(port.type);
  if (!open && !gears.empty()) made.type.dims = gears[description_.gears.Largest()][index];
  if (port.IsAipp(PortAipp::Kind::kStatic)) made.type.dims = port.aipp->picture;
  if (port.IsAipp(PortAipp::Kind::kDynamic)) {
    made.type.dims = made.memory_dims = port.aipp->picture;
    made.bytes = BytesOrNothing(made.type);
  }
  return made;
}

void ModelView::AddGearInput() {
  const auto numbers = static_cast<std::int64_t>(description_.gears.values.at(0).size());
  const TensorType type{DataType::kInt64, Format::kNd, {numbers}};
  inputs_.push_back({kGearInput, kGearInput, type, type.dims, ByteSize(type), {}});
}

Dims ModelView::OutputDims(std::size_t index, std::size_t gear) const {
  const ModelGears& gears = description_.gears;
  return gears.kind == ModelGears::Kind::kNone ? outputs_.at(index).type.dims
                                               : gears.outputs.at(gear).at(index);
}

const char* ModelView::Keep(std::string text) {
  return kept_.emplace(text, text).first->second.c_str();
}

Dims GearContent(const ModelDescription& description, std::size_t gear) {
  const ModelGears& gears = description.gears;
  if (gears.kind != ModelGears::Kind::kDims) return gears.values.at(gear);
  Dims all;
  for (const Dims& dims : gears.inputs.at(gear))
    all.insert(all.end(), dims.begin(), dims.end());
  return all;
}

}  // namespace foothold
