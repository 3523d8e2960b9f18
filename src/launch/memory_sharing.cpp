// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "launch/memory_sharing.h"

#include <algorithm>

#include "ops/op.h"
#include "program/in_place.h"

namespace foothold {
namespace {

constexpr std::size_t kNobody = SIZE_MAX;

bool IsAt(const Program& program, int value, Home home, std::size_t index) {
  return value >= 0 && program.values[static_cast<std::size_t>(value)] == ValuePlace{home, index};
}

bool Uses(const Program& program, const std::vector<int>& values, Home home, std::size_t index) {
  return std::any_of(values.begin(), values.end(),
                     [&](int value) { return IsAt(program, value, home, index); });
}

// An input that a step changes where it stands, and that an output gives back: both are one piece of memory.
bool IsReference(const Program& program, std::size_t input, std::size_t output) {
  return std::any_of(program.steps.begin(), program.steps.end(), [&](const Step& step) {
    return step.type == "Copy" && Uses(program, step.inputs, Home::kInput, input) &&
           Uses(program, step.outputs, Home::kOutput, output);
  });
}

struct Steps {
  std::size_t first_write = kNobody, last_read = kNobody;
};

Steps FindSteps(const Program& program, std::size_t input, std::size_t output) {
  Steps found;
  for (std::size_t s = 0; s < program.steps.size(); ++s) {
    const Step& step = program.steps[s];
    if (Uses(program, step.inputs, Home::kInput, input)) found.last_read = s;
    bool writes = Uses(program, step.outputs, Home::kOutput, output);
    for (std::size_t i = 0; i < program.inputs.size() && !writes; ++i)
      writes = Uses(program, step.outputs, Home::kInput, i) && IsReference(program, i, output);
    if (writes && found.first_write == kNobody) found.first_write = s;
  }
  return found;
}

bool WorksInPlace(const Program& program, const Step& step, std::size_t input, std::size_t output) {
  const OpDef* op = FindOp(step.type);
  if (op == nullptr) return false;
  std::size_t reads = 0;
  bool in_place = false;
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    if (!IsAt(program, step.inputs[i], Home::kInput, input)) continue;
    ++reads;
    for (const auto [from, to] : op->in_place())
      in_place = in_place ||
                 (static_cast<std::size_t>(from) == i && static_cast<std::size_t>(to) < step.outputs.size() &&
                  HasElementsOfOneSize(step, from, to) &&
                  IsAt(program, step.outputs[static_cast<std::size_t>(to)], Home::kOutput, output));
  }
  return reads == 1 && in_place;
}

MemorySharing::Rule RuleFor(const Program& program, std::size_t input, std::size_t output) {
  using Rule = MemorySharing::Rule;
  if (IsReference(program, input, output)) return Rule::kSame;
  const Steps steps = FindSteps(program, input, output);
  if (steps.last_read == kNobody || steps.first_write == kNobody || steps.last_read < steps.first_write)
    return Rule::kAny;
  if (steps.last_read > steps.first_write) return Rule::kNever;
  const Step& step = program.steps[steps.last_read];
  if (step.type == "Copy") return Rule::kSame;
  return WorksInPlace(program, step, input, output) ? Rule::kSame : Rule::kNever;
}

}  // namespace

MemorySharing::MemorySharing(const Program& program) : outputs_(program.outputs.size()) {
  for (std::size_t i = 0; i < program.inputs.size(); ++i)
    for (std::size_t o = 0; o < outputs_; ++o)
      rules_.push_back(RuleFor(program, i, o));
}

}  // namespace foothold
