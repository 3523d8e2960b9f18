// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An operator compiled for known sizes, ready to run. Any thread; runs overlap.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "compiler/executable.h"
#include "program/execution.h"

namespace foothold {

class OpForm {
 public:
  explicit OpForm(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {}

  const std::shared_ptr<const Plan>& plan() const { return plan_; }
  const Program& program() const { return *plan_->program; }
  // False if the outputs have sizes that only the run tells.
  bool placed() const { return plan_->rest == nullptr; }

  // Where it is placed. `work` has program().arena_bytes.
  void Run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs, std::byte* work);
  // Where it is not.
  std::vector<TensorValue> Run(const std::vector<TensorValue>& inputs) const;

 private:
  const std::shared_ptr<const Plan> plan_;
  std::mutex mutex_;  // guards the executions that are not in use
  std::vector<std::unique_ptr<Execution>> free_;
};

}  // namespace foothold
