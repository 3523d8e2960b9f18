// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs a program. Holds the pointers every kernel is called with, so that a run only puts in its inputs and
// outputs and then calls kernels: it allocates nothing. One thread at a time; several executions of one
// program may run at once, each with an arena of its own.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "program/program.h"

namespace foothold {

class Execution {
 public:
  explicit Execution(std::shared_ptr<const Program> program);

  const Program& program() const { return *program_; }

  // What stays from run to run. `arena` has program().arena_bytes; constants and variables as the program
  // lists them. All must live while runs go on.
  void Bind(std::byte* arena, std::span<const std::byte* const> constants,
            std::span<std::byte* const> variables);
  // Constants where the program itself keeps them.
  void Bind(std::byte* arena, std::span<std::byte* const> variables);

  // Inputs and outputs as the program lists them. Throws what a kernel throws, with the node named. Who
  // watches (program/run_observer.h) sees every step.
  void Run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs);

 private:
  struct Call {
    RunArgs args;
    const Kernel* kernel;
  };
  // Where the pointer of an input or output of the program has to be put.
  struct Patch {
    std::size_t argument;
    std::size_t index;
    std::size_t offset;
  };

  std::byte* Resolve(const ValuePlace& place) const;
  void RunObserved();
  [[noreturn]] void Rethrow(const Step& step) const;

  std::shared_ptr<const Program> program_;
  std::vector<Call> calls_;
  std::vector<std::byte*> arguments_;  // of all steps, one behind the other
  std::vector<int> argument_values_;   // the value each of them stands for
  std::vector<Patch> input_patches_, output_patches_;
  std::byte* arena_ = nullptr;
  std::span<const std::byte* const> constants_;
  std::span<std::byte* const> variables_;
  std::vector<const std::byte*> own_constants_;
};

}  // namespace foothold
