// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/graph_run.h"

#include <cstring>
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
                    const std::vector<WatchedInput>& there) {
  constexpr std::size_t kWorthCounting = 64 * 1024;
  const std::size_t bytes = form.io_bytes();
  return bytes < kWorthCounting ? DeviceCharge()
                                : DeviceCharge(graph.device(), bytes - BytesOf(there), "RunGraph");
}

}  // namespace

void RunInputs::Lend(std::span<const TensorValue> values) {
  const std::byte** next = Begin(values.size());
  for (const TensorValue& value : values)
    *next++ = value.data();
}

void RunInputs::Hold(std::span<const RunInput> inputs) {
  const std::byte** next = Begin(inputs.size());
  for (const RunInput& input : inputs)
    *next++ = Kept(input);
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

void GraphRun::Begin(GraphSlot& graph, std::span<const RunInput> inputs) {
  graph_ = &graph;
  if (graph.forms().Find(inputs, form_) && form_->is_static()) return;
  values_ = ResolveInputs(graph, inputs, watched_);
  form_ = graph.forms().For(graph, values_);
}

void GraphRun::Begin(GraphSlot& graph, std::shared_ptr<PreparedProgram> form, std::vector<TensorValue> inputs,
                     std::vector<WatchedInput> watched) {
  graph_ = &graph;
  form_ = std::move(form);
  values_ = std::move(inputs);
  watched_ = std::move(watched);
}

void GraphRun::LendValues(RunInputs& inputs) {
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

template <typename Body>
void GraphRun::Repeat(const RunScope* on_stream, const Body& run) const {
  const std::shared_ptr<ModelDump>& dump = graph_->contents().dump;
  std::int64_t left = graph_->Iterations();
  if (!dump && on_stream == nullptr) {
    for (; left > 0; --left)
      run();
    return;
  }
  RunScope scope = on_stream != nullptr ? *on_stream : RunScope();
  scope.dump = dump;
  scope.device = graph_->device();
  for (; left > 0; --left) {
    const WatchedRun watched(scope, *form_);
    run();
  }
}

void GraphRun::Into(RunOutputs& outputs, const RunInputs& inputs, const RunScope* on_stream) const {
  const InsideGraph inside(*graph_);
  const DeviceCharge copies = on_stream != nullptr ? DeviceCharge() : Charge(*graph_, *form_, watched_);
  form_->is_static() ? RunProgram(outputs, inputs, on_stream) : RunStages(outputs, on_stream);
}

void GraphRun::RunProgram(RunOutputs& outputs, const RunInputs& inputs, const RunScope* on_stream) const {
  const std::vector<TensorType>& types = form_->program().outputs;
  const std::size_t callers = graph_->contents().normal->caller_outputs;
  std::array<std::byte*, 16> few;  // the list of most graphs fits
  std::vector<std::byte*> many(types.size() <= few.size() ? 0 : types.size());
  std::byte** const places = many.empty() ? few.data() : many.data();
  std::vector<TensorValue> delivered;
  for (std::size_t i = 0; i < types.size(); ++i)
    places[i] = i < callers ? outputs.Place(types[i]) : delivered.emplace_back(types[i]).mutable_data();
  Repeat(on_stream, [&] { form_->Run(graph_->device(), inputs.addresses(), {places, types.size()}); });
  if (!delivered.empty()) Deliver(*graph_, *callbacks_, delivered);
}

void GraphRun::RunStages(RunOutputs& outputs, const RunScope* on_stream) const {
  std::vector<TensorValue> values;
  Repeat(on_stream, [&] { values = form_->Run(graph_->device(), values_); });
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
