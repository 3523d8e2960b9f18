// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs one plan of a graph, again and again, in memory it keeps: nothing is taken from the system between
// runs but the outputs that are handed out. Any thread; runs overlap unless they share a user's arena or
// variables. No lock is held during a run: functions of the program may be called then.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/run_turn.h"
#include "compiler/executable.h"
#include "program/execution.h"
#include "session/pooled_constants.h"
#include "session/variables.h"

namespace foothold {

// Where a runner finds room for what it keeps itself; either may throw.
struct RunnerMemory {
  ArenaSource arena = AllocateBytes;
  std::function<void(std::size_t bytes)> count_constants;  // called before the first run; may be missing
};

class PlanRunner {
 public:
  PlanRunner(std::shared_ptr<const Plan> plan, std::shared_ptr<Variables> variables,
             RunnerMemory memory = {});

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
  // Constants for RunIn only; `constants` is one for each of the program.
  void UsePoolConstants(PooledConstants::Places constants);
  bool has_pool_constants() const { return has_pool_constants_.load(std::memory_order_acquire); }

  // Takes the memory of its own for a first run, so that a lack of it is known now.
  void Reserve();
  // Lets go of arenas nobody runs in.
  void DropIdleArenas();
  // What a run reads and writes besides, where all sizes are known.
  std::size_t io_bytes() const { return io_bytes_; }

  // Only where is_static(): outputs of the sizes the program says, hidden ones included.
  void Run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs);
  // The same in an arena that is the caller's alone, with the constants of UsePoolConstants if there are any.
  void RunIn(std::byte* arena, std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs);
  // Always.
  std::vector<TensorValue> Run(const std::vector<TensorValue>& inputs);

 private:
  struct Slot {
    explicit Slot(std::shared_ptr<const Program> program) : execution(std::move(program)) {}
    Execution execution;
    SharedBytes arena;
    std::byte* lent_arena = nullptr;  // of somebody else
    std::vector<std::byte*> variables;
  };
  std::unique_ptr<Slot> TakeSlot();
  std::unique_ptr<Slot> TakeSlotIn(std::byte* arena);
  void GiveSlot(std::unique_ptr<Slot> slot, std::vector<std::unique_ptr<Slot>>& to);
  void BindSlot(Slot& slot, std::byte* arena, std::span<const std::byte* const> constants) const;
  void RunInOwn(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs);

  const std::shared_ptr<const Plan> plan_;
  const std::shared_ptr<Variables> variables_;
  std::vector<ProgramVariable> used_;  // by all stages
  const RunnerMemory memory_;
  std::size_t io_bytes_ = 0;
  SharedBytes constant_block_;
  std::vector<const std::byte*> constants_;

  std::mutex mutex_;                         // guards the slots nobody runs in, and arena_
  std::vector<std::unique_ptr<Slot>> free_;  // in memory of the runner
  std::vector<std::unique_ptr<Slot>> lent_;  // in memory of somebody else
  std::atomic<bool> reserved_{false};        // there is one in memory of the runner, or was

  std::atomic<bool> shares_arena_{false};
  RunTurn turn_;  // of runs in arena_
  SharedBytes arena_;

  std::atomic<bool> has_pool_constants_{false};
  PooledConstants::Places pool_constants_;  // not changed once there are some
};

}  // namespace foothold
