// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Values of the surrounding graph that the graphs of a node read. In the Graph Engine a graph sees nothing
// outside itself, so they become further inputs of the node and of all its graphs. One thread at a time.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ir/node.h"
#include "onnx/model.h"

namespace foothold::onnx {

class Captures {
 public:
  // `first`: the input of the graphs at which captured values begin.
  explicit Captures(std::int64_t first) : first_(first) {}

  // Where a value of the surrounding graph is among those that are captured.
  std::size_t PlaceOf(ValueNumber number, OutputRef outside) {
    const auto [found, fresh] = places_.emplace(number, numbers_.size());
    return fresh ? Add(outside, number) : found->second;
  }
  // A value that has no number.
  std::size_t Add(OutputRef outside, ValueNumber number = kNoValue) {
    numbers_.push_back(number);
    values_.push_back(outside);
    return values_.size() - 1;
  }

  // The input of the graphs that is the value at this place.
  std::int64_t InputOf(std::size_t place) const { return first_ + static_cast<std::int64_t>(place); }
  const std::vector<ValueNumber>& numbers() const { return numbers_; }
  const std::vector<OutputRef>& values() const { return values_; }

 private:
  std::int64_t first_;
  std::vector<ValueNumber> numbers_;
  std::vector<OutputRef> values_;
  std::unordered_map<ValueNumber, std::size_t> places_;
};

}  // namespace foothold::onnx
