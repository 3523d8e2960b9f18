// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A graph compiled for known shapes: kernels in order, and a place for every value. Made by the compiler,
// immutable afterwards, read by any number of runs on any threads.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "ir/strided_view.h"
#include "ir/tensor_type.h"
#include "ir/tensor_value.h"
#include "ops/kernel.h"

namespace foothold {

// What kind of memory a value lives in.
enum class Home : unsigned char { kInput, kOutput, kConstant, kVariable, kArena };

// A place: the index-th input, output, constant or variable, or an offset in the arena. A value may begin
// some bytes behind the beginning of an input or another of those.
struct ValuePlace {
  Home home = Home::kArena;
  std::size_t index = 0;
  std::size_t offset = 0;
  bool operator==(const ValuePlace&) const = default;
};

struct Step {
  std::unique_ptr<const Kernel> kernel;
  std::vector<int> inputs;    // values by port, then added constants and captured variables; -1 is null
  std::vector<int> outputs;   // values by port
  std::size_t workspace = 0;  // offset in the arena
  std::string name;           // of the node
  std::string type;
  std::vector<TensorType> input_types, output_types;  // by port, for those who watch; of a view: its span
  // By port, where elements do not lie one after the other; null where they do, empty if they do everywhere.
  std::vector<std::shared_ptr<const StridedView>> input_views, output_views;
};

// Null: the elements of the port lie one after the other.
inline const StridedView* ViewAt(const std::vector<std::shared_ptr<const StridedView>>& views,
                                 std::size_t port) {
  return port < views.size() ? views[port].get() : nullptr;
}

struct ProgramVariable {
  std::string name;
  TensorType type;
  bool written = false;
  TensorValue initial;  // no bytes: zeros
};

struct Program {
  std::string name;
  std::vector<TensorType> inputs;
  std::vector<TensorType> outputs;
  std::vector<TensorValue> constants;
  std::vector<ProgramVariable> variables;
  std::vector<ValuePlace> values;
  std::vector<Step> steps;
  std::size_t arena_bytes = 0;

  // Where each constant stands when all of them lie in one block.
  std::vector<std::size_t> ConstantOffsets() const;
  std::size_t ConstantBytes() const;
};

}  // namespace foothold
