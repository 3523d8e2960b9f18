// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A plan ready to run, again and again: its constants placed, its variables found, the pointers of every
// kernel kept from run to run. Nothing is taken from the system between runs but the outputs that are handed
// out. Any thread; runs overlap unless they share a user's arena or variables. No lock is held during a run:
// functions of the program may be called then.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/run_turn.h"
#include "compiler/executable.h"
#include "launch/variables.h"
#include "program/execution.h"

namespace foothold {

class PreparedProgram {
 public:
  // Told how much memory the constants take before the first run; may throw.
  using CountConstants = std::function<void(std::size_t bytes)>;
  // Constants that stand somewhere already, one for each of the program, and what keeps them there.
  struct PlacedConstants {
    std::vector<const std::byte*> addresses;
    std::vector<SharedBytes> blocks = {};
  };

  // `variables` may be null where the plan has none.
  PreparedProgram(std::shared_ptr<const Plan> plan, std::shared_ptr<Variables> variables,
                  CountConstants count_constants = nullptr);

  const std::shared_ptr<const Plan>& plan() const { return plan_; }
  const Program& program() const { return *plan_->program; }
  // False if the outputs have sizes that only the run tells.
  bool is_static() const { return plan_->rest == nullptr; }

  // Constants in a block of program().ConstantBytes(), or where they stand. Without them they stay where
  // the program has them.
  void UseConstants(SharedBytes block);
  void UseConstants(PlacedConstants constants);
  bool has_placed_constants() const { return has_placed_constants_.load(std::memory_order_acquire); }
  // Intermediate values in a block of program().arena_bytes, for one run at a time; may be exchanged between
  // runs. Without it every run takes work memory of its device.
  void UseArena(SharedBytes block);

  // Whatever a first run needs is there for a moment, so that a lack of it is known now.
  void Reserve(int device);
  // What a run reads and writes besides, where all sizes are known.
  std::size_t io_bytes() const { return io_bytes_; }

  // Only where is_static(): outputs of the sizes the program says, hidden ones included.
  void Run(int device, std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs);
  // The same in an arena that is the caller's alone.
  void RunIn(std::byte* arena, std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs);
  // Always.
  std::vector<TensorValue> Run(int device, const std::vector<TensorValue>& inputs);

 private:
  // The pointers of all kernels, for one arena.
  struct Slot {
    explicit Slot(std::shared_ptr<const Program> program) : execution(std::move(program)) {}
    Execution execution;
    std::byte* arena = nullptr;
    bool bound = false;
    std::vector<std::byte*> variables;
  };
  std::unique_ptr<Slot> TakeSlot(std::byte* arena);
  void GiveSlot(std::unique_ptr<Slot> slot);
  void Bind(Slot& slot, std::byte* arena);
  void RunInWorkMemory(int device, std::span<const std::byte* const> inputs,
                       std::span<std::byte* const> outputs);
  void CountOnce();

  const std::shared_ptr<const Plan> plan_;
  const std::shared_ptr<Variables> variables_;
  const CountConstants count_constants_;
  std::vector<ProgramVariable> used_;  // by all stages
  std::size_t io_bytes_ = 0;
  std::atomic<bool> counted_{false}, reserved_{false};

  std::mutex mutex_;                         // guards all below
  std::vector<std::unique_ptr<Slot>> idle_;  // nobody runs in them; the latest last
  std::size_t slots_ = 0;                    // that were made
  PlacedConstants constants_;
  std::atomic<bool> has_placed_constants_{false};
  SharedBytes arena_;

  std::atomic<bool> shares_arena_{false};
  RunTurn turn_;  // of runs in arena_
};

}  // namespace foothold
