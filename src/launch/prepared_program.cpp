// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "launch/prepared_program.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory_resource>
#include <optional>
#include <utility>

#include "base/error.h"
#include "device/run_device.h"
#include "launch/work_memory.h"
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

PreparedProgram::PreparedProgram(std::shared_ptr<const Plan> plan, std::shared_ptr<Variables> variables,
                                 CountConstants count_constants)
    : plan_(std::move(plan)),
      variables_(variables || !plan_->rest ? std::move(variables) : std::make_shared<Variables>()),
      count_constants_(std::move(count_constants)),
      used_(plan_->program->variables) {
  for (const TensorValue& constant : program().constants)
    constants_.addresses.push_back(constant.data());
  for (const auto* types : {&program().inputs, &program().outputs})
    for (const TensorType& type : *types)
      io_bytes_ += ByteSize(type);
  if (!plan_->rest) return;
  AddVariablesOf(*plan_->rest->owner, used_);
  AddVariablesOf(plan_->rest->executable->graph(), used_);
}

void PreparedProgram::UseConstants(SharedBytes block) {
  const std::vector<std::size_t> offsets = program().ConstantOffsets();
  PlacedConstants placed;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const TensorValue& constant = program().constants[i];
    if (constant.size() > 0) std::memcpy(block.get() + offsets[i], constant.data(), constant.size());
    placed.addresses.push_back(block.get() + offsets[i]);
  }
  placed.blocks.push_back(std::move(block));
  UseConstants(std::move(placed));
}

void PreparedProgram::UseConstants(PlacedConstants constants) {
  FOOTHOLD_CHECK(constants.addresses.size() == program().constants.size());
  std::vector<std::unique_ptr<Slot>> outdated;
  std::lock_guard<std::mutex> lock(mutex_);
  if (has_placed_constants()) return;  // runs go on that read them
  constants_ = std::move(constants);
  outdated.swap(idle_);
  has_placed_constants_.store(true, std::memory_order_release);
}

void PreparedProgram::UseArena(SharedBytes block) {
  // A run that has called the function this thread is in goes on in the last one.
  const RunTurnScope turn(turn_, !IsInsideRun());
  SharedBytes before;  // maybe of the program's pool, which gets it back after the lock is gone
  std::lock_guard<std::mutex> lock(mutex_);
  before = std::exchange(arena_, std::move(block));
  shares_arena_.store(arena_ != nullptr, std::memory_order_release);
}

void PreparedProgram::CountOnce() {
  if (!count_constants_ || counted_.load(std::memory_order_acquire)) return;
  if (!has_placed_constants()) count_constants_(program().ConstantBytes());
  counted_.store(true, std::memory_order_release);
}

void PreparedProgram::Reserve(int device) {
  if (reserved_.load(std::memory_order_relaxed) || !is_static()) return;
  CountOnce();
  SharedBytes arena;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    arena = arena_;
  }
  const WorkMemory::Block work(WorkMemory::Of(device), arena ? 0 : program().arena_bytes);
  GiveSlot(TakeSlot(arena ? arena.get() : work.address()));
  reserved_.store(true, std::memory_order_relaxed);
}

// Most runs come back to the memory they had the last time.
std::unique_ptr<PreparedProgram::Slot> PreparedProgram::TakeSlot(std::byte* arena) {
  std::unique_ptr<Slot> slot;
  std::lock_guard<std::mutex> lock(mutex_);
  if (!idle_.empty() && idle_.back()->arena != arena) {
    const auto bound =
        std::find_if(idle_.begin(), idle_.end(), [&](const auto& one) { return one->arena == arena; });
    if (bound != idle_.end()) std::swap(*bound, idle_.back());
  }
  if (!idle_.empty()) {
    slot = std::move(idle_.back());
    idle_.pop_back();
  } else {
    slot = std::make_unique<Slot>(plan_->program);
    idle_.reserve(++slots_);  // giving back never fails
  }
  if (!slot->bound || slot->arena != arena) Bind(*slot, arena);
  return slot;
}

void PreparedProgram::GiveSlot(std::unique_ptr<Slot> slot) {
  std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(std::move(slot));
}

// With the lock: the constants may move.
void PreparedProgram::Bind(Slot& slot, std::byte* arena) {
  slot.variables.clear();
  for (const ProgramVariable& variable : program().variables)
    slot.variables.push_back(variables_->Memory(variable));
  slot.execution.Bind(arena, constants_.addresses, slot.variables);
  slot.arena = arena;
  slot.bound = true;
}

void PreparedProgram::Run(int device, std::span<const std::byte* const> inputs,
                          std::span<std::byte* const> outputs) {
  const RunDevice run_device(device);
  if (!shares_arena_.load(std::memory_order_acquire)) return RunInWorkMemory(device, inputs, outputs);
  const RunTurnScope turn(turn_, !IsInsideRun());
  if (!turn.taken()) return RunInWorkMemory(device, inputs, outputs);
  SharedBytes arena;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    arena = arena_;
  }
  RunIn(arena.get(), inputs, outputs);
}

void PreparedProgram::RunInWorkMemory(int device, std::span<const std::byte* const> inputs,
                                      std::span<std::byte* const> outputs) {
  const std::size_t bytes = program().arena_bytes;
  if (bytes == 0) return RunIn(nullptr, inputs, outputs);
  const WorkMemory::Block work(WorkMemory::Of(device), bytes);
  RunIn(work.address(), inputs, outputs);
}

void PreparedProgram::RunIn(std::byte* arena, std::span<const std::byte* const> inputs,
                            std::span<std::byte* const> outputs) {
  FOOTHOLD_CHECK(is_static());
  CountOnce();
  std::optional<Variables::Use> using_variables;
  if (!used_.empty()) using_variables.emplace(*variables_, used_);
  auto slot = TakeSlot(arena);
  slot->execution.Run(inputs, outputs);  // a slot that failed is not used again
  GiveSlot(std::move(slot));
  if (!used_.empty()) variables_->NoteWritten(used_);
}

std::vector<TensorValue> PreparedProgram::Run(int device, const std::vector<TensorValue>& inputs) {
  if (!is_static()) {
    const RunDevice run_device(device);
    std::optional<Variables::Use> using_variables;
    if (!used_.empty()) using_variables.emplace(*variables_, used_);
    WrittenByStages variables(*variables_);
    auto outputs = RunStages(*plan_, inputs, variables,
                             [&](std::size_t bytes) { return WorkMemory::Of(device).Share(bytes); });
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
  Run(device, in, out);
  return outputs;
}

}  // namespace foothold
