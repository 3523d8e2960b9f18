// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A run of a form with what a call has given: bound and checked when the call is made, run when its turn on
// the stream comes. The same for all APIs of operators. Any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "calls/bound_call.h"
#include "calls/call_form.h"
namespace foothold {

struct StreamRef;

// How an API answers for what is wrong with memory.
struct CallCodes {
  Code null;     // a tensor has no address
  Code invalid;  // an address is none, or has not enough memory behind it
};

// Ends in the list of its form.
class CallRun final : public Launch {
 public:
  static LaunchPtr<CallRun> Make(std::shared_ptr<const CallForm> form);

  // All inputs and outputs of the form. Outputs whose sizes only the run tells are placed when it has run.
  // Whoever knows more than the form binds `run` instead, maybe to a program that fits still better.
  void Bind(const BoundCall& call, const CallCodes& codes);
  // Sizes of all results are known. After it was bound.
  bool is_placed() const { return run.prepared().is_static(); }
  // Watched by whoever dumps operators, and by who looks for overflows on the stream.
  void RunsOn(const StreamRef& stream);

  void Run() override;
  std::string Describe() const override { return form_->Describe(); }
  std::string InputName(std::size_t index) const override { return form_->InputName(index); }
  std::string OutputName(std::size_t index) const override { return form_->OutputName(index); }
  bool is_short() const override;
  bool only_runs() const override { return is_placed(); }
  std::unique_ptr<Launch> Clone() const override { return std::make_unique<CallRun>(*this); }
  void End() noexcept override;

 private:
  // Where an output goes whose size is told.
  struct Told {
    RunMemory memory;
    std::shared_ptr<ToldShape> shape;
  };

  GivenMemory MemoryOf(const BoundTensor& tensor, std::size_t bytes, const CallCodes& codes,
                       std::string (CallForm::*name)(std::size_t) const, std::size_t index) const;
  void BindInput(std::size_t index, const BoundCall& call, const CallCodes& codes);
  GivenMemory OutputMemory(std::size_t index, const BoundCall& call, const CallCodes& codes) const;
  void Remember(const BoundCall& call, const CallCodes& codes);
  void Place(std::size_t index, const TensorValue& result) const;

  std::shared_ptr<const CallForm> form_;
  std::vector<Told> told_;
};

}  // namespace foothold
