// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "program/execution.h"

#include <fmt/format.h>

#include "base/error.h"
#include "program/node_failure.h"
#include "program/run_observer.h"

namespace foothold {

Execution::Execution(std::shared_ptr<const Program> program) : program_(std::move(program)) {
  for (const Step& step : program_->steps) {
    argument_values_.insert(argument_values_.end(), step.inputs.begin(), step.inputs.end());
    argument_values_.insert(argument_values_.end(), step.outputs.begin(), step.outputs.end());
  }
  arguments_.resize(argument_values_.size());
  for (std::size_t i = 0; i < argument_values_.size(); ++i) {
    if (argument_values_[i] < 0) continue;
    const ValuePlace& place = program_->values[static_cast<std::size_t>(argument_values_[i])];
    if (place.home == Home::kInput) input_patches_.push_back({i, place.index, place.offset});
    if (place.home == Home::kOutput) output_patches_.push_back({i, place.index, place.offset});
  }
}

std::byte* Execution::Resolve(const ValuePlace& place) const {
  switch (place.home) {
    case Home::kArena:
      return arena_ + place.index;
    case Home::kConstant:
      return const_cast<std::byte*>(constants_[place.index]) + place.offset;
    case Home::kVariable:
      return variables_[place.index] + place.offset;
    case Home::kInput:
    case Home::kOutput:
      break;  // put in by each run
  }
  return nullptr;
}

void Execution::Bind(std::byte* arena, std::span<const std::byte* const> constants,
                     std::span<std::byte* const> variables) {
  arena_ = arena;
  constants_ = constants;
  variables_ = variables;
  for (std::size_t i = 0; i < arguments_.size(); ++i)
    arguments_[i] = argument_values_[i] < 0
                        ? nullptr
                        : Resolve(program_->values[static_cast<std::size_t>(argument_values_[i])]);
  calls_.clear();
  std::size_t next = 0;
  for (const Step& step : program_->steps) {
    std::byte** first = arguments_.data() + next;
    calls_.push_back({{first, first + step.inputs.size(), arena_ + step.workspace}, step.kernel.get()});
    next += step.inputs.size() + step.outputs.size();
  }
}

void Execution::Bind(std::byte* arena, std::span<std::byte* const> variables) {
  own_constants_.clear();
  for (const TensorValue& constant : program_->constants)
    own_constants_.push_back(constant.data());
  Bind(arena, own_constants_, variables);
}

void Execution::Run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs) {
  for (const Patch& patch : input_patches_)
    arguments_[patch.argument] = const_cast<std::byte*>(inputs[patch.index]) + patch.offset;
  for (const Patch& patch : output_patches_)
    arguments_[patch.argument] = outputs[patch.index] + patch.offset;
  if (IsObserved()) return RunObserved();
  std::size_t i = 0;
  try {
    for (; i < calls_.size(); ++i)
      calls_[i].kernel->Run(calls_[i].args);
  } catch (...) {
    Rethrow(program_->steps[i]);
  }
}

void Execution::RunObserved() {
  const ActiveObservers observers;
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    const Step& step = program_->steps[i];
    const NodeRun node = {program_->name,   step.name,         step.type,
                          step.input_types, step.output_types, calls_[i].args};
    observers.OnNodeBegin(node);
    try {
      calls_[i].kernel->Run(calls_[i].args);
    } catch (...) {
      observers.OnNodeFailed(node);
      Rethrow(step);
    }
    observers.OnNodeEnd(node);
  }
}

void Execution::Rethrow(const Step& step) const {
  const Error error = CurrentError();
  throw NodeFailure(Error(error.code(), fmt::format("node '{}' ({}) of graph '{}' failed: {}", step.name,
                                                    step.type, program_->name, error.message())),
                    program_, step);
}

}  // namespace foothold
