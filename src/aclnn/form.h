// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What one kind of call needs, prepared: the program, and which tensors of the call its inputs and outputs
// are. Kept for the next call of the kind. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "aclnn/late_number.h"
#include "base/process_number.h"
#include "launch/call_cache.h"
#include "launch/launch.h"
#include "launch/memory_sharing.h"

namespace foothold::aclnn {

// A tensor of the call, or bytes that the first phase makes of its numbers.
struct FormInput {
  ArgumentPlace place;       // of the tensor
  std::uint32_t tensor = 0;  // its position among all tensors of a call, lists flattened
  static constexpr int kTensor = -1;
  int value = kTensor;  // else: which of the form's values
};

// Bytes that come with each call.
struct FormValue {
  LateNumber number;                     // of an array the place of it alone
  DataType type = DataType::kUndefined;  // of the elements
  std::size_t offset = 0, bytes = 0;     // among the bytes of all values

  static constexpr std::size_t kAlignment = 16;
};

struct FormOutput {
  ArgumentPlace place;
  std::uint32_t tensor = 0;
  bool told = false;  // only the run tells its size
};

struct Form {
  const Function* function = nullptr;
  std::shared_ptr<PreparedProgram> program;  // null: there is nothing to do
  std::vector<FormInput> inputs;             // by input of the program
  std::vector<FormValue> values;
  std::size_t value_bytes = 0;
  std::vector<FormOutput> outputs;  // by output of the program
  std::vector<std::size_t> input_bytes;
  std::vector<std::size_t> output_bytes;  // the most, where the run tells
  MemorySharing sharing;
  bool ends_on_default_stream = false;  // before a call that names no stream returns
  const std::uint64_t process = ProcessNumber::Now();
  // Sizes of outputs are told by runs.
  bool tells() const { return program && !program->is_static(); }

  std::uint64_t hash = 0;  // of its key
  mutable IdleLaunches idle = {};
  LastUse used = {};
};

}  // namespace foothold::aclnn
