// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/op_form.h"

#include "session/variables.h"

namespace foothold {

void OpForm::Run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs,
                 std::byte* work) {
  std::unique_ptr<Execution> execution;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!free_.empty()) {
      execution = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (!execution) execution = std::make_unique<Execution>(plan_->program);
  execution->Bind(work, {});
  execution->Run(inputs, outputs);  // one that failed is not used again
  std::lock_guard<std::mutex> lock(mutex_);
  free_.push_back(std::move(execution));
}

std::vector<TensorValue> OpForm::Run(const std::vector<TensorValue>& inputs) const {
  Variables none;
  return RunStages(*plan_, inputs, none);
}

}  // namespace foothold
