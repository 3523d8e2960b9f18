// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/plan_runner.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory_resource>
#include <optional>
#include <utility>

#include "base/error.h"
#include "program/run_observer.h"

namespace foothold {
namespace {

// Every variable a later stage might touch, as written: which of them it writes is known only when it is
// compiled.
void AddVariablesOf(const Graph& graph, std::vector<ProgramVariable>& used) {
  for (const Node* node : graph.nodes()) {
    if (node->type() == "Variable") used.push_back({node->name(), node->outputs().at(0).desc, true, {}});
    for (const Subgraph& subgraph : node->subgraphs)
      if (subgraph.graph) AddVariablesOf(*subgraph.graph, used);
  }
}

// What a later stage writes is known when it is compiled, in the middle of the run.
class WrittenByStages final : public VariableStore {
 public:
  explicit WrittenByStages(Variables& variables) : variables_(variables) {}

  std::byte* Memory(const ProgramVariable& variable) override {
    std::byte* const memory = variables_.Memory(variable);
    if (variable.written) written_.push_back(variable);
    return memory;
  }
  const std::vector<ProgramVariable>& written() const { return written_; }

 private:
  Variables& variables_;
  std::vector<ProgramVariable> written_;
};

}  // namespace

PlanRunner::PlanRunner(std::shared_ptr<const Plan> plan, std::shared_ptr<Variables> variables,
                       RunnerMemory memory)
    : plan_(std::move(plan)),
      variables_(std::move(variables)),
      used_(plan_->program->variables),
      memory_(std::move(memory)) {
  for (const TensorValue& constant : program().constants)
    constants_.push_back(constant.data());
  for (const auto* types : {&program().inputs, &program().outputs})
    for (const TensorType& type : *types)
      io_bytes_ += ByteSize(type);
  if (!plan_->rest) return;
  AddVariablesOf(*plan_->rest->owner, used_);
  AddVariablesOf(plan_->rest->executable->graph(), used_);
}

void PlanRunner::UseConstants(SharedBytes block) {
  const std::vector<std::size_t> offsets = program().ConstantOffsets();
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const TensorValue& constant = program().constants[i];
    if (constant.size() > 0) std::memcpy(block.get() + offsets[i], constant.data(), constant.size());
    constants_[i] = block.get() + offsets[i];
  }
  constant_block_ = std::move(block);
}

void PlanRunner::UseConstants(std::vector<const std::byte*> constants) {
  FOOTHOLD_CHECK(constants.size() == program().constants.size());
  constants_ = std::move(constants);
}

void PlanRunner::UseArena(SharedBytes block) {
  // A run that has called the function this thread is in goes on in the last one.
  const RunTurnScope turn(turn_, !IsInsideRun());
  SharedBytes before;  // maybe of the program's pool, which gets it back after the lock is gone
  std::lock_guard<std::mutex> lock(mutex_);
  before = std::exchange(arena_, std::move(block));
  shares_arena_.store(arena_ != nullptr, std::memory_order_release);
}

void PlanRunner::UsePoolConstants(PooledConstants::Places constants) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (has_pool_constants()) return;
  pool_constants_ = std::move(constants);
  has_pool_constants_.store(true, std::memory_order_release);
}

void PlanRunner::Reserve() {
  if (reserved_.load(std::memory_order_relaxed) || !is_static()) return;
  if (!shares_arena_.load(std::memory_order_acquire)) GiveSlot(TakeSlot(), free_);
}

void PlanRunner::DropIdleArenas() {
  std::vector<std::unique_ptr<Slot>> idle;
  std::lock_guard<std::mutex> lock(mutex_);
  idle.swap(free_);
}

std::unique_ptr<PlanRunner::Slot> PlanRunner::TakeSlot() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!free_.empty()) {
      auto slot = std::move(free_.back());
      free_.pop_back();
      return slot;
    }
  }
  auto slot = std::make_unique<Slot>(plan_->program);
  if (memory_.count_constants && !constant_block_) memory_.count_constants(program().ConstantBytes());
  slot->arena = memory_.arena(program().arena_bytes);
  BindSlot(*slot, slot->arena.get(), constants_);
  reserved_.store(true, std::memory_order_relaxed);
  return slot;
}

void PlanRunner::GiveSlot(std::unique_ptr<Slot> slot, std::vector<std::unique_ptr<Slot>>& to) {
  std::lock_guard<std::mutex> lock(mutex_);
  to.push_back(std::move(slot));
}

void PlanRunner::BindSlot(Slot& slot, std::byte* arena, std::span<const std::byte* const> constants) const {
  slot.variables.clear();
  for (const ProgramVariable& variable : program().variables)
    slot.variables.push_back(variables_->Memory(variable));
  slot.execution.Bind(arena, constants, slot.variables);
}

// A slot for memory that is not the runner's: most runs come back to the same.
std::unique_ptr<PlanRunner::Slot> PlanRunner::TakeSlotIn(std::byte* arena) {
  std::unique_ptr<Slot> slot;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto bound =
        std::find_if(lent_.begin(), lent_.end(), [&](const auto& one) { return one->lent_arena == arena; });
    if (bound != lent_.end()) std::swap(*bound, lent_.back());
    if (!lent_.empty()) {
      slot = std::move(lent_.back());
      lent_.pop_back();
    }
  }
  if (slot && slot->lent_arena == arena) return slot;
  if (!slot) slot = std::make_unique<Slot>(plan_->program);
  slot->lent_arena = arena;
  BindSlot(*slot, arena, has_pool_constants() ? pool_constants_.addresses : constants_);
  return slot;
}

void PlanRunner::Run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs) {
  if (!shares_arena_.load(std::memory_order_acquire)) return RunInOwn(inputs, outputs);
  const RunTurnScope turn(turn_, !IsInsideRun());
  if (!turn.taken()) return RunInOwn(inputs, outputs);
  SharedBytes arena;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    arena = arena_;
  }
  RunIn(arena.get(), inputs, outputs);
}

void PlanRunner::RunInOwn(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs) {
  FOOTHOLD_CHECK(is_static());
  std::optional<Variables::Use> using_variables;
  if (!used_.empty()) using_variables.emplace(*variables_, used_);
  auto slot = TakeSlot();
  slot->execution.Run(inputs, outputs);  // a slot that failed is not used again
  GiveSlot(std::move(slot), free_);
  if (!used_.empty()) variables_->NoteWritten(used_);
}

void PlanRunner::RunIn(std::byte* arena, std::span<const std::byte* const> inputs,
                       std::span<std::byte* const> outputs) {
  FOOTHOLD_CHECK(is_static());
  std::optional<Variables::Use> using_variables;
  if (!used_.empty()) using_variables.emplace(*variables_, used_);
  auto slot = TakeSlotIn(arena);
  slot->execution.Run(inputs, outputs);
  GiveSlot(std::move(slot), lent_);
  if (!used_.empty()) variables_->NoteWritten(used_);
}

std::vector<TensorValue> PlanRunner::Run(const std::vector<TensorValue>& inputs) {
  if (!is_static()) {
    std::optional<Variables::Use> using_variables;
    if (!used_.empty()) using_variables.emplace(*variables_, used_);
    WrittenByStages variables(*variables_);
    auto outputs = RunStages(*plan_, inputs, variables, memory_.arena);
    variables_->NoteWritten(variables.written());
    return outputs;
  }
  std::vector<TensorValue> outputs;
  outputs.reserve(program().outputs.size());
  std::array<std::byte, 512> room;  // the lists of most graphs fit
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
  std::pmr::vector<const std::byte*> in(&memory);
  std::pmr::vector<std::byte*> out(&memory);
  in.reserve(inputs.size());
  out.reserve(program().outputs.size());
  for (const TensorValue& input : inputs)
    in.push_back(input.data());
  for (const TensorType& type : program().outputs)
    out.push_back(outputs.emplace_back(type).mutable_data());
  Run(in, out);
  return outputs;
}

}  // namespace foothold
