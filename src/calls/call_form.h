// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What one kind of call of an operator needs, prepared: the program, and which tensors and values of a call
// its inputs and outputs are. Kept for the next call of the kind. Each API of operators derives its own,
// which knows how such a call is described. Immutable once it is prepared, any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/process_number.h"
#include "calls/call_cache.h"
#include "launch/launch.h"
#include "launch/memory_sharing.h"
#include "launch/prepared_program.h"

namespace foothold {

// A tensor of the call, or a part of the values that come with it.
struct CallInput {
  static constexpr std::size_t kTensor = SIZE_MAX;

  std::size_t bytes = 0;
  std::uint32_t tensor = 0;     // by its number in the call
  std::size_t value = kTensor;  // else: where it begins among the values
};

struct CallOutput {
  std::size_t bytes = 0;  // the most, where the run tells
  std::uint32_t tensor = 0;
  bool told = false;  // only the run tells its size
};

class CallForm {
 public:
  CallForm() = default;
  CallForm(const CallForm&) = delete;
  CallForm& operator=(const CallForm&) = delete;
  virtual ~CallForm() = default;

  // For messages. Ports are those of the program.
  virtual std::string Describe() const = 0;
  virtual std::string InputName(std::size_t index) const = 0;
  virtual std::string OutputName(std::size_t index) const = 0;

  // All results have sizes that are known now, or there is nothing to do.
  bool is_placed() const { return !program || program->is_static(); }
  // False for one of the process that forked this one: threads of that may hold its locks for ever.
  bool IsOfThisProcess() const { return process_ == ProcessNumber::Now(); }

  std::shared_ptr<PreparedProgram> program;  // null: there is nothing to do
  std::vector<CallInput> inputs;             // by input of the program
  std::vector<CallOutput> outputs;           // by output of the program
  MemorySharing sharing;                     // where it is placed
  std::uint64_t hash = 0;                    // of its key (kept_forms.h)
  mutable IdleLaunches idle;
  LastUse used;

 private:
  const std::uint64_t process_ = ProcessNumber::Now();
};

}  // namespace foothold
