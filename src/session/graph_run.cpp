// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/graph_run.h"

#include <cstring>
#include <memory_resource>
#include <string>
#include <utility>

#include "base/graph_codes.h"
#include "base/held_locks.h"
#include "launch/watched_run.h"
#include "session/graph_slot.h"

namespace foothold {
namespace {

std::size_t BytesOf(const std::vector<WatchedInput>& inputs) {
  std::size_t bytes = 0;
  for (const WatchedInput& input : inputs)
    bytes += input.memory.size();
  return bytes;
}

// Host inputs whose memory nobody keeps alive are copied: the program may reuse it when the call has
// returned.
void OwnMemory(std::vector<TensorValue>& inputs) {
  for (TensorValue& input : inputs)
    if (input.shared_data().use_count() == 0 && input.size() > 0) input = input.Clone();
}

// What a run between host tensors has on the device besides; small tensors are not worth counting.
DeviceCharge Charge(const GraphSlot& graph, const PreparedProgram& form,
                    const std::vector<WatchedInput>& there, GraphRun::Between memory) {
  constexpr std::size_t kWorthCounting = 64 * 1024;
  const std::size_t bytes = form.io_bytes();
  if (bytes < kWorthCounting || memory == GraphRun::Between::kDevice) return {};
  return DeviceCharge(graph.device(), bytes - BytesOf(there), "RunGraph");
}

}  // namespace

void RunInputs::Begin(std::size_t count) {
  count_ = used_ = 0;
  elsewhere_.clear();
  if (count > kMostInPlace) elsewhere_.reserve(count);
}

void RunInputs::Add(const std::byte* address) {
  if (elsewhere_.capacity() > 0) elsewhere_.push_back(address);
  if (count_ < kMostInPlace) in_place_[count_] = address;
  ++count_;
}

void RunInputs::Lend(std::span<const RunInput> inputs) {
  Begin(inputs.size());
  for (const RunInput& input : inputs)
    Add(input.data);
}

void RunInputs::Lend(std::span<const TensorValue> values) {
  Begin(values.size());
  for (const TensorValue& value : values)
    Add(value.data());
}

void RunInputs::Hold(std::span<const RunInput> inputs) {
  Begin(inputs.size());
  for (const RunInput& input : inputs)
    Add(Kept(input));
}

const std::byte* RunInputs::Kept(const RunInput& input) {
  if (input.bytes <= kSmallBytes - used_) {
    std::byte* const place = room_.data() + used_;
    if (input.bytes > 0) std::memcpy(place, input.data, input.bytes);
    used_ += (input.bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
    return place;
  }
  if (input.owner != nullptr && *input.owner) {
    held_.push_back(*input.owner);
    return input.data;
  }
  std::byte* const copy = held_.emplace_back(AllocateBytes(input.bytes)).get();
  std::memcpy(copy, input.data, input.bytes);
  return copy;
}

void GraphRun::Begin(GraphSlot& graph, std::shared_ptr<const ValueCallbacks> callbacks,
                     std::span<const RunInput> inputs) {
  graph_ = &graph;
  callbacks_ = std::move(callbacks);
  if (graph.forms().Find(inputs, form_) && form_->is_static()) return;
  values_ = ResolveInputs(graph, inputs, watched_);
  form_ = graph.forms().For(graph, values_);
}

void GraphRun::Begin(GraphSlot& graph, std::shared_ptr<const ValueCallbacks> callbacks,
                     std::shared_ptr<PreparedProgram> form, std::vector<TensorValue> inputs,
                     std::vector<WatchedInput> watched) {
  graph_ = &graph;
  callbacks_ = std::move(callbacks);
  form_ = std::move(form);
  values_ = std::move(inputs);
  watched_ = std::move(watched);
}

void GraphRun::Lend(std::span<const RunInput> given, RunInputs& inputs) {
  if (values_.empty()) return inputs.Lend(given);
  TellReads(watched_);
  PlaceForKernels(values_, watched_);
  inputs.Lend(values_);
}

void GraphRun::Hold(std::span<const RunInput> given, RunInputs& inputs) {
  if (values_.empty()) return inputs.Hold(given);
  OwnMemory(values_);
  PlaceForKernels(values_, watched_);
  inputs.Lend(values_);
}

void GraphRun::CheckAlive() const {
  for (const WatchedInput& input : watched_)
    input.memory.CheckAlive([&] { return graph_->InputName(input.index); });
}

void GraphRun::Rest() noexcept {
  callbacks_.reset();
  values_.clear();
  watched_.clear();
}

void GraphRun::Into(RunOutputs& outputs, const RunInputs& inputs, RunScope scope, Between memory) const {
  const InsideGraph inside(*graph_);
  scope.dump = graph_->contents().dump;
  scope.device = graph_->device();
  form_->is_static() ? RunProgram(outputs, inputs, scope, memory) : RunStages(outputs, scope, memory);
}

void GraphRun::RunProgram(RunOutputs& outputs, const RunInputs& inputs, const RunScope& scope,
                          Between memory) const {
  const std::vector<TensorType>& types = form_->program().outputs;
  const std::size_t callers = graph_->contents().normal->caller_outputs;
  std::array<std::byte, 256> room;  // the list of most graphs fits
  std::pmr::monotonic_buffer_resource list_memory(room.data(), room.size());
  std::pmr::vector<std::byte*> places(&list_memory);
  places.reserve(types.size());
  std::vector<TensorValue> delivered;
  for (std::size_t i = 0; i < types.size(); ++i)
    places.push_back(i < callers ? outputs.Place(types[i]) : delivered.emplace_back(types[i]).mutable_data());
  const DeviceCharge copies = Charge(*graph_, *form_, watched_, memory);
  for (std::int64_t left = graph_->Iterations(); left > 0; --left) {
    const WatchedRun watched(scope, *form_);
    form_->Run(scope.device, inputs.addresses(), places);
  }
  if (!delivered.empty()) Deliver(*graph_, *callbacks_, delivered);
}

void GraphRun::RunStages(RunOutputs& outputs, const RunScope& scope, Between memory) const {
  std::vector<TensorValue> values;
  const DeviceCharge copies = Charge(*graph_, *form_, watched_, memory);
  for (std::int64_t left = graph_->Iterations(); left > 0; --left) {
    const WatchedRun watched(scope, *form_);
    values = form_->Run(scope.device, values_);
  }
  const std::span<TensorValue> all(values);
  const std::size_t callers = graph_->contents().normal->caller_outputs;
  if (all.size() > callers) Deliver(*graph_, *callbacks_, all.subspan(callers));
  for (TensorValue& value : all.first(callers))
    outputs.Take(std::move(value));
}

void Deliver(const GraphSlot& graph, const ValueCallbacks& callbacks, std::span<TensorValue> values) {
  const InsideGraph inside(graph);
  std::size_t next = 0;
  const auto deliver = [&](const char* key, const std::vector<std::string>& names) {
    if (names.empty()) return;
    NamedValues named;
    for (const std::string& name : names)
      named.insert_or_assign(name, std::move(values[next++]));
    EnterProgram("a Summary or Save callback");
    const std::uint32_t answer = callbacks.at(key)(graph.id(), std::move(named));
    if (answer != 0) Fail(kGeFailed, "the callback \"{}\" answered {} for graph {}", key, answer, graph.id());
  };
  deliver("Summary", graph.contents().normal->summaries);
  deliver("Save", graph.contents().normal->saves);
}

}  // namespace foothold
