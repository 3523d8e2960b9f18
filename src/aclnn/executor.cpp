// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/executor.h"

namespace foothold::aclnn {
namespace {

bool Counts(Direction direction, Numbering numbering) {
  switch (numbering) {
    case Numbering::kInputs:
      return direction != Direction::kOut;
    case Numbering::kOutputs:
      return direction != Direction::kIn;
    default:
      return true;
  }
}

void Replace(BoundTensor& bound, void* address) {
  if (!bound.given)
    Fail(kParamInvalid, "tensor {} was null when the executor was made", bound.place.parameter);
  bound.data = address;
}

// Inputs, then outputs.
std::vector<BoundTensor*> Numbered(Executor& executor, Numbering numbering) {
  std::vector<BoundTensor*> all;
  const bool outputs_last = numbering == Numbering::kAll;
  for (BoundTensor& tensor : executor.tensors)
    if (outputs_last ? tensor.direction != Direction::kOut : Counts(tensor.direction, numbering))
      all.push_back(&tensor);
  for (BoundTensor& tensor : executor.tensors)
    if (outputs_last && tensor.direction != Direction::kIn) all.push_back(&tensor);
  return all;
}

}  // namespace

void SetAddress(Executor& executor, Numbering numbering, std::size_t index, Tensor& tensor, void* address) {
  const std::vector<BoundTensor*> all = Numbered(executor, numbering);
  if (index >= all.size())
    Fail(kParamInvalid, "there is no tensor {}: {} has {} of this kind", index, executor.form->function->name,
         all.size());
  Replace(*all[index], address);
  tensor.data = address;
}

void SetAddress(Executor& executor, Numbering numbering, std::size_t parameter, std::size_t member,
                const HandleList& tensors, void* address) {
  const Function& function = *executor.form->function;
  std::size_t number = 0;
  for (std::uint16_t p = 0; p < function.count; ++p) {
    const Parameter& one = function.parameters[p];
    const bool tensor = one.kind == Kind::kTensor || one.kind == Kind::kTensorList;
    if (!tensor || !Counts(one.direction, numbering) || number++ != parameter) continue;
    for (BoundTensor& bound : executor.tensors) {
      if (bound.place.parameter != p || bound.place.member != member) continue;
      Replace(bound, address);
      Tensor* const described =
          member < tensors.size() ? Tensors::Get().FindOrNull(tensors[member]) : nullptr;
      if (described != nullptr) described->data = address;
      return;
    }
  }
  Fail(kParamInvalid, "{} has no tensor {} in its parameter {}", function.name, member, parameter);
}

}  // namespace foothold::aclnn
