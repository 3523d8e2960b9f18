// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// What a run is given, held against what the graph takes.
#include <fmt/format.h>

#include "base/graph_codes.h"
#include "device/checked_tasks.h"
#include "session/graph_slot.h"

namespace foothold {

void PlaceForKernels(std::vector<TensorValue>& values, const std::vector<WatchedInput>& watched) {
  for (const WatchedInput& input : watched) {
    TensorValue& value = values[input.index];
    if (value.data() != input.memory.given()) continue;  // a copy of ours
    value = TensorValue(value.type(), SharedBytes(value.shared_data(), input.memory.data()), value.size());
  }
}

void TellReads(const std::vector<WatchedInput>& inputs) {
  if (!check::On()) return;
  std::vector<Access> accesses;
  for (const WatchedInput& input : inputs)
    accesses.push_back({input.memory.given(), input.memory.size(), Use::kRead, Extent::kPartial,
                        input.memory.serial(), MemoryRole::kGraphInput});
  TellTouched(accesses);
}

std::string GraphSlot::InputName(std::size_t index) const {
  return fmt::format("input {} ('{}') of graph {}", index, normal_->graph->inputs[index]->name(), origin_.id);
}

std::string GraphSlot::OutputName(std::size_t index) const {
  return fmt::format("output {} of graph {}", index, origin_.id);
}

std::vector<TensorValue> GraphSlot::Resolve(std::vector<RunInput> inputs,
                                            std::vector<WatchedInput>* watched) const {
  const std::vector<Node*>& data = normal_->graph->inputs;
  if (inputs.size() != data.size())
    Fail(kGeFailed, "graph {} has {} inputs, but {} tensors were given", origin_.id, data.size(),
         inputs.size());
  std::vector<TensorValue> values;
  values.reserve(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    TensorValue& value = values.emplace_back(std::move(inputs[i].value));
    if (!inputs[i].has_type) {
      const TensorType& declared = data[i]->outputs()[0].desc;
      value.set_type({declared.type, declared.format, shapes_->dims(i)});
    }
    CheckSize(i, inputs[i].exact, value);
    if (!inputs[i].on_device) continue;
    const RunMemory memory(value.data(), value.size(), foothold::Use::kRead, RunMemory::Kind::kAny, kGeFailed,
                           [&] { return InputName(i); });
    TellPort(value.data());
    if (watched != nullptr) watched->push_back({i, memory});
  }
  shapes_->Check(values);
  return values;
}

void GraphSlot::CheckSize(std::size_t index, bool exact, TensorValue& value) const {
  const TensorType& type = value.type();
  if (!IsStatic(type.dims))
    Fail(kGeFailed, "{} needs a known shape, not {}", InputName(index), ToString(type.dims));
  const std::size_t needed = ByteSize(type), found = value.size();
  if (exact ? found != needed : found < needed)
    Fail(kGeFailed, "{} is {}, which takes {} bytes; {} were given", InputName(index), ToString(type), needed,
         found);
  if (needed > 0 && value.data() == nullptr)
    Fail(kGeFailed, "{} is {}, which takes {} bytes; its address is null", InputName(index), ToString(type),
         needed);
  if (found != needed) value = TensorValue(value.type(), value.shared_data(), needed);
}

void GraphSlot::CheckAlive(const std::vector<WatchedInput>& watched) const {
  for (const WatchedInput& input : watched)
    input.memory.CheckAlive([&] { return InputName(input.index); });
}

}  // namespace foothold
