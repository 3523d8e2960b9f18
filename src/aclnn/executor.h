// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What lies between the two phases of a call: the prepared form and the addresses. Used once and gone, unless
// the program makes it repeatable. Any thread; one executor is used by one thread at a time.
#pragma once

#include <memory>
#include <vector>

#include "aclnn/form.h"
#include "aclnn/objects.h"
#include "base/short_list.h"

namespace foothold::aclnn {

// A tensor of the call as executors keep it.
struct BoundTensor {
  ArgumentPlace place;
  Direction direction = Direction::kIn;
  bool given = false;  // not null
  void* data = nullptr;
  std::ptrdiff_t offset = 0;  // bytes
  const void* address() const { return static_cast<const std::byte*>(data) + offset; }
};

struct Executor {
  std::shared_ptr<Form> form;
  ShortList<BoundTensor, 6> tensors;               // in the order of parameters, lists flattened
  std::vector<std::shared_ptr<ToldShape>> shapes;  // by output of the form; null where nothing is told
  ShortList<std::byte, 64> values;                 // of the form's values
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
