// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators whose kernels the program chooses itself (aclopRegisterCompileFunc): a function of the program
// says for each call which of its kernels runs, on how many blocks and with which arguments. The kernel gets
// the addresses of inputs, outputs and workspaces, in this order, then that of the arguments, if there are
// some. Any thread.
#pragma once

#include "acl/acl_op.h"
#include "device/current.h"
#include "single_op/op_call.h"
#include "single_op/op_run.h"

namespace foothold {

// A call as the program made it, for its function.
struct KernelCall {
  int inputs;
  const aclTensorDesc* const* input_desc;
  int outputs;
  const aclTensorDesc* const* output_desc;
  const aclopAttr* attributes;
};

// Whether the program chooses the kernels of this type. Costs one load where no program does.
bool ProgramChoosesKernel(const char* type) noexcept;
// Queues the chosen kernel.
void RunChosenKernel(const KernelCall& made, const OpCall& call, const OpTensors& tensors,
                     const StreamRef& stream, const char* api);

}  // namespace foothold
