// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/op_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "device/memory_map.h"
#include "device/stream.h"
#include "dump/dumps.h"
#include "dump/operator_arguments.h"
#include "launch/launch.h"
#include "program/waiting_steps.h"
#include "single_op/op_codes.h"

namespace foothold {
namespace {

void CheckSize(const char* kind, int tensor, const TensorType& type, std::size_t needed, std::size_t given,
               Code code) {
  if (given < needed)
    Fail(code, "{} {} is {}, which takes {} bytes; its data buffer has {}", kind, tensor, ToString(type),
         needed, given);
}

// Whose size is known before the run has the elements that were said; of another one programs say the most.
enum class Known { kBefore, kByRun };

bool FitsSaid(const Dims& said, const Dims& dims, Known known) {
  if (!IsStatic(said)) return true;
  return known == Known::kByRun ? ElementCount(dims) <= ElementCount(said)
                                : ElementCount(dims) == ElementCount(said);
}

void CheckOutput(const TensorDesc& desc, int tensor, const TensorType& type, bool may_tell, Known known) {
  const Dims& said = desc.shape().dims();
  if (desc.type() != type.type || !FitsSaid(said, type.dims, known))
    Fail(kOpOutputNotMatch, "output {} is {}, and was described as {}", tensor, ToString(type),
         ToString(TensorType{desc.type(), desc.format, said}));
  if (!IsStatic(said) && !may_tell)
    Fail(kOpUnsupportedDynamic,
         "output {} was described as {}: this call cannot tell its size; the one whose name ends in V2 can",
         tensor, ToString(said));
}

void Tell(TensorDesc& desc, const Dims& dims, Known known) {
  if (known == Known::kByRun || !IsStatic(desc.shape().dims()))
    desc.SetShape(Shape(static_cast<int>(dims.size()), dims.data()));
}

// One run, which ends in the list of its operator.
class OpRun final : public Launch {
 public:
  static LaunchPtr<OpRun> Make(std::shared_ptr<const ReadyOp> ready) {
    auto idle = ready->idle.Take();
    LaunchPtr<OpRun> run(idle ? static_cast<OpRun*>(idle.release()) : new OpRun);
    run->ready_ = std::move(ready);
    return run;
  }

  void Bind(const OpCall& call, const OpTensors& tensors) {
    run.Begin(ready_->program);
    for (std::size_t i = 0; i < ready_->binding.inputs.size(); ++i)
      BindInput(i, call, tensors);
    if (!placed()) UseHostValues(call, tensors);
    if (!placed()) return;
    for (std::size_t i = 0; i < ready_->binding.outputs.size(); ++i)
      PlaceOutput(i, run.program().outputs[i], Known::kBefore, call, tensors,
                  [&](const GivenMemory& given) { run.BindOutput(i, given, kInvalidParam, *this); });
    run.SeparateOutputs([&](std::size_t input, std::size_t output) { return MayShare(input, output); });
  }
  bool placed() const { return run.prepared().is_static(); }

  // Where it is not placed.
  void RunAndPlace(const OpCall& call, const OpTensors& tensors) {
    run.TellTouches();
    const std::vector<TensorValue> results = run.RunStages(scope, InputTypes(call));
    for (std::size_t i = 0; i < results.size(); ++i)
      PlaceOutput(i, results[i].type(), Known::kByRun, call, tensors, [&](const GivenMemory& given) {
        PlaceResult(results[i], given, kInvalidParam, [&] { return OutputName(i); });
      });
  }

  std::string Describe() const override { return fmt::format("opType={}", ready_->op->type()); }
  std::string InputName(std::size_t index) const override {
    return fmt::format("input {}", ready_->binding.inputs[index]);
  }
  std::string OutputName(std::size_t index) const override {
    return fmt::format("output {}", ready_->binding.outputs[index]);
  }
  bool is_short() const override {
    constexpr std::size_t kFewBytes = 4096;
    return run.program().steps.size() <= 1 && run.prepared().io_bytes() <= kFewBytes &&
           !HasWaitingStep(run.program());
  }
  bool only_runs() const override { return placed(); }
  std::unique_ptr<Launch> Clone() const override { return std::make_unique<OpRun>(*this); }
  void End() noexcept override {
    const std::shared_ptr<const ReadyOp> ready = std::move(ready_);
    run.Drop();
    scope = {};
    ready->idle.Give(std::unique_ptr<Launch>(this));
  }

 private:
  std::vector<TensorType> InputTypes(const OpCall& call) const {
    std::vector<TensorType> types;
    for (const int tensor : ready_->binding.inputs)
      types.push_back(TypeOf(*call.inputs[static_cast<std::size_t>(tensor)]));
    return types;
  }

  void BindInput(std::size_t index, const OpCall& call, const OpTensors& tensors) {
    const int tensor = ready_->binding.inputs[index];
    const TensorDesc& desc = *call.inputs[static_cast<std::size_t>(tensor)];
    const DataBuffer& buffer = *tensors.inputs[static_cast<std::size_t>(tensor)];
    const TensorType& type = run.program().inputs[index];
    const std::size_t bytes = ByteSize(type);
    CheckSize("input", tensor, type, bytes, buffer.size, kOpInputNotMatch);
    if (desc.placement == Placement::kDevice)
      return run.BindInput(index, GivenMemory{buffer.data, bytes}, kInvalidParam, *this);
    // The program may change its copy as soon as the call returns.
    if (bytes > 0) CheckRange(buffer.data, bytes, Use::kRead, InputName(index).c_str(), kInvalidParam);
    SharedBytes copy = AllocateBytes(bytes);
    if (bytes > 0) std::memcpy(copy.get(), buffer.data, bytes);
    run.BindInput(index, std::move(copy), bytes);
  }

  // Values that are on the host may tell the sizes of outputs.
  void UseHostValues(const OpCall& call, const OpTensors& tensors) {
    std::vector<TensorValue> values = run.InputValues(InputTypes(call));
    std::vector<const TensorValue*> known(values.size(), nullptr);
    bool any = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto tensor = static_cast<std::size_t>(ready_->binding.inputs[i]);
      if (call.inputs[tensor]->placement == Placement::kDevice) continue;
      values[i] = values[i].Clone();
      known[i] = &values[i];
      any = true;
    }
    if (!any) return;
    run.Begin(ready_->op->Prepare(call, ready_->binding, known));
    for (std::size_t i = 0; i < values.size(); ++i)
      BindInput(i, call, tensors);
  }

  template <typename Place>
  void PlaceOutput(std::size_t index, const TensorType& type, Known known, const OpCall& call,
                   const OpTensors& tensors, const Place& place) const {
    const int tensor = ready_->binding.outputs[index];
    CheckOutput(*call.outputs[static_cast<std::size_t>(tensor)], tensor, type, !tensors.told.empty(), known);
    const DataBuffer& buffer = *tensors.outputs[static_cast<std::size_t>(tensor)];
    const std::size_t bytes = ByteSize(type);
    CheckSize("output", tensor, type, bytes, buffer.size, kOpOutputNotMatch);
    place(GivenMemory{buffer.data, bytes});
    if (!tensors.told.empty()) Tell(*tensors.told[static_cast<std::size_t>(tensor)], type.dims, known);
  }

  bool MayShare(std::size_t input, std::size_t output) const {
    const OpBinding& binding = ready_->binding;
    return std::any_of(binding.in_place.begin(), binding.in_place.end(), [&](const OpBinding::InPlace& pair) {
      return pair.input == binding.inputs[input] && pair.output == binding.outputs[output] &&
             (pair.reference || run.program().steps.size() == 1);
    });
  }

  std::shared_ptr<const ReadyOp> ready_;
};

// For aclopStartDumpArgs.
void NoteArguments(const OpCall& call) {
  std::string text = fmt::format("type: {}\n", call.type);
  const auto list = [&](const char* kind, const auto& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      text += fmt::format("{} {}: {}\n", kind, i,
                          IsAbsent(*tensors[i]) ? std::string("none") : ToString(TypeOf(*tensors[i])));
  };
  list("input", call.inputs);
  list("output", call.outputs);
  for (const auto& [name, value] : call.attribute_values())
    text += fmt::format("attribute {}: {}\n", name, ToString(value));
  OperatorArguments::Get().Note(std::string(call.type), text);
}

}  // namespace

void RunOperator(const std::shared_ptr<const ReadyOp>& ready, const OpCall& call, const OpTensors& tensors,
                 const StreamRef& stream, const char* api) {
  const bool asks = std::any_of(call.outputs.begin(), call.outputs.end(), [](const TensorDesc* desc) {
    return !IsAbsent(*desc) && !IsStatic(desc->shape().dims());
  });
  if (OperatorArguments::Get().active()) NoteArguments(call);
  auto run = OpRun::Make(ready);
  run->Bind(call, tensors);
  run->scope.dump = Dumps::Get().Operators(stream->device());
  run->scope.device = stream->device();
  run->RunsOn(*stream.stream);
  if (!run->placed()) {
    stream->Synchronize(kForever);
    return run->RunAndPlace(call, tensors);
  }
  Queue(std::move(run), stream, api);
  if (asks && !stream->is_diverted()) stream->Synchronize(kForever);
}

}  // namespace foothold
