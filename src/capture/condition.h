// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Conditions in a capture: a value the program's tasks write, and children of the instance that are run as it
// says. A child is an instance of its own, captured like any other; it is empty at first and goes with its
// parent. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/handled_state.h"
#include "capture/condition_cell.h"
#include "capture/control.h"
#include "capture/instance.h"

namespace foothold {

class Condition final : public Control {
 public:
  enum class Kind { kIf = 0, kWhile = 1, kSwitch = 2 };

  Condition(Kind kind, std::shared_ptr<ConditionCell> cell, std::vector<std::shared_ptr<Instance>> children)
      : kind_(kind), cell_(std::move(cell)), children_(std::move(children)) {}

  Outcome Reach(LaneRun& lane, Stream& stream) override;
  std::string Describe() const override;
  // A loop may be one without an end.
  Place place() const override { return {Place::kUnhurried}; }
  void ListAccesses(std::vector<Access>& list) const override;

  const std::vector<std::shared_ptr<Instance>>& children() const { return children_; }

 private:
  // The child that the value chooses; null for none.
  std::shared_ptr<Instance> Chosen() const;
  bool IsOthersTurn(Stream& stream);

  const Kind kind_;
  const std::shared_ptr<ConditionCell> cell_;
  const std::vector<std::shared_ptr<Instance>> children_;
  // The run that goes on, and how its loop does.
  std::uint64_t run_ = 0;
  std::uint64_t failures_before_ = 0;
  std::uint32_t rounds_ = 0;
};

// What a condition handle means.
struct ConditionHandle {
  std::weak_ptr<Instance> instance;
  std::shared_ptr<ConditionCell> cell;
};

// The condition handles of the process. They end with their instance; a forked child starts with none.
class ConditionHandles {
 public:
  static ConditionHandles& Get();

  void* Add(std::shared_ptr<ConditionHandle> condition);
  // Throws 107000 for what is no condition of a live instance.
  std::shared_ptr<ConditionHandle> Find(const void* handle) const;
  void Remove(const void* handle) noexcept;
  void RemoveOf(const Instance& instance) noexcept;

 private:
  class Slot : public HandledState<ConditionHandle> {};

  HandlePool<Slot> pool_{HandleKind::kCondition};
};

}  // namespace foothold
