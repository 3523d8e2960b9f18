// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One run of a graph, however the program asks for it: now (RunGraph), on the graph's thread
// (async_run.h), or where only the run tells the sizes of outputs on a stream (stream_runs.cpp). It finds the
// compiled form, says how inputs are held, where outputs go and whom values are told to; it repeats the graph
// as often as that wants, shows each time to who watches, and counts what it has on the device. Runs on
// streams between memory of the program are launches, which do the same by launch/bound_run.h.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "launch/bound_run.h"
#include "session/graph_inputs.h"
#include "session/value_callbacks.h"

namespace foothold {

class GraphSlot;

// Where the outputs the caller gets go, one after the other.
class RunOutputs {
 public:
  // Room for one of a size known before the run, until that is over.
  virtual std::byte* Place(const TensorType& type) = 0;
  // One of a size only the run told.
  virtual void Take(TensorValue value) = 0;

 protected:
  ~RunOutputs() = default;
};

// How a run holds its inputs.
class RunInputs {
 public:
  // They stay where they are until the run is over.
  void Lend(std::span<const RunInput> inputs) {
    const std::byte** next = Begin(inputs.size());
    for (const RunInput& input : inputs)
      *next++ = input.data;
  }
  // As long as this: small ones and those nobody keeps are copied.
  void Hold(std::span<const RunInput> inputs);
  // The same of values that are held otherwise.
  void Lend(std::span<const TensorValue> values);
  std::span<const std::byte* const> addresses() const {
    return count_ <= kMostInPlace ? std::span<const std::byte* const>(in_place_.data(), count_) : elsewhere_;
  }
  // Lets go of what is the program's.
  void Drop() noexcept { held_.clear(); }

 private:
  static constexpr std::size_t kMostInPlace = 8;
  static constexpr std::size_t kSmallBytes = 256;  // of all that are copied into place

  // Room for the addresses of so many.
  const std::byte** Begin(std::size_t count) {
    count_ = count;
    used_ = 0;
    if (count <= kMostInPlace) return in_place_.data();
    elsewhere_.resize(count);
    return elsewhere_.data();
  }
  const std::byte* Kept(const RunInput& input);

  std::size_t count_ = 0, used_ = 0;
  std::vector<SharedBytes> held_;  // memory of large ones
  std::vector<const std::byte*> elsewhere_;
  std::array<const std::byte*, kMostInPlace> in_place_;
  alignas(kTensorAlignment) std::array<std::byte, kSmallBytes> room_;
};

class GraphRun {
 public:
  // Finds the form for these inputs, which is compiled if need be. After GraphSlot::Enter; throws what is
  // wrong with the inputs, and what compiling says. Used again, it is quick if the form is the last one's.
  void Begin(GraphSlot& graph, std::span<const RunInput> inputs);
  // The same for a form and inputs that were found already.
  void Begin(GraphSlot& graph, std::shared_ptr<PreparedProgram> form, std::vector<TensorValue> inputs,
             std::vector<WatchedInput> watched);
  // Where the graph has values for them (GraphContents::delivers).
  void TellsTo(std::shared_ptr<const ValueCallbacks> callbacks) { callbacks_ = std::move(callbacks); }
  // After Begin, until the run is over: the caller keeps the inputs, or the run does.
  void Lend(std::span<const RunInput> given, RunInputs& inputs) {
    values_.empty() ? inputs.Lend(given) : LendValues(inputs);
  }
  void Hold(std::span<const RunInput> given, RunInputs& inputs);

  // Runs, and calls Summary and Save. On a stream, inputs and outputs are on the device, and `on_stream` says
  // what of it is watched beside the dumps of the graph.
  void Into(RunOutputs& outputs, const RunInputs& inputs, const RunScope* on_stream = nullptr) const;

  GraphSlot& graph() const { return *graph_; }
  PreparedProgram& form() const { return *form_; }
  // Inputs on the device.
  const std::vector<WatchedInput>& watched() const { return watched_; }
  // Throws 507013 if one of them was freed.
  void CheckAlive() const;
  // Lets go of what is the program's. The form stays: the next run is likely to be of the same.
  void Rest() noexcept;

 private:
  void LendValues(RunInputs& inputs);
  void RunProgram(RunOutputs& outputs, const RunInputs& inputs, const RunScope* on_stream) const;
  void RunStages(RunOutputs& outputs, const RunScope* on_stream) const;
  template <typename Body>
  void Repeat(const RunScope* on_stream, const Body& run) const;

  std::shared_ptr<PreparedProgram> form_;
  GraphSlot* graph_ = nullptr;
  std::shared_ptr<const ValueCallbacks> callbacks_;
  std::vector<TensorValue> values_;  // none where the inputs were just what a form takes
  std::vector<WatchedInput> watched_;
};

// Hands the values behind those of the caller to Summary and Save, which are functions of the program.
void Deliver(const GraphSlot& graph, const ValueCallbacks& callbacks, std::span<TensorValue> values);

}  // namespace foothold
