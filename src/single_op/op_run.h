// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs of single operators on a stream. The call looks at descriptions and buffers, and needs neither
// afterwards; the memory has to stay until the stream has passed. Any thread.
#pragma once

#include <memory_resource>
#include <vector>

#include "base/data_buffer.h"
#include "single_op/operators.h"

namespace foothold {

struct StreamRef;

struct OpTensors {
  // Lists in memory of the caller's, which lives longer.
  explicit OpTensors(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : inputs(memory), outputs(memory), told(memory) {}

  std::pmr::vector<const DataBuffer*> inputs, outputs;  // as the call lists them
  // What is told the sizes of the outputs after the run; without it, they have to be known before.
  std::pmr::vector<TensorDesc*> told;
};

// Queues the run. Where sizes of outputs are not known before, or the call asks for them, it runs before this
// returns. Throws kInvalidParam for memory that is null, too small or no device memory, kOpOutputNotMatch for
// outputs that are described as something else than the operator gives, and kOpUnsupportedDynamic where
// sizes have to be told and nobody can be. `api` is a literal.
void RunOperator(const std::shared_ptr<const ReadyOp>& ready, const OpCall& call, const OpTensors& tensors,
                 const StreamRef& stream, const char* api);

}  // namespace foothold
