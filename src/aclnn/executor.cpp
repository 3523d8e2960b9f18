// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/executor.h"

#include <vector>

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

void Replace(Executor& executor, std::size_t number, void* address) {
  BoundTensor& bound = executor.call.tensors[number];
  if (!bound.given)
    Fail(kParamInvalid, "tensor {} was null when the executor was made",
         executor.form->NameOf(executor.form->tensors[number].place));
  bound.data = address;
}

// Inputs, then outputs.
std::vector<std::size_t> Numbered(const Form& form, Numbering numbering) {
  std::vector<std::size_t> all;
  const bool outputs_last = numbering == Numbering::kAll;
  for (std::size_t i = 0; i < form.tensors.size(); ++i) {
    const Direction direction = form.tensors[i].direction;
    if (outputs_last ? direction != Direction::kOut : Counts(direction, numbering)) all.push_back(i);
  }
  for (std::size_t i = 0; i < form.tensors.size(); ++i)
    if (outputs_last && form.tensors[i].direction != Direction::kIn) all.push_back(i);
  return all;
}

}  // namespace

void SetAddress(Executor& executor, Numbering numbering, std::size_t index, Tensor& tensor, void* address) {
  const std::vector<std::size_t> all = Numbered(*executor.form, numbering);
  if (index >= all.size())
    Fail(kParamInvalid, "there is no tensor {}: {} has {} of this kind", index, executor.form->function->name,
         all.size());
  Replace(executor, all[index], address);
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
    for (std::size_t i = 0; i < executor.form->tensors.size(); ++i) {
      const ArgumentPlace place = executor.form->tensors[i].place;
      if (place.parameter != p || place.member != member) continue;
      Replace(executor, i, address);
      Tensor* const described =
          member < tensors.size() ? Tensors::Get().FindOrNull(tensors[member]) : nullptr;
      if (described != nullptr) described->data = address;
      return;
    }
  }
  Fail(kParamInvalid, "{} has no tensor {} in its parameter {}", function.name, member, parameter);
}

}  // namespace foothold::aclnn
