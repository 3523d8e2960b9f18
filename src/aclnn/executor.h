// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What lies between the two phases of a call: the prepared form and the addresses. Used once and gone, unless
// the program makes it repeatable. Any thread; one executor is used by one thread at a time.
#pragma once

#include <memory>

#include "aclnn/form.h"
#include "aclnn/objects.h"
#include "calls/bound_call.h"

namespace foothold::aclnn {

struct Executor {
  std::shared_ptr<Form> form;
  BoundCall call;
  bool repeatable = false;
};

using Executors = HostObjects<Executor, HandleKind::kExecutor, kInnerNull, kInnerNull>;

// Numbers of tensors as the setters of addresses count them.
enum class Numbering { kInputs, kOutputs, kAll };

// aclSetTensorAddr and its kin. Throw kParamInvalid for a number that is none and for a tensor that was null.
void SetAddress(Executor& executor, Numbering numbering, std::size_t index, Tensor& tensor, void* address);
void SetAddress(Executor& executor, Numbering numbering, std::size_t parameter, std::size_t member,
                const HandleList& tensors, void* address);

}  // namespace foothold::aclnn
