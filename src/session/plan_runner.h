// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs one plan of a graph, again and again, in memory it keeps: nothing is taken from the system between
// runs but the outputs that are handed out. Any thread; runs overlap unless they share a user's arena or
// variables.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "compiler/executable.h"
#include "program/execution.h"
#include "session/variables.h"

namespace foothold {

class PlanRunner {
 public:
  PlanRunner(std::shared_ptr<const Plan> plan, std::shared_ptr<Variables> variables);

  const Plan& plan() const { return *plan_; }
  const Program& program() const { return *plan_->program; }
  bool is_static() const { return plan_->rest == nullptr; }

  // Constants in a block of program().ConstantBytes() and intermediate values in one of
  // program().arena_bytes, both kept until the runner ends. Without them the runner has its own. Before the
  // first run.
  void UseConstants(SharedBytes block);
  // The same with constants that stand somewhere already, one for each of the program; the caller keeps them.
  void UseConstants(std::vector<const std::byte*> constants);
  // May be exchanged between runs.
  void UseArena(SharedBytes block);

  // Only where is_static(): outputs of the sizes the program says, hidden ones included.
  void Run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs);
  // Always.
  std::vector<TensorValue> Run(const std::vector<TensorValue>& inputs);

 private:
  struct Slot {
    explicit Slot(std::shared_ptr<const Program> program) : execution(std::move(program)) {}
    Execution execution;
    SharedBytes arena;
    std::vector<std::byte*> variables;
  };
  std::unique_ptr<Slot> TakeSlot();
  void GiveSlot(std::unique_ptr<Slot> slot);
  void BindSlot(Slot& slot, std::byte* arena) const;
  void RunShared(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs);

  const std::shared_ptr<const Plan> plan_;
  const std::shared_ptr<Variables> variables_;
  std::vector<ProgramVariable> used_;  // by all stages
  SharedBytes constant_block_;
  std::vector<const std::byte*> constants_;

  std::mutex mutex_;  // guards the free slots
  std::vector<std::unique_ptr<Slot>> free_;

  std::atomic<bool> shares_arena_{false};
  std::mutex one_at_a_time_;  // guards the shared arena and its slot, during whole runs
  SharedBytes arena_;
  std::unique_ptr<Slot> shared_slot_;
};

}  // namespace foothold
