// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "launch/memory_sharing.h"

#include <algorithm>

#include "ops/op.h"
#include "program/in_place.h"

namespace foothold {
namespace {

constexpr std::size_t kNobody = SIZE_MAX;

struct InputUse {
  std::size_t last_read = kNobody, first_change = kNobody;  // steps; changed where it stands
};
struct OutputUse {
  std::size_t first_write = kNobody;  // a step
  std::size_t given_back = kNobody;   // the input that it is a copy of
};

// Who touches which input and output of a program, and when.
class Uses {
 public:
  explicit Uses(const Program& program)
      : program_(program), inputs_(program.inputs.size()), outputs_(program.outputs.size()) {
    for (std::size_t s = 0; s < program.steps.size(); ++s)
      Add(s, program.steps[s]);
    for (OutputUse& output : outputs_)
      if (output.given_back != kNobody)
        output.first_write = std::min(output.first_write, inputs_[output.given_back].first_change);
  }

  const InputUse& input(std::size_t index) const { return inputs_[index]; }
  // The input that an output is a copy of.
  std::size_t GivenBack(std::size_t output) const { return outputs_[output].given_back; }
  const OutputUse& output(std::size_t index) const { return outputs_[index]; }
  bool IsChanged(std::size_t input) const { return inputs_[input].first_change != kNobody; }
  bool GivesBackAChange(std::size_t output) const {
    return outputs_[output].given_back != kNobody && IsChanged(outputs_[output].given_back);
  }

 private:
  const ValuePlace* PlaceOf(int value) const {
    return value < 0 ? nullptr : &program_.values[static_cast<std::size_t>(value)];
  }
  void Add(std::size_t number, const Step& step) {
    for (const int value : step.inputs)
      if (const ValuePlace* place = PlaceOf(value); place != nullptr && place->home == Home::kInput)
        inputs_[place->index].last_read = number;
    for (const int value : step.outputs) {
      const ValuePlace* place = PlaceOf(value);
      if (place == nullptr) continue;
      if (place->home == Home::kInput)
        inputs_[place->index].first_change = std::min(inputs_[place->index].first_change, number);
      if (place->home == Home::kOutput) AddWrite(number, step, outputs_[place->index]);
    }
  }
  void AddWrite(std::size_t number, const Step& step, OutputUse& output) const {
    output.first_write = std::min(output.first_write, number);
    const ValuePlace* from = step.type == "Copy" ? PlaceOf(step.inputs[0]) : nullptr;
    if (from != nullptr && from->home == Home::kInput) output.given_back = from->index;
  }

  const Program& program_;
  std::vector<InputUse> inputs_;
  std::vector<OutputUse> outputs_;
};

bool IsAt(const Program& program, int value, Home home, std::size_t index) {
  if (value < 0) return false;
  const ValuePlace& place = program.values[static_cast<std::size_t>(value)];
  return place.home == home && place.index == index;
}

// From the same place on, under the same strides.
bool LieAlike(const Program& program, const Step& step, std::size_t input, std::size_t output) {
  const auto offset = [&](int value) { return program.values[static_cast<std::size_t>(value)].offset; };
  const StridedView* from = ViewAt(step.input_views, input);
  const StridedView* to = ViewAt(step.output_views, output);
  if (offset(step.inputs[input]) != offset(step.outputs[output])) return false;
  return from == nullptr || to == nullptr ? from == to
                                          : from->dims == to->dims && from->strides == to->strides;
}

// The step writes the output at that place, in place of the only port at which it reads the input.
bool WorksInPlace(const Program& program, const Step& step, std::size_t input, Home home, std::size_t index) {
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
                  IsAt(program, step.outputs[static_cast<std::size_t>(to)], home, index) &&
                  LieAlike(program, step, i, static_cast<std::size_t>(to)));
  }
  return reads == 1 && in_place;
}

MemorySharing::Rule RuleFor(const Program& program, const Uses& uses, std::size_t input, std::size_t output) {
  using Rule = MemorySharing::Rule;
  if (uses.output(output).given_back == input) return Rule::kSame;
  const std::size_t last_read = uses.input(input).last_read, first_write = uses.output(output).first_write;
  if (last_read == kNobody || first_write == kNobody || last_read < first_write) return Rule::kAny;
  const Step& step = program.steps[last_read];
  if (uses.GivesBackAChange(output)) {
    if (uses.IsChanged(input)) return Rule::kAny;
    const bool same =
        last_read == first_write && WorksInPlace(program, step, input, Home::kInput, uses.GivenBack(output));
    return same ? Rule::kCopiedUnlessSame : Rule::kCopied;
  }
  if (last_read > first_write) return Rule::kNever;
  return WorksInPlace(program, step, input, Home::kOutput, output) ? Rule::kSame : Rule::kNever;
}

}  // namespace

MemorySharing::MemorySharing(const Program& program) : outputs_(program.outputs.size()) {
  const Uses uses(program);
  for (std::size_t i = 0; i < program.inputs.size(); ++i)
    for (std::size_t o = 0; o < outputs_; ++o)
      rules_.push_back(RuleFor(program, uses, i, o));
}

}  // namespace foothold
