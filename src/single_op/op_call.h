// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An operator as a call names it: its type, what its tensors look like, its attributes. Points at what the
// program described; does not outlive the call. One thread at a time.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor_desc.h"
#include "ir/tensor_type.h"
#include "single_op/op_attributes.h"

namespace foothold {

using TensorDescList = std::pmr::vector<const TensorDesc*>;

struct OpCall {
  // Lists in memory of the caller's, which lives longer.
  explicit OpCall(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : inputs(memory), outputs(memory) {}

  std::string_view type;
  TensorDescList inputs, outputs;
  const OpAttributes* attributes = nullptr;  // null: none

  const Attributes& attribute_values() const;
};

// What stands for an optional input or output the program does not use.
inline bool IsAbsent(const TensorDesc& desc) {
  return desc.type() == DataType::kUndefined;
}
inline bool HasConstant(const TensorDesc& desc) {
  return !desc.constant().empty();
}
// An input that is no constant has a dimension that only the run tells.
bool HasOpenInputs(const OpCall& call);

// Throws kFeatureUnsupported for a tensor in a layout of the hardware.
TensorType TypeOf(const TensorDesc& desc);
// Throws kOpInputNotMatch if the constant is not as large as its description says.
TensorValue ConstantOf(const TensorDesc& desc);

// "Add(float[2,3], float[3])": as messages name it.
std::string ToString(const OpCall& call);

}  // namespace foothold
