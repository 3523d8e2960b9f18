// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What one kind of call needs, prepared: the program, and which tensors of the call its inputs and outputs
// are. Kept for the next call of the kind. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "aclnn/entry.h"
#include "base/process_number.h"
#include "launch/call_cache.h"
#include "launch/launch.h"
#include "launch/memory_sharing.h"

namespace foothold::aclnn {

// A tensor of a call, or a seed: a parameter, and the position in it if that is a list.
struct TensorPlace {
  std::uint16_t parameter = 0;
  std::uint16_t member = 0;
  bool operator==(const TensorPlace&) const = default;
};

struct FormOutput {
  TensorPlace place;
  bool told = false;  // only the run tells its size
};

struct Form {
  const Function* function = nullptr;
  std::shared_ptr<PreparedProgram> program;  // null: there is nothing to do
  std::vector<TensorPlace> inputs;           // by input of the program
  std::vector<FormOutput> outputs;           // by output of the program
  std::vector<std::size_t> input_bytes;
  std::vector<std::size_t> output_bytes;  // the most, where the run tells
  MemorySharing sharing;
  bool ends_on_default_stream = false;  // before a call that names no stream returns
  const std::uint64_t process = ProcessNumber::Now();
  // Sizes of outputs are told by runs.
  bool tells() const { return program && !program->is_static(); }

  mutable IdleLaunches idle = {};
  LastUse used = {};
};

}  // namespace foothold::aclnn
