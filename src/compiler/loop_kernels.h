// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Kernels that run programs: branches and loops whose shapes are known. Made by compiler/control_flow.
#pragma once

#include <memory>
#include <vector>

#include "compiler/control_flow.h"
#include "program/program.h"

namespace foothold {

enum class Choice { kTruth, kIndex };

// The branch a value chooses: for a truth value 0 or 1 (a tensor that is no scalar is true if it has
// elements), for an index the branch of that number, or the last if there is none.
std::size_t ChooseBranch(Choice choice, const TensorValue& value, std::size_t branches);

// The chooser is input 0, of type `chooser`; the programs take what follows among `ports` inputs.
LoweredControlFlow LowerChoice(std::vector<std::shared_ptr<const Program>> programs, Choice choice,
                               const TensorType& chooser, int ports);

// Repeats `body` on values of these types while `condition` gives true for them.
LoweredControlFlow LowerLoop(std::shared_ptr<const Program> condition, std::shared_ptr<const Program> body,
                             const std::vector<TensorType>& carried);

// Inputs of a counting loop that are not passed on: start, limit, delta.
constexpr int kCountPorts = 3;

// The numbers a counting loop goes through: from start by delta, up to limit without it.
class LoopCount {
 public:
  // Each is one int32. Throws kInvalidParam if delta is 0.
  LoopCount(const std::byte* start, const std::byte* limit, const std::byte* delta);
  bool done() const { return delta_ > 0 ? now_ >= limit_ : now_ <= limit_; }
  void Next() { now_ += delta_; }
  std::int32_t now() const { return static_cast<std::int32_t>(now_); }

 private:
  std::int64_t now_, limit_, delta_;
};

// Runs `body` on the number and values of these types for each number of the inputs start, limit and delta.
// With `returns_number` the first output of the body is the number, which is given back after the last time.
LoweredControlFlow LowerCountingLoop(std::shared_ptr<const Program> body,
                                     const std::vector<TensorType>& carried, bool returns_number);

}  // namespace foothold
