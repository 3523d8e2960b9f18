// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "calls/call_run.h"

#include <cstring>

#include "base/error.h"
#include "device/stream.h"
#include "dump/dumps.h"
#include "program/waiting_steps.h"

namespace foothold {

LaunchPtr<CallRun> CallRun::Make(std::shared_ptr<const CallForm> form) {
  auto idle = form->idle.Take();
  LaunchPtr<CallRun> run(idle ? static_cast<CallRun*>(idle.release()) : new CallRun);
  run->form_ = std::move(form);
  return run;
}

void CallRun::Bind(const BoundCall& call, const CallCodes& codes) {
  run.Begin(form_->program);
  run.UseValues(call.values);
  for (std::size_t i = 0; i < form_->inputs.size(); ++i)
    BindInput(i, call, codes);
  if (!is_placed()) return Remember(call, codes);
  for (std::size_t i = 0; i < form_->outputs.size(); ++i)
    run.BindOutput(i, OutputMemory(i, call, codes), codes.invalid, *this);
  run.SeparateOutputs(form_->sharing);
}

void CallRun::Run() {
  if (is_placed()) return Launch::Run();
  run.CheckAlive(*this);
  const auto results = run.RunStages(scope, run.program().inputs);
  for (std::size_t i = 0; i < results.size(); ++i)
    Place(i, results[i]);
}

bool CallRun::is_short() const {
  constexpr std::size_t kFewBytes = 4096;
  return is_placed() && run.program().steps.size() <= 2 && run.prepared().io_bytes() <= kFewBytes &&
         !HasWaitingStep(run.program());
}

void CallRun::End() noexcept {
  const std::shared_ptr<const CallForm> form = std::move(form_);
  run.Drop();
  scope = {};
  told_.clear();
  form->idle.Give(std::unique_ptr<Launch>(this));
}

GivenMemory CallRun::MemoryOf(const BoundTensor& tensor, std::size_t bytes, const CallCodes& codes,
                              std::string (CallForm::*name)(std::size_t) const, std::size_t index) const {
  if (tensor.data == nullptr && bytes > 0)
    Fail(codes.null, "tensor {} has no address", ((*form_).*name)(index));
  return {tensor.address(), bytes};
}

void CallRun::BindInput(std::size_t index, const BoundCall& call, const CallCodes& codes) {
  const CallInput& input = form_->inputs[index];
  if (input.value != CallInput::kTensor) return run.BindValue(index, input.value, input.bytes);
  run.BindInput(index, MemoryOf(call.tensors[input.tensor], input.bytes, codes, &CallForm::InputName, index),
                codes.invalid, *this);
}

GivenMemory CallRun::OutputMemory(std::size_t index, const BoundCall& call, const CallCodes& codes) const {
  const CallOutput& output = form_->outputs[index];
  return MemoryOf(call.tensors[output.tensor], output.bytes, codes, &CallForm::OutputName, index);
}

void CallRun::Remember(const BoundCall& call, const CallCodes& codes) {
  told_.clear();
  for (std::size_t i = 0; i < form_->outputs.size(); ++i) {
    const GivenMemory given = OutputMemory(i, call, codes);
    const RunMemory memory(given.address, given.bytes, Use::kWrite, given.kind, codes.invalid,
                           [&] { return OutputName(i); });
    told_.push_back({memory, call.told[i]});
  }
}

void CallRun::Place(std::size_t index, const TensorValue& result) const {
  const Told& told = told_[index];
  const std::size_t room = told.memory.size();
  const bool fits = form_->outputs[index].told ? result.size() <= room : result.size() == room;
  if (!fits)
    Fail(kInvalidParam, "{}: {} has room for {} bytes, and the result is {}", Describe(), OutputName(index),
         room, ToString(result.type()));
  told.memory.CheckAlive([&] { return OutputName(index); });
  if (result.size() > 0) std::memcpy(told.memory.data(), result.data(), result.size());
  if (told.shape) told.shape->Tell(result.dims());
}

void CallRun::RunsOn(const StreamRef& stream) {
  scope.dump = Dumps::Get().Operators(stream->device());
  scope.device = stream->device();
  Launch::RunsOn(*stream.stream);
}

}  // namespace foothold
