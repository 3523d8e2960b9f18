// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/op_handle.h"

#include "base/error.h"
#include "single_op/op_codes.h"

namespace foothold {
namespace {

// Before there are threads, so that no fork finds it half made.
[[maybe_unused]] const OpHandles& made_at_load = OpHandles::Get();

void CheckCount(const char* what, std::size_t expected, std::size_t given, const std::string& type) {
  if (expected != given)
    Fail(kInvalidParam, "the operator {} was prepared with {} {}, and {} were given", type, expected, what,
         given);
}

}  // namespace

OpHandle::OpHandle(const OpCall& call, std::shared_ptr<const ReadyOp> ready)
    : type_(call.type), ready_(std::move(ready)) {
  for (const TensorDesc* desc : call.inputs)
    inputs_.push_back(*desc);
  for (const TensorDesc* desc : call.outputs)
    outputs_.push_back(*desc);
  if (ready_->op->open() || !ready_->program->is_static())
    Fail(kOpUnsupportedDynamic, "{} has sizes that are not known before it runs: it needs no handle",
         ToString(call));
  call_.type = type_;
  for (const TensorDesc& desc : inputs_)
    call_.inputs.push_back(&desc);
  for (const TensorDesc& desc : outputs_)
    call_.outputs.push_back(&desc);
}

void OpHandle::Run(const OpTensors& tensors, const StreamRef& stream, const char* api) const {
  CheckCount("inputs", inputs_.size(), tensors.inputs.size(), type_);
  CheckCount("outputs", outputs_.size(), tensors.outputs.size(), type_);
  RunOperator(OfThisProcess(ready_), call_, tensors, stream, api);
}

}  // namespace foothold
