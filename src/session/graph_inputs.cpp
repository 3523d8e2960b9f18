// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/graph_inputs.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/graph_codes.h"
#include "device/observer.h"
#include "session/graph_slot.h"

namespace foothold {
namespace {

bool Fits(const TensorType& type, std::size_t bytes) {
  return IsStatic(type.dims) && ByteSize(type) == bytes;
}

// Nothing where the graph's own description counts.
std::optional<TensorType> TypeSaid(const RunInput& input) {
  if (input.type == DataType::kUndefined) return std::nullopt;
  TensorType type{input.type, input.format, {input.dims.begin(), input.dims.end()}};
  if (input.trusted) {
    TensorType other{input.type, input.other_format, {input.other_dims.begin(), input.other_dims.end()}};
    return !Fits(type, input.bytes) && Fits(other, input.bytes) ? other : type;
  }
  const bool described = IsStatic(type.dims) && (!type.dims.empty() || ByteSize(type) == input.bytes);
  return described ? std::optional(std::move(type)) : std::nullopt;
}

// Device memory stays the program's and is not copied: a pointer that owns nothing but counts as owned.
SharedBytes BytesOf(const RunInput& input) {
  auto* const data = const_cast<std::byte*>(input.data);
  if (input.owner != nullptr) return *input.owner;
  return input.on_device ? SharedBytes(data, [](std::byte*) {}) : SharedBytes(SharedBytes(), data);
}

// Cuts off what the tensor does not need.
void CheckSize(const GraphSlot& graph, std::size_t index, bool exact, TensorValue& value) {
  const TensorType& type = value.type();
  if (!IsStatic(type.dims))
    Fail(kGeFailed, "{} needs a known shape, not {}", graph.InputName(index), ToString(type.dims));
  const std::size_t needed = ByteSize(type), found = value.size();
  if (exact ? found != needed : found < needed)
    Fail(kGeFailed, "{} is {}, which takes {} bytes; {} were given", graph.InputName(index), ToString(type),
         needed, found);
  if (needed > 0 && value.data() == nullptr)
    Fail(kGeFailed, "{} is {}, which takes {} bytes; its address is null", graph.InputName(index),
         ToString(type), needed);
  if (found != needed) value = TensorValue(value.type(), value.shared_data(), needed);
}

}  // namespace

void PlaceForKernels(std::vector<TensorValue>& values, const std::vector<WatchedInput>& watched) {
  for (const WatchedInput& input : watched) {
    TensorValue& value = values[input.index];
    if (value.data() != input.memory.given()) continue;  // a copy of ours
    value = TensorValue(value.type(), SharedBytes(value.shared_data(), input.memory.data()), value.size());
  }
}

void TellReads(const std::vector<WatchedInput>& inputs) {
  DeviceObserver* const observer = Observer();
  if (observer == nullptr) return;
  std::vector<Access> accesses;
  for (const WatchedInput& input : inputs)
    accesses.push_back({input.memory.given(), input.memory.size(), Use::kRead, Extent::kPartial,
                        input.memory.serial(), MemoryRole::kGraphInput});
  observer->OnTouched(accesses);
}

std::vector<TensorValue> ResolveInputs(const GraphSlot& graph, std::span<const RunInput> inputs,
                                       std::vector<WatchedInput>& watched) {
  const GraphContents& contents = graph.contents();
  const std::vector<Node*>& data = contents.normal->graph->inputs;
  if (inputs.size() != data.size())
    Fail(kGeFailed, "graph {} has {} inputs, but {} tensors were given", graph.id(), data.size(),
         inputs.size());
  std::vector<TensorValue> values;
  values.reserve(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::optional<TensorType> type = TypeSaid(inputs[i]);
    const bool exact = type && !inputs[i].may_be_larger;
    if (!type) {
      const TensorType& declared = data[i]->outputs()[0].desc;
      type.emplace(TensorType{declared.type, declared.format, contents.shapes->dims(i)});
    }
    TensorValue& value = values.emplace_back(std::move(*type), BytesOf(inputs[i]), inputs[i].bytes);
    CheckSize(graph, i, exact, value);
    if (!inputs[i].on_device) continue;
    const RunMemory memory(value.data(), value.size(), Use::kRead, RunMemory::Kind::kAny, kGeFailed,
                           [&] { return graph.InputName(i); });
    if (auto* const observer = Observer()) observer->OnPortGiven(value.data());
    watched.push_back({i, memory});
  }
  contents.shapes->Check(values);
  return values;
}

}  // namespace foothold
