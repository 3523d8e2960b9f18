// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/run.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "device/stream.h"
#include "dump/dumps.h"
#include "program/waiting_steps.h"

namespace foothold::aclnn {
namespace {

std::string NameOf(const Form& form, ArgumentPlace place) {
  const Parameter& parameter = form.function->parameters[place.parameter];
  if (parameter.kind == Kind::kTensorList) return fmt::format("'{}' {}", parameter.name, place.member);
  return fmt::format("'{}'", parameter.name);
}

// One run, which ends in the list of its form.
class NnRun final : public Launch {
 public:
  static LaunchPtr<NnRun> Make(std::shared_ptr<Form> form) {
    auto idle = form->idle.Take();
    LaunchPtr<NnRun> run(idle ? static_cast<NnRun*>(idle.release()) : new NnRun);
    run->form_ = std::move(form);
    return run;
  }

  void Bind(const Executor& executor) {
    run.Begin(form_->program);
    run.UseValues(executor.values);
    for (std::size_t i = 0; i < form_->inputs.size(); ++i)
      BindInput(executor, i);
    if (!placed()) return Remember(executor);
    for (std::size_t i = 0; i < form_->outputs.size(); ++i)
      run.BindOutput(i, MemoryOf(executor, i), kParamInvalid, *this);
    run.SeparateOutputs(form_->sharing);
  }

  void Run() override {
    if (placed()) return Launch::Run();
    run.CheckAlive(*this);
    const auto results = run.RunStages(scope, run.program().inputs);
    for (std::size_t i = 0; i < results.size(); ++i)
      Place(i, results[i]);
  }

  std::string Describe() const override { return form_->function->name; }
  std::string InputName(std::size_t index) const override {
    return NameOf(*form_, form_->inputs[index].place);
  }
  std::string OutputName(std::size_t index) const override {
    return NameOf(*form_, form_->outputs[index].place);
  }
  bool is_short() const override {
    constexpr std::size_t kFewBytes = 4096;
    return placed() && run.program().steps.size() <= 2 && run.prepared().io_bytes() <= kFewBytes &&
           !HasWaitingStep(run.program());
  }
  bool only_runs() const override { return placed(); }
  std::unique_ptr<Launch> Clone() const override { return std::make_unique<NnRun>(*this); }
  void End() noexcept override {
    const std::shared_ptr<const Form> form = std::move(form_);
    run.Drop();
    scope = {};
    told_.clear();
    form->idle.Give(std::unique_ptr<Launch>(this));
  }

 private:
  // Where an output goes whose size is told.
  struct Told {
    RunMemory memory;
    std::shared_ptr<ToldShape> shape;
  };

  bool placed() const { return form_->program->is_static(); }

  void BindInput(const Executor& executor, std::size_t index) {
    const FormInput& input = form_->inputs[index];
    const std::size_t bytes = form_->input_bytes[index];
    if (input.value != FormInput::kTensor)
      return run.BindValue(index, form_->values[static_cast<std::size_t>(input.value)].offset, bytes);
    run.BindInput(index, MemoryAt(executor.tensors[input.tensor], bytes), kParamInvalid, *this);
  }

  GivenMemory MemoryAt(const BoundTensor& tensor, std::size_t bytes) const {
    if (tensor.data == nullptr && bytes > 0)
      Fail(kParamNull, "tensor {} has no address", NameOf(*form_, tensor.place));
    return {tensor.address(), bytes};
  }

  GivenMemory MemoryOf(const Executor& executor, std::size_t output) const {
    return MemoryAt(executor.tensors[form_->outputs[output].tensor], form_->output_bytes[output]);
  }

  void Remember(const Executor& executor) {
    told_.clear();
    for (std::size_t i = 0; i < form_->outputs.size(); ++i) {
      const GivenMemory given = MemoryOf(executor, i);
      const RunMemory memory(given.address, given.bytes, Use::kWrite, given.kind, kParamInvalid,
                             [&] { return OutputName(i); });
      told_.push_back({memory, executor.shapes[i]});
    }
  }

  void Place(std::size_t index, const TensorValue& result) const {
    const Told& told = told_[index];
    const std::size_t room = told.memory.size();
    const bool fits = form_->outputs[index].told ? result.size() <= room : result.size() == room;
    if (!fits)
      Fail(kInvalidParam, "{}: {} has room for {} bytes, and the result is {}", form_->function->name,
           OutputName(index), room, ToString(result.type()));
    told.memory.CheckAlive([&] { return OutputName(index); });
    if (result.size() > 0) std::memcpy(told.memory.data(), result.data(), result.size());
    if (told.shape) told.shape->Tell(result.dims());
  }

  std::shared_ptr<Form> form_;
  std::vector<Told> told_;
};

}  // namespace

void QueueRun(const Executor& executor, const StreamRef& stream, const char* api,
              const std::optional<Access>& workspace) {
  if (!executor.form->program) return;
  auto run = NnRun::Make(executor.form);
  run->Bind(executor);
  run->scope.dump = Dumps::Get().Operators(stream->device());
  run->scope.device = stream->device();
  run->RunsOn(*stream.stream);
  run->scope.workspace = workspace;
  Queue(std::move(run), stream, api);
}

}  // namespace foothold::aclnn
