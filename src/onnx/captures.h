// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Values of the surrounding graph that the graphs of a node read. In the Graph Engine a graph sees nothing
// outside itself, so they become further inputs of the node and of all its graphs. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/node.h"

namespace foothold::onnx {

class Captures {
 public:
  // `first`: the input of the graphs at which captured values begin.
  explicit Captures(std::int64_t first) : first_(first) {}

  // The input of the graphs that is this value.
  std::int64_t IndexOf(const std::string& name, OutputRef outside) {
    const auto [found, fresh] = places_.emplace(name, static_cast<std::int64_t>(names_.size()));
    if (fresh) {
      names_.push_back(name);
      values_.push_back(outside);
    }
    return first_ + found->second;
  }

  std::int64_t first() const { return first_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<OutputRef>& values() const { return values_; }

 private:
  std::int64_t first_;
  std::vector<std::string> names_;
  std::vector<OutputRef> values_;
  std::unordered_map<std::string, std::int64_t> places_;  // of the names
};

}  // namespace foothold::onnx
