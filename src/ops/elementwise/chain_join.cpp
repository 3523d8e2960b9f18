// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/elementwise/chain_join.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace foothold {
namespace {

// Scratch memory is divided among them, and blocks have to stay worth a call.
constexpr std::size_t kMostConverted = 6;
// A chain cannot be interrupted: some ten milliseconds.
constexpr std::size_t kMostWork = std::size_t{1} << 26;

bool Meet(const ChainJoin::Memory& a, const ChainJoin::Memory& b) {
  const std::less<const std::byte*> before;
  return before(a.data, b.data + b.bytes) && before(b.data, a.data + a.bytes);
}

// What is stored and read again is the same float.
bool IsKept(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kBool;
}

std::size_t CountOf(const std::vector<std::int64_t>& dims) {
  std::size_t count = 1;
  for (const std::int64_t dim : dims)
    count *= static_cast<std::size_t>(dim);
  return count;
}

// An element for each result, in order.
bool IsWhole(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& strides) {
  std::int64_t expected = 1;
  for (std::size_t i = dims.size(); i-- > 0; expected *= dims[i])
    if (strides[i] != expected) return false;
  return true;
}

// A kernel alone may have sums and products the other way round between its own steps, and give another one
// of two NaN.
bool KeepsOrder(const ChainSpec& spec) {
  const auto known = static_cast<int>(spec.operands.size());
  return std::none_of(spec.steps.begin(), spec.steps.end(), [&](const ChainSpec::Step& step) {
    const auto name = step.function->name;
    if (name == "Add" || name == "Mul") return step.operands[1] >= known;
    return spec.steps.size() > 1 && (name == "AddBy" || name == "MulBy") && std::isnan(step.params[0]);
  });
}

}  // namespace

bool ChainJoin::AppendOperand(const ChainSpec::Operand& operand, const Memory& memory) {
  const bool whole = memory.bytes == count_ * SizeOf(operand.type) && IsWhole(dims_, operand.strides);
  for (const Written& written : written_) {
    if (!Meet(written.memory, memory)) continue;
    if (written.memory != memory || written.type != operand.type || !whole || !IsKept(operand.type))
      return false;
    values_.push_back(written.value);
    return true;
  }
  const auto known = std::find_if(operands_.begin(), operands_.end(), [&](const Operand& one) {
    return one.memory == memory && one.type == operand.type && one.strides == operand.strides;
  });
  values_.push_back(-1 - static_cast<int>(known - operands_.begin()));
  if (known == operands_.end()) operands_.push_back({memory, operand.type, operand.strides, whole});
  return true;
}

void ChainJoin::AppendStep(const ChainSpec::Step& step) {
  steps_.push_back(step);
  for (int k = 0; k < step.function->operands; ++k) {
    int& operand = steps_.back().operands[static_cast<std::size_t>(k)];
    operand = values_[static_cast<std::size_t>(operand)];
  }
  values_.push_back(static_cast<int>(steps_.size()) - 1);
}

// What is only copied becomes a step, so that it is written in its turn.
bool ChainJoin::AppendResult(const ChainSpec::Result& result, const Memory& memory) {
  if (memory.bytes != count_ * SizeOf(result.type)) return false;
  const auto apart = [&](const auto& other) {
    return !Meet(other.memory, memory) || (other.memory == memory && other.type == result.type);
  };
  const bool fits = std::all_of(written_.begin(), written_.end(), apart) &&
                    std::all_of(operands_.begin(), operands_.end(), [&](const Operand& operand) {
                      return apart(operand) && (operand.whole || !Meet(operand.memory, memory));
                    });
  for (const Written& other : results_)
    if (Meet(other.memory, memory)) return false;
  if (!fits) return false;
  int value = values_[static_cast<std::size_t>(result.value)];
  if (value < 0) {
    steps_.push_back({FindElementFunction("Copy"), {value, value, value}, {}});
    value = static_cast<int>(steps_.size()) - 1;
  }
  results_.push_back({memory, result.type, value});
  return true;
}

bool ChainJoin::FitsLimits() const {
  std::size_t converted = 0;
  for (const Operand& operand : operands_)
    converted += operand.whole && operand.type == ElementType::kFloat ? 0 : 1;
  for (const auto* list : {&written_, &results_})
    for (const Written& written : *list)
      converted += written.type == ElementType::kFloat ? 0 : 1;
  return converted <= kMostConverted && operands_.size() + steps_.size() <= kMaxChainValues &&
         count_ * steps_.size() <= kMostWork;
}

bool ChainJoin::Append(const ChainSpec& spec, std::span<const Memory> inputs,
                       std::span<const Memory> outputs) {
  if ((calls_ > 0 && spec.dims != dims_) || !KeepsOrder(spec)) return false;
  if (calls_ == 0) {
    dims_ = spec.dims;
    count_ = CountOf(dims_);
  }
  const std::size_t operands = operands_.size(), steps = steps_.size();
  values_.clear();
  results_.clear();
  bool fits = count_ > 0;
  for (const auto& operand : spec.operands)
    fits = fits && AppendOperand(operand, inputs[static_cast<std::size_t>(operand.input)]);
  for (std::size_t i = 0; fits && i < spec.steps.size(); ++i)
    AppendStep(spec.steps[i]);
  for (const auto& result : spec.results)
    fits = fits && AppendResult(result, outputs[static_cast<std::size_t>(result.output)]);
  if (!fits || !FitsLimits()) {
    operands_.resize(operands);
    steps_.resize(steps);
    return false;
  }
  for (const Written& result : results_) {
    const auto before = std::find_if(written_.begin(), written_.end(),
                                     [&](const Written& one) { return one.memory == result.memory; });
    if (before == written_.end()) {
      written_.push_back(result);
    } else {
      before->value = result.value;
    }
  }
  ++calls_;
  return true;
}

// Those that something in memory comes from in the end.
std::vector<bool> ChainJoin::FindLiveSteps() const {
  std::vector<bool> live(steps_.size(), false);
  for (const Written& written : written_)
    live[static_cast<std::size_t>(written.value)] = true;
  for (std::size_t i = steps_.size(); i-- > 0;) {
    if (!live[i]) continue;
    for (int k = 0; k < steps_[i].function->operands; ++k) {
      const int value = steps_[i].operands[static_cast<std::size_t>(k)];
      if (value >= 0) live[static_cast<std::size_t>(value)] = true;
    }
  }
  return live;
}

JoinedChain ChainJoin::Finish() const {
  ChainSpec spec;
  spec.in_order = true;
  spec.dims = dims_;
  std::vector<const std::byte*> inputs;
  std::vector<std::byte*> outputs;
  for (const Operand& operand : operands_) {
    spec.operands.push_back({static_cast<int>(inputs.size()), operand.type, operand.strides});
    inputs.push_back(operand.memory.data);
  }
  const std::vector<bool> live = FindLiveSteps();
  std::vector<int> numbers(steps_.size(), 0);
  const auto number = [&](int value) {
    return value < 0 ? -1 - value : numbers[static_cast<std::size_t>(value)];
  };
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!live[i]) continue;
    numbers[i] = static_cast<int>(spec.operands.size() + spec.steps.size());
    ChainSpec::Step step = steps_[i];
    for (int k = 0; k < step.function->operands; ++k)
      step.operands[static_cast<std::size_t>(k)] = number(step.operands[static_cast<std::size_t>(k)]);
    spec.steps.push_back(step);
  }
  for (const Written& written : written_) {
    spec.results.push_back({static_cast<int>(outputs.size()), written.type, number(written.value)});
    outputs.push_back(written.memory.data);
  }
  return {std::move(spec), std::move(inputs), std::move(outputs)};
}

}  // namespace foothold
