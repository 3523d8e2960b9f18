// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "launch/launch_join.h"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "device/memory_map.h"
#include "launch/launch.h"
#include "program/run_observer.h"

namespace foothold {
namespace {

// The first run plans it: what is captured may never run.
class JoinedLaunches final : public JoinedTasks {
 public:
  JoinedLaunches(ChainJoin calls, std::vector<LaunchJoin::Checked> memory,
                 std::vector<std::shared_ptr<ModelDump>> dumps)
      : calls_(std::move(calls)), memory_(std::move(memory)), dumps_(std::move(dumps)) {}

  std::size_t size() const noexcept override { return calls_.calls(); }
  bool Run() override {
    if (IsEveryNodeNeeded() || IsDumped() || !IsAlive() || !IsPlanned()) return false;
    chain_->Run();
    return true;
  }

 private:
  bool IsPlanned() {
    if (chain_) return true;
    try {
      chain_.emplace(calls_.Finish());
    } catch (const std::bad_alloc&) {  // they can run without
    }
    return chain_.has_value();
  }
  bool IsDumped() const {
    return std::any_of(dumps_.begin(), dumps_.end(), [](const auto& dump) { return dump->active(); });
  }
  // As CheckAlive, but that nobody is told.
  bool IsAlive() const {
    const MemoryMap& map = MemoryMap::Get();
    return std::all_of(memory_.begin(), memory_.end(), [&](const LaunchJoin::Checked& memory) {
      const MemoryInfo info = map.Find(memory.given);
      return info.serial == memory.serial &&
             info.Holds(reinterpret_cast<std::uintptr_t>(memory.given), memory.bytes);
    });
  }

  const ChainJoin calls_;
  std::optional<JoinedChain> chain_;
  const std::vector<LaunchJoin::Checked> memory_;
  const std::vector<std::shared_ptr<ModelDump>> dumps_;
};

// Bytes of other kinds may have a second address.
bool HasOneAddress(const RunMemory& memory) {
  return memory.size() == 0 || MemoryMap::Get().Find(memory.given()).kind == MemoryKind::kDevice;
}

}  // namespace

bool LaunchJoin::ListMemory(const Launch& launch) {
  const Program& program = launch.run.program();
  const auto list = [&](const std::optional<BoundRun::Found>& found, std::size_t offset,
                        std::vector<ChainJoin::Memory>& to) {
    if (!found) return false;
    to.push_back({found->data + offset, found->bytes - offset});
    const RunMemory* const memory = found->memory;
    if (memory == nullptr || memory->size() == 0) return true;
    const Checked checked{memory->given(), memory->size(), memory->serial()};
    if (std::find(memory_.begin(), memory_.end(), checked) != memory_.end()) return true;
    if (!HasOneAddress(*memory)) return false;
    found_.push_back(checked);
    return true;
  };
  const auto place_of = [&](int value) {
    return value < 0 ? ValuePlace{} : program.values[static_cast<std::size_t>(value)];
  };
  for (const int value : program.steps[0].inputs) {
    const ValuePlace place = place_of(value);
    if (place.home == Home::kConstant) {
      const TensorValue& constant = program.constants[place.index];
      inputs_.push_back(
          {const_cast<std::byte*>(constant.data()) + place.offset, constant.size() - place.offset});
    } else if (place.home != Home::kInput ||
               !list(launch.run.FindInput(place.index), place.offset, inputs_)) {
      return false;
    }
  }
  for (const int value : program.steps[0].outputs) {
    const ValuePlace place = place_of(value);
    if (place.home != Home::kOutput || !list(launch.run.FindOutput(place.index), place.offset, outputs_))
      return false;
  }
  return outputs_.size() == program.outputs.size();
}

bool LaunchJoin::Append(const Launch& launch) {
  const RunScope& scope = launch.scope;
  if (!launch.only_runs() || launch.delivers() || scope.overflow || scope.model != RunScope::kNoModel)
    return false;
  const Program& program = launch.run.program();
  if (program.steps.size() != 1 || !program.variables.empty()) return false;
  const ChainSpec* const spec = ChainOf(*program.steps[0].kernel);
  if (spec == nullptr) return false;
  inputs_.clear();
  outputs_.clear();
  found_.clear();
  if (!ListMemory(launch) || !chain_.Append(*spec, inputs_, outputs_)) return false;
  memory_.insert(memory_.end(), found_.begin(), found_.end());
  if (scope.dump != nullptr && std::find(dumps_.begin(), dumps_.end(), scope.dump) == dumps_.end())
    dumps_.push_back(scope.dump);
  return true;
}

std::unique_ptr<JoinedTasks> LaunchJoin::Finish() {
  if (chain_.calls() < 2) return nullptr;
  return std::make_unique<JoinedLaunches>(std::move(chain_), std::move(memory_), std::move(dumps_));
}

}  // namespace foothold
