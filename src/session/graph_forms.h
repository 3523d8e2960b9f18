// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The compiled forms of one graph: one for each set of types its runs have come with, and one for the shapes
// the graph says, if it says them. Any thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "launch/prepared_programs.h"
#include "session/graph_inputs.h"

namespace foothold {

class GraphForms {
 public:
  using CountConstants = PreparedProgram::CountConstants;
  GraphForms(std::shared_ptr<Variables> variables, CountConstants count)
      : variables_(std::move(variables)), count_(std::move(count)) {}

  // Only if it is there, and the inputs are on the host and just what it takes. A pointer that is right
  // already is left alone. False: none.
  bool Find(std::span<const RunInput> inputs, std::shared_ptr<PreparedProgram>& form);
  // Compiles what is missing, by rules that may be functions of the program; no lock is held.
  std::shared_ptr<PreparedProgram> For(const GraphSlot& graph, const std::vector<TensorValue>& inputs);
  std::shared_ptr<PreparedProgram> Make(const GraphSlot& graph, const std::vector<TensorType>& types);
  std::shared_ptr<PreparedProgram> latest() const { return programs_.latest(); }

  std::shared_ptr<PreparedProgram> declared() const;
  bool IsDeclared(const PreparedProgram& form) const noexcept {
    return declared_now_.load(std::memory_order_acquire) == &form;
  }
  void SetDeclared(std::shared_ptr<PreparedProgram> form);
  // The same if there is none yet.
  void DeclareFirst(const std::shared_ptr<PreparedProgram>& form);

 private:
  const std::shared_ptr<Variables> variables_;
  const CountConstants count_;
  PreparedPrograms programs_;
  std::atomic<const PreparedProgram*> declared_now_{nullptr};
  mutable std::mutex mutex_;  // guards declared_
  std::shared_ptr<PreparedProgram> declared_;
};

}  // namespace foothold
